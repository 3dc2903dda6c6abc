// The page's calls about what is kept: traces as files, names, deletion, drafts, what was used.
import { isPlainHeader, looksSecret } from '../../lib/secrets/names.ts';
import { defined } from '../../lib/defined.ts';
import { commandKey } from '../../lib/split-command.ts';
import { settingsOf } from '../connections/driving.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { Launch } from '../../link/messages.ts';
import type { RedactionLevel } from '../../model/redact/levels.ts';
import type { ImportProgress, KnownCommand, SentRecord } from '../messages.ts';
import type { Parts } from '../parts.ts';
import type { EvidenceOf } from './evidence.ts';
import type { Plain, Shared, SharedPart } from './share.ts';

/** An empty note, or no tags, take away what was there. */
export interface TraceWords {
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly note?: string;
}

export function libraryApi(parts: Parts) {
  const { store, catalog, traces, notices } = parts;
  /** Files that are read now. */
  const imports = new Set<AbortController>();
  /** Files that may leave are made for one dialog: another question ends the one before. */
  let asked = 0;
  const wanted = () => {
    const mine = ++asked;
    return () => mine === asked;
  };

  const exportFile = async (connection: ConnectionId) => {
    const stored = catalog.get(connection);
    if (!stored) throw new Error(`There is no trace ${connection}.`);
    const noted = await store.annotations(connection);
    const isNoted = noted.ok && noted.value.length > 0;
    const { lines, index } =
      (isNoted ? await traces.whole(connection) : traces.get(connection)) ?? {};
    const changes = index?.annotations.changes() ?? [];
    const { exportFile: fileOf } = await import('./export-file.ts');
    const { name, blob, problem } = await fileOf(stored, lines, store, changes);
    if (problem) notices.news('error', `The file is not complete. ${problem.message}`);
    return { name, blob };
  };

  const exportFrames = async (connection: ConnectionId, seqs: readonly Seq[]) => {
    const stored = catalog.get(connection);
    if (!stored) throw new Error(`There is no trace ${connection}.`);
    const [{ exportFrames: fileOf }, { timelineLook }] = await Promise.all([
      import('./export-file.ts'),
      import('../timeline/api-timeline.ts'),
    ]);
    return fileOf(stored, seqs, (await timelineLook(parts, connection)).eventLines(seqs));
  };

  /** Values that the agent was given when it was started here, and that look secret. */
  const secretsOf = async (connection: ConnectionId): Promise<readonly string[]> => {
    const { env = {}, headers = {} } = (await parts.driving.how(connection))?.launch ?? {};
    return [
      ...Object.entries(env).flatMap(([name, value]) =>
        looksSecret({ name, value }) ? [value] : [],
      ),
      ...Object.entries(headers).flatMap(([name, value]) =>
        isPlainHeader(name) ? [] : [value.replace(/^(?:Bearer|Basic) /i, '')],
      ),
    ];
  };

  return {
    /** Imports a trace file; rows appear as they are read. `beside`: files opened with it, which may have its other direction. */
    async importFile(file: File, beside: readonly File[] = []) {
      const [{ importFile }] = await Promise.all([import('./import-file.ts'), traces.ready()]);
      const stop = new AbortController();
      imports.add(stop);
      const tell = (progress?: ImportProgress) =>
        notices.soon('importing', () => ({
          type: 'importing',
          progress: imports.has(stop) ? progress : undefined,
        }));
      const { readFile } = parts;
      const importOne = (process: number) =>
        importFile(
          file,
          {
            ...{ store, catalog, traces, intake: parts.intake, readFile },
            begun(connection) {
              // The page knows it as a file first, and then shows it from its beginning.
              notices.tell({ type: 'traces', traces: catalog.summaries() });
              if (process === 0) notices.tell({ type: 'appeared', connection, mode: 'file' });
            },
            givenUp: (connection) => notices.tell({ type: 'gone', connection }),
          },
          { stop: stop.signal, progress: tell, process, ...(process === 0 && { beside }) },
        );
      const all = async () => {
        const first = await importOne(0);
        // A log of several processes is a trace of each.
        for (let process = 1; first.ok && process < (first.processes ?? 1); process++) {
          const next = await importOne(process);
          if (!next.ok) return next;
        }
        return first;
      };
      const { name, size } = file;
      const importing = all();
      tell({ name, size, read: 0, frames: 0 });
      const imported = await importing.finally(() => {
        imports.delete(stop);
        tell();
      });
      parts.tabs.tell({ type: 'traces' });
      return imported;
    },

    /** Ends the reading of files. What was read of them is taken back. */
    async cancelImport() {
      for (const stop of imports) stop.abort();
    },

    /** The trace file, byte for byte what was imported or recorded; marks made here stand behind it. */
    exportFile,

    /**
     * The same, or a file of some events alone, as it may leave. It takes as long as reading all of it
     * twice. Asked again, it rejects the call before.
     */
    async share(
      connection: ConnectionId,
      level: RedactionLevel,
      { seqs, page }: SharedPart = {},
    ): Promise<Shared> {
      const isWanted = wanted();
      const [file, { sharedFile }] = await Promise.all([
        seqs ? exportFrames(connection, seqs) : exportFile(connection),
        import('./share.ts'),
      ]);
      const shared = await sharedFile(
        file,
        { level, known: await secretsOf(connection) },
        isWanted,
      );
      return page ? (await import('./viewer-page.ts')).viewerPage(shared, page.frame) : shared;
    },

    /** Nobody waits for what `share` or `evidence` make. */
    async unshare() {
      wanted();
    },

    /** What shows a finding, or these frames, to somebody else, as it may leave. */
    async evidence(connection: ConnectionId, level: RedactionLevel, what: EvidenceOf) {
      const isWanted = wanted();
      const [{ blob }, { evidenceFile }] = await Promise.all([
        exportFile(connection),
        import('./evidence.ts'),
      ]);
      const options = { level, known: await secretsOf(connection) };
      return evidenceFile(parts, connection, blob, what, { ...options, isWanted });
    },

    /**
     * A text that is copied, without its secrets. `connection`: whose environment is known. `part`: only
     * [from, to) of it is wanted, the rest says what it is.
     */
    async plain(
      connection: ConnectionId | undefined,
      text: string,
      part?: readonly [number, number],
    ): Promise<Plain> {
      const { Redactor } = await import('../../model/redact/redactor.ts');
      const known = connection === undefined ? [] : await secretsOf(connection);
      const redactor = new Redactor({ level: 'no-secrets', known });
      const left = redactor.text(text, part);
      const { hits } = redactor.redaction;
      return { text: left, places: Object.values(hits).reduce((sum, places) => sum + places, 0) };
    },

    /** What a person says of it, in place of what was said. */
    async describe(connection: ConnectionId, { name, tags, note }: TraceWords) {
      const isKept = await catalog.patch(connection, {
        ...defined({ name }),
        // What is taken away is no field of the record any more.
        ...(tags && { tags: tags.length > 0 ? tags : undefined }),
        ...(note !== undefined && { note: note === '' ? undefined : note }),
      });
      parts.tabs.tell({ type: 'traces' });
      return isKept;
    },

    /**
     * Hidden at once, gone for good after 10 s unless they are put back. Those that are still being
     * recorded stay, and that is told.
     */
    async remove(connections: readonly ConnectionId[]) {
      const ended = connections.filter((connection) => !catalog.isRunning(connection));
      if (ended.length < connections.length)
        notices.news(
          'warn',
          connections.length === 1
            ? 'This trace is still being recorded. Stop the agent before deleting it.'
            : 'Traces that are still being recorded stay. Stop their agents before deleting them.',
        );
      await Promise.all(ended.map((connection) => catalog.remove(connection)));
      parts.tabs.tell({ type: 'traces' });
    },

    async putBack(connections: readonly ConnectionId[]) {
      await Promise.all(connections.map((connection) => catalog.restore(connection)));
      parts.tabs.tell({ type: 'traces' });
    },

    /** The traces that other tabs look at now. */
    async openElsewhere() {
      return (await import('./looking.ts')).openElsewhere(parts.looks.shown);
    },

    async recents(): Promise<readonly KnownCommand[]> {
      const recents = await store.recents();
      if (!recents.ok) return [];
      return recents.value.map(({ launch: stored, settings: chosen }) => {
        const settings = settingsOf(chosen);
        const launch = (stored.withheld && parts.driving.whole(stored)) ?? stored;
        // Folders once meant commands too; what was chosen says whether they are wanted.
        const { terminals } = settings.advertise;
        return { launch: { ...launch, ...(terminals && { terminals }) }, settings };
      });
    },

    async forgetRecent(launch: Launch) {
      await store.dropRecent(commandKey(launch));
    },

    async draft(key: string) {
      const draft = await store.draft(key);
      return draft.ok ? draft.value?.text : undefined;
    },

    /** False: the database did not take it, which is told. */
    async saveDraft(key: string, text: string) {
      return (await store.putDraft({ key, text })).ok;
    },

    async sent(): Promise<readonly SentRecord[]> {
      const sent = await store.sent();
      return sent.ok ? sent.value : [];
    },
  };
}
