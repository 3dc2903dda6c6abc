// Reading a file into the database and into memory at once, so that rows appear while it is read. A worker of its own
// reads it: what it costs delays nothing that is recorded meanwhile. What it says never names a trace that is here.
import { defined } from '../../lib/defined.ts';
import type { EventBatch } from '../../storage/blocks.ts';
import { type ConnectionId, connectionId } from '../../trace/event.ts';
import { traceNameOf } from '../../trace/file-name.ts';
import type { ImportReport } from '../../trace/import/format.ts';
import { whileReading } from '../connections/leader.ts';
import type { Parts } from '../parts.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { ImportProgress } from '../messages.ts';
import type { FileStep } from './file-reading.ts';

interface ImportParts extends Pick<Parts, 'store' | 'catalog' | 'traces' | 'intake'> {
  /** The header is read: there is a trace to show. */
  begun(connection: ConnectionId): void;
  /** The trace that had begun is given up. */
  givenUp(connection: ConnectionId): void;
  /** Reads the file elsewhere; absent: here. */
  readonly readFile?: Parts['readFile'];
}

interface ImportOptions {
  readonly stop?: AbortSignal;
  readonly progress?: (progress: ImportProgress) => void;
}

/** `report`: of a file of another tool, what became of it, field by field. */
export type Imported =
  | {
      readonly ok: true;
      readonly connection: ConnectionId;
      readonly note?: string;
      readonly report?: ImportReport;
    }
  | { readonly ok: false; readonly message: string; readonly isCancelled?: true };

export async function importFile(
  file: File,
  parts: ImportParts,
  options: ImportOptions = {},
): Promise<Imported> {
  const connection = connectionId(crypto.randomUUID());
  const read = parts.readFile ?? (await import('./file-reading.ts')).readSteps;
  const importing = new Importing(file, connection, parts, options);
  return whileReading(connection, () => importing.run(read(file, options.stop)));
}

class Importing {
  readonly #file: File;
  readonly #connection: ConnectionId;
  readonly #parts: ImportParts;
  readonly #options: ImportOptions;
  #trace: OpenTrace | undefined;
  /** The batch before is stored and taken in; a sentence: it cannot be stored. */
  #before: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(file: File, connection: ConnectionId, parts: ImportParts, options: ImportOptions) {
    this.#file = file;
    this.#connection = connection;
    this.#parts = parts;
    this.#options = options;
  }

  async run(steps: AsyncIterable<FileStep>): Promise<Imported> {
    const { stop } = this.#options;
    for await (const step of steps) {
      if (stop?.aborted) break;
      if (step.kind === 'refused') return this.#giveUp(step.message);
      if (step.kind === 'done') return this.#finish(step);
      const problem = await this.#take(step);
      if (problem !== undefined) return this.#giveUp(problem);
    }
    return this.#giveUp(`\`${this.#file.name}\` was not opened: reading it was cancelled.`, true);
  }

  /** A sentence: it cannot go on. */
  async #take(step: Exclude<FileStep, { kind: 'refused' | 'done' }>): Promise<string | undefined> {
    switch (step.kind) {
      case 'begun':
        return this.#begin(step);
      case 'progress': {
        const { name, size } = this.#file;
        const { read, frames } = step;
        return void this.#options.progress?.({ name, size, read, frames });
      }
      case 'batch': {
        // One batch is stored and taken in while the next is read.
        const problem = await this.#before;
        if (problem !== undefined) return problem;
        this.#before = this.#keep({ ...step.batch, connection: this.#connection });
        return undefined;
      }
    }
  }

  async #begin({
    header,
    headerBytes,
  }: Extract<FileStep, { kind: 'begun' }>): Promise<string | undefined> {
    const { name } = this.#file;
    const added = await this.#parts.catalog.add({
      connection: this.#connection,
      name: traceNameOf(name, header.name),
      mode: 'file',
      startedAt: header.created,
      header: headerBytes,
      file: name,
      reading: true,
    });
    if (!added)
      return 'The browser could not store this trace. Free some space, then open it again.';
    this.#trace = this.#parts.traces.create(this.#connection);
    this.#parts.begun(this.#connection);
    return undefined;
  }

  async #keep(batch: EventBatch): Promise<string | undefined> {
    if (!this.#trace) return undefined;
    const [stored] = await Promise.all([
      this.#parts.store.append([batch]),
      this.#parts.intake.add(this.#trace, batch.bytes),
    ]);
    if (!stored.ok) return stored.problem.message;
    for (const appended of stored.value)
      if ('trace' in appended) this.#parts.catalog.stored(appended.trace);
    return undefined;
  }

  async #finish({
    unterminated,
    report,
    note,
  }: Extract<FileStep, { kind: 'done' }>): Promise<Imported> {
    const problem = await this.#before;
    if (problem !== undefined) return this.#giveUp(problem);
    const connection = this.#connection;
    this.#trace?.finish();
    await this.#parts.catalog.patch(connection, {
      reading: undefined,
      ...(unterminated && { unterminated }),
      ...defined({ imported: report }),
    });
    return { ok: true, connection, ...defined({ note, report }) };
  }

  /** What was read is taken back: half a file must not look like a whole one. */
  async #giveUp(message: string, isCancelled?: true): Promise<Imported> {
    // What is given up may be given up for its fault.
    await this.#before.catch(() => undefined);
    if (this.#trace) {
      this.#parts.givenUp(this.#connection);
      await this.#parts.catalog.remove(this.#connection);
    }
    return { ok: false, message, ...(isCancelled && { isCancelled }) };
  }
}
