// The page's calls about what is kept: traces as files, names, deletion, drafts, what was used.
import { isPlainHeader, looksSecret } from '../../lib/secrets/names.ts';
import { defined } from '../../lib/defined.ts';
import { commandKey } from '../../lib/split-command.ts';
import { settingsOf } from '../connections/driving.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { LibraryApi } from '../api.ts';
import type { Parts } from '../parts.ts';

export function libraryApi(parts: Parts): LibraryApi {
  const { store, catalog, traces, notices } = parts;
  /** Files that may leave are made for one dialog: another question ends the one before. */
  let asked = 0;
  const wanted = () => {
    const mine = ++asked;
    return () => mine === asked;
  };

  const exportFile: LibraryApi['exportFile'] = async (connection) => {
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
    async importFile(file) {
      const [{ importFile }] = await Promise.all([import('./import-file.ts'), traces.ready()]);
      const imported = await importFile(file, {
        ...{ store, catalog, traces, intake: parts.intake },
        begun: (connection) => notices.tell({ type: 'appeared', connection, mode: 'file' }),
      });
      parts.tabs.tell({ type: 'traces' });
      return imported;
    },

    exportFile,

    async share(connection, level, { seqs, page } = {}) {
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

    async unshare() {
      wanted();
    },

    async evidence(connection, level, what) {
      const isWanted = wanted();
      const [{ blob }, { evidenceFile }] = await Promise.all([
        exportFile(connection),
        import('./evidence.ts'),
      ]);
      const options = { level, known: await secretsOf(connection) };
      return evidenceFile(parts, connection, blob, what, { ...options, isWanted });
    },

    async plain(connection, text, part) {
      const { Redactor } = await import('../../model/redact/redactor.ts');
      const known = connection === undefined ? [] : await secretsOf(connection);
      const redactor = new Redactor({ level: 'no-secrets', known });
      const left = redactor.text(text, part);
      const { hits } = redactor.redaction;
      return { text: left, places: Object.values(hits).reduce((sum, places) => sum + places, 0) };
    },

    async describe(connection, { name, tags, note }) {
      const isKept = await catalog.patch(connection, {
        ...defined({ name }),
        // What is taken away is no field of the record any more.
        ...(tags && { tags: tags.length > 0 ? tags : undefined }),
        ...(note !== undefined && { note: note === '' ? undefined : note }),
      });
      parts.tabs.tell({ type: 'traces' });
      return isKept;
    },

    async remove(connections) {
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

    async putBack(connections) {
      await Promise.all(connections.map((connection) => catalog.restore(connection)));
      parts.tabs.tell({ type: 'traces' });
    },

    async openElsewhere() {
      return (await import('./looking.ts')).openElsewhere(parts.looks.shown);
    },

    async recents() {
      const recents = await store.recents();
      if (!recents.ok) return [];
      return recents.value.map(({ launch: stored, settings: chosen, usedAt }) => {
        const settings = settingsOf(chosen);
        const launch = (stored.withheld && parts.driving.whole(stored)) ?? stored;
        // Folders once meant commands too; what was chosen says whether they are wanted.
        const { terminals } = settings.advertise;
        return { launch: { ...launch, ...(terminals && { terminals }) }, settings, usedAt };
      });
    },

    async forgetRecent(launch) {
      await store.dropRecent(commandKey(launch));
    },

    async draft(key) {
      const draft = await store.draft(key);
      return draft.ok ? draft.value?.text : undefined;
    },

    async saveDraft(key, text) {
      return (await store.putDraft({ key, text })).ok;
    },

    async sent() {
      const sent = await store.sent();
      return sent.ok ? sent.value : [];
    },
  };
}
