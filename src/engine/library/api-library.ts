// The page's calls about what is kept: traces as files, names, deletion, drafts, what was used.
import { isPlainHeader, looksSecret } from '../../lib/secrets/names.ts';
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

    async rename(connection, name) {
      await catalog.patch(connection, { name });
      parts.tabs.tell({ type: 'traces' });
    },

    async remove(connection) {
      if (catalog.isRunning(connection))
        return notices.news(
          'warn',
          'This trace is still being recorded. Stop the agent before deleting it.',
        );
      await catalog.remove(connection);
      parts.tabs.tell({ type: 'traces' });
    },

    async putBack(connection) {
      await catalog.restore(connection);
      parts.tabs.tell({ type: 'traces' });
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
      await store.putDraft({ key, text });
    },

    async sent() {
      const sent = await store.sent();
      return sent.ok ? sent.value : [];
    },
  };
}
