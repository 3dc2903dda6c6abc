// What is done with a trace as a whole: named, saved, ended, started again, opened, deleted and had back.
import type { TraceWords } from '../engine/library/api-library.ts';
import type { ClientSettings } from '../drive/settings.ts';
import type { ImportProgress, KnownCommand, TraceSummary } from '../engine/messages.ts';
import { count } from '../lib/format.ts';
import { UNDO_MS } from '../lib/time.ts';
import type { ConnectionId, LeftProgram } from '../trace/event.ts';
import type { ImportReport } from '../trace/import/format.ts';
import type { Page } from './page.ts';

/** What became of a file of another tool. */
interface ImportedFile {
  readonly name: string;
  readonly report: ImportReport;
}

export class Library {
  readonly #page: Page;
  /** The one that is shown. */
  imported = $state.raw<ImportedFile | undefined>();

  /** The file that is read now. */
  importing = $state.raw<ImportProgress | undefined>();

  /** To be started at Connect, once the values that it lacks are typed there. */
  lacking = $state.raw<KnownCommand | undefined>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** False: the database did not take it, which is told. */
  describe(connection: ConnectionId, words: TraceWords): Promise<boolean> {
    return this.#page.engine.library.describe(connection, words);
  }

  async stop(connection: ConnectionId, how: 'end' | 'kill' | 'SIGKILL'): Promise<void> {
    await this.#page.engine.connections.stop(connection, how);
  }

  /** What its agent left running, and runs now; undefined: it is not known. `end`: ends it first. */
  left(connection: ConnectionId, end?: true): Promise<readonly LeftProgram[] | undefined> {
    return this.#page.engine.connections.left(connection, end);
  }

  /** The same command and settings again, intercepted by these rules, shown as soon as it runs. */
  async restart(connection: ConnectionId, rules?: string): Promise<void> {
    const started = await this.startAgain(connection, {}, rules);
    if (started !== undefined) await this.#page.show(started);
  }

  /** Undefined: it was not started, and a person is told why; what it lacks is asked for at Connect. */
  async startAgain(
    connection: ConnectionId,
    change?: Partial<ClientSettings>,
    rules?: string,
  ): Promise<ConnectionId | undefined> {
    const page = this.#page;
    const answer = await page.engine.connections.restart(connection, change, rules);
    if (answer.ok) return answer.connection;
    this.lacking = answer.lacks;
    if (this.lacking) page.view = 'connect';
    else page.tell('error', answer.problem.message);
    return undefined;
  }

  /** Those that could be opened. */
  async importFiles(files: Iterable<File>): Promise<readonly ConnectionId[]> {
    const page = this.#page;
    const opened: ConnectionId[] = [];
    const waiting = [...files];
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const answer = await page.engine.library.importFile(file, waiting);
      if (!answer.ok && answer.isCancelled) {
        // A person who cancels wants none of the files that wait either.
        page.tell('info', answer.message);
        break;
      }
      if (!answer.ok) {
        const { message } = answer;
        page.tell('error', message.includes(file.name) ? message : `${file.name}: ${message}`);
      } else {
        const { note, report, joined } = answer;
        const { name } = file;
        const run = () => (this.imported = report && { name, report });
        if (joined !== undefined) waiting.splice(joined, 1);
        // Of several files, whoever reads it must know which.
        if (note !== undefined)
          page.tell('warn', `${name}: ${note}`, report && { label: 'What became of it', run });
        // It is shown since its first frames were there; who has gone on from it meanwhile is left there.
        opened.push(answer.connection);
      }
    }
    return opened;
  }

  /** Ends the reading of files, wherever it is. Nothing of them stays. */
  cancelImport(): Promise<void> {
    return this.#page.engine.library.cancelImport();
  }

  /** Deletes a stored trace; for ten seconds it can be had back. */
  remove(trace: TraceSummary): Promise<void> {
    return this.#remove([trace], trace.name);
  }

  /** The same with several. */
  removeAll(traces: readonly TraceSummary[], title?: string): Promise<void> {
    const words = count(traces.length, 'trace');
    return this.#remove(traces, title === undefined ? words : `${title}, ${words}`);
  }

  async #remove(traces: readonly TraceSummary[], words: string): Promise<void> {
    const { library } = this.#page.engine;
    const connections = traces.map(({ connection }) => connection);
    const until = Date.now() + UNDO_MS;
    await library.remove(connections);
    for (const connection of connections) this.#page.leave(connection);
    this.#page.tell('info', `Deleted ${words}.`, {
      label: 'Undo',
      until,
      run: () => void library.putBack(connections),
    });
  }
}
