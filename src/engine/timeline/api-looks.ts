// The page's calls about what a trace shows: timeline, frames, conversations, terminals, restores.
import type { ConnectionId } from '../../trace/event.ts';
import type { Look } from './look.ts';
import type { EngineApi } from '../messages.ts';
import type { Parts } from '../parts.ts';

type LooksApi = Pick<
  EngineApi,
  | 'open'
  | 'setQuery'
  | 'rows'
  | 'toggle'
  | 'locate'
  | 'nextWindow'
  | 'frame'
  | 'framesIn'
  | 'sum'
  | 'lines'
  | 'exportFrames'
  | 'density'
  | 'vocabulary'
  | 'conversation'
  | 'moment'
  | 'waiting'
  | 'provenance'
  | 'terminals'
  | 'stderr'
  | 'candidates'
  | 'restores'
  | 'replayWindow'
  | 'background'
  | 'capabilityUse'
  | 'sessionHistory'
  | 'sessionTimeline'
>;

/** A trace that loads faster than this is shown whole at once. */
const FIRST_LOOK = 50;

export function looksApi(parts: Parts): LooksApi {
  const { catalog, traces, looks, writer, checks } = parts;

  const open = async (connection: ConnectionId): Promise<Look | undefined> => {
    const stored = catalog.get(connection);
    if (!stored) return undefined;
    const from = stored.mode === 'file' ? 'file' : 'live';
    const { trace, loaded } = traces.open(connection, from);
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, FIRST_LOOK))]);
    return looks.of(trace);
  };

  /** The page asks only of traces it was told of; of one deleted meanwhile there is nothing. */
  const look = async (connection: ConnectionId): Promise<Look> => {
    const trace = traces.get(connection);
    const found = trace ? await looks.of(trace) : await open(connection);
    if (!found) throw new Error(`There is no trace ${connection}.`);
    return found;
  };

  /** What else is in memory may go, if nobody needs it. */
  const lookAt = (connection: ConnectionId): void => {
    traces.look(
      connection,
      (other) =>
        other === looks.shown ||
        catalog.isRunning(other) ||
        writer.isBehind(other) ||
        checks.isBusy(other),
    );
    const inMemory = new Set(traces.all().map((trace) => trace.connection));
    looks.keep(inMemory);
    checks.keep(inMemory);
    checks.show(connection);
  };

  return {
    async open(connection, query) {
      // At once: of two traces asked for, the later one is shown, whichever is read first.
      const before = looks.shown;
      looks.shown = connection;
      const found = await open(connection);
      const isShown = looks.shown === connection;
      if (!found && isShown) looks.shown = before;
      if (!found) return undefined;
      // Of patterns that are being asked a notice tells later.
      void found.view.setQuery(query);
      if (isShown) lookAt(connection);
      return found.state();
    },

    async setQuery(connection, query) {
      const found = await look(connection);
      await found.view.setQuery(query);
      return found.state();
    },

    async rows(connection, from, to) {
      const { view } = await look(connection);
      return { version: view.version, rows: view.rows(from, to) };
    },

    async toggle(connection, key) {
      const found = await look(connection);
      found.view.toggle(key);
      return found.state();
    },

    async locate(connection, seq) {
      const { view } = await look(connection);
      view.grow();
      const place = view.locate(seq);
      parts.timelineChanged();
      return place;
    },

    async nextWindow(connection, seq, direction) {
      return (await look(connection)).view.nextWindow(seq, direction);
    },

    async frame(connection, seq) {
      const startedAt = catalog.get(connection)?.startedAt ?? '';
      return (await look(connection)).frame(seq, startedAt);
    },

    async framesIn(connection, from, to) {
      return (await look(connection)).view.framesIn(from, to);
    },

    async sum(connection, seqs) {
      return (await look(connection)).sum(seqs);
    },

    async lines(connection, seqs) {
      return (await look(connection)).text(seqs);
    },

    async exportFrames(connection, seqs) {
      const stored = catalog.get(connection);
      const lines = (await look(connection)).eventLines(seqs);
      if (!stored) throw new Error(`There is no trace ${connection}.`);
      const { exportFrames } = await import('../library/export-file.ts');
      return exportFrames(stored, seqs, lines);
    },

    async density(connection, buckets, span) {
      return (await look(connection)).density(buckets, span);
    },

    async vocabulary(connection) {
      return (await look(connection)).vocabulary();
    },

    async conversation(connection, sessionId, ask) {
      return (await look(connection)).folds.conversation(sessionId, ask);
    },

    async waiting(connection, at) {
      return (await look(connection)).folds.waiting(at);
    },

    async moment(connection, sessionId, walk) {
      return (await look(connection)).folds.moment(sessionId, walk);
    },

    async provenance(connection, sessionId, key, first, last) {
      return (await look(connection)).folds.provenance(sessionId, key, first, last);
    },

    async terminals(connection) {
      return (await look(connection)).folds.terminals();
    },

    async stderr(connection, after) {
      return (await look(connection)).stderr(after);
    },

    async candidates(connection, sessionId) {
      return (await look(connection)).folds.candidates(sessionId, traces.pins.letters(sessionId));
    },

    async capabilityUse(connection) {
      const { capabilityUse } = await import('../../model/facts/capability-use.ts');
      return capabilityUse((await look(connection)).trace.index);
    },

    async sessionHistory(sessionId) {
      const { sessionHistory } = await import('./session-history.ts');
      return sessionHistory(traces.all(), catalog, looks, sessionId);
    },

    async sessionTimeline(sessionId, most) {
      const { sessionTimeline } = await import('./session-timeline.ts');
      return sessionTimeline(parts, sessionId, most);
    },

    async replayWindow(connection, request) {
      const { windowDetail } = await import('../restore/restores.ts');
      return windowDetail(parts, (await look(connection)).trace, request);
    },

    async background(sessionId, asking) {
      const { backgroundOf } = await import('../restore/session-background.ts');
      return backgroundOf(parts, sessionId, asking);
    },

    async restores(sessionId) {
      const { restoresOf } = await import('../restore/restores.ts');
      return restoresOf(parts, sessionId);
    },
  };
}
