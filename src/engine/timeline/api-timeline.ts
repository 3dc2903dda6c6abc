// The page's calls about the frames of a trace.
import type { ConnectionId } from '../../trace/event.ts';
import { lookingAt } from '../library/looking.ts';
import type { Look } from './look.ts';
import type { TimelineApi } from '../api.ts';
import type { Parts } from '../parts.ts';

/** A trace that loads faster than this is shown whole at once. */
const FIRST_LOOK = 50;

const open = async (
  { catalog, traces, looks }: Parts,
  connection: ConnectionId,
): Promise<Look | undefined> => {
  if (!catalog.get(connection)) return undefined;
  const { trace, begun, loaded } = traces.open(connection);
  const look = looks.of(trace);
  await begun;
  if (!trace.first)
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, FIRST_LOOK))]);
  return look;
};

/** Of a trace that may not be loaded; what is shown until then is known, if it was kept. */
async function earlyLookOf(parts: Parts, connection: ConnectionId): Promise<Look> {
  if (!parts.traces.get(connection)) await open(parts, connection);
  if (!parts.traces.get(connection)) throw new Error(`There is no trace ${connection}.`);
  const { trace, begun } = parts.traces.open(connection);
  await begun;
  return parts.looks.of(trace);
}

/** The page asks only of traces it was told of; of one deleted meanwhile there is nothing. */
export async function timelineLook(parts: Parts, connection: ConnectionId): Promise<Look> {
  const found = await earlyLookOf(parts, connection);
  // Rows may be shown of what is still read.
  if (found.trace.first) await parts.traces.whole(connection);
  return found;
}

export function timelineApi(parts: Parts): TimelineApi {
  const { catalog, traces, looks, writer, checks } = parts;
  const look = (connection: ConnectionId) => timelineLook(parts, connection);
  /** Of two queries the one asked for later holds, whichever trace is read first. */
  let asked = 0;

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
    lookingAt(connection);
  };

  return {
    async open(connection, query, lights = false) {
      // At once: of two traces asked for, the later one is shown, whichever is read first.
      const before = looks.shown;
      looks.shown = connection;
      const mine = ++asked;
      const found = await open(parts, connection);
      const isShown = looks.shown === connection;
      if (!found && isShown) looks.shown = before;
      if (!found) return undefined;
      // Of lines that are being searched a notice tells later.
      if (mine === asked) {
        found.view.light(lights);
        void found.view.setQuery(query);
      }
      if (isShown) lookAt(connection);
      return found.state();
    },

    async setQuery(connection, query, lights = false) {
      asked++;
      const found = await look(connection);
      found.view.light(lights);
      await found.view.setQuery(query);
      return found.state();
    },

    async rows(connection, from, to) {
      const early = (await earlyLookOf(parts, connection)).rows(from, to);
      return early ?? (await look(connection)).allRows(from, to);
    },

    async windows(connection, most) {
      return (await look(connection)).windows(most);
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

    async nextMatch(connection, seq, direction) {
      return (await look(connection)).view.nextMatch(seq, direction);
    },

    async valuesOf(connection, seq) {
      return (await look(connection)).valuesOf(seq);
    },

    async frame(connection, seq, isBrief) {
      const startedAt = catalog.get(connection)?.startedAt ?? '';
      return (await look(connection)).frame(seq, startedAt, isBrief);
    },

    async sha256(connection, seq) {
      return (await look(connection)).sha256(seq);
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

    async density(connection, buckets, span) {
      return (await look(connection)).density(buckets, span);
    },

    async vocabulary(connection) {
      return (await look(connection)).vocabulary();
    },

    async stderr(connection, after) {
      return (await look(connection)).stderr(after);
    },
  };
}
