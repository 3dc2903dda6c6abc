// The page's calls about the frames of a trace.
import { densityOf } from '../../model/timeline/density.ts';
import { placeOf } from '../../model/indexed-trace.ts';
import { digestsOf } from '../../model/timeline/row-builder.ts';
import { frameDetail, sumOf } from '../../model/timeline/frame-detail.ts';
import type { SortKey } from '../../model/timeline/row-order.ts';
import type { TimeSpan } from '../../model/query/numbers.ts';
import { valuesAt, vocabularyOf } from '../../model/query/vocabulary.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { lookingAt } from '../library/looking.ts';
import type { Parts } from '../parts.ts';
import type { Look } from './look.ts';

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

function traceOf({ trace: { index, lines } }: Look) {
  return { index, eventAt: (place: number) => lines.event(place) };
}

export function timelineApi(parts: Parts) {
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
    /**
     * Shows this trace in the timeline: loads it if stored; notices of it begin. `lights`: what the
     * query does not match is shown too.
     */
    async open(connection: ConnectionId, query: string, lights = false) {
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

    async setQuery(connection: ConnectionId, query: string, lights = false) {
      asked++;
      const found = await look(connection);
      found.view.light(lights);
      await found.view.setQuery(query);
      return found.state();
    },

    async rows(connection: ConnectionId, from: number, to: number) {
      const early = (await earlyLookOf(parts, connection)).rows(from, to);
      return early ?? (await look(connection)).allRows(from, to);
    },

    /** The last `most` replay windows among the rows. */
    async windows(connection: ConnectionId, most: number) {
      return (await look(connection)).view.heads.windows(most);
    },

    /** Opens or closes a turn, run, fold or window by its row key. */
    async toggle(connection: ConnectionId, key: string) {
      const found = await look(connection);
      found.view.toggle(key);
      return found.state();
    },

    /** Closes every turn and replay window, or opens all. */
    async foldAll(connection: ConnectionId, isFolded: boolean) {
      const found = await look(connection);
      found.view.foldAll(isFolded);
      return found.state();
    },

    /** Lists every frame on its own, sorted by this; without it, turns in the order of the trace. */
    async sort(connection: ConnectionId, by: SortKey | undefined) {
      const found = await look(connection);
      found.view.sort(by);
      return found.state();
    },

    /**
     * Row index of the event, or of the head closed over it, which `reveals` opens; -1 if the query hides the event
     * (the terms that do are named).
     */
    async locate(connection: ConnectionId, seq: Seq, reveals = true) {
      const { view } = await look(connection);
      view.grow();
      const place = view.locate(seq, reveals);
      if (reveals) parts.timelineChanged();
      return place;
    },

    /** Seq of the next row that holds a window head, before or after. */
    async nextWindow(connection: ConnectionId, seq: Seq, direction: 1 | -1) {
      return (await look(connection)).view.heads.nextWindow(seq, direction);
    },

    /** The next event that the query matches, around the ends; undefined: it matches none. */
    async nextMatch(connection: ConnectionId, seq: Seq | undefined, direction: 1 | -1) {
      return (await look(connection)).view.nextMatch(seq, direction);
    },

    /** By which fields and values a query finds this event. */
    async valuesOf(connection: ConnectionId, seq: Seq) {
      const { index, lines } = (await look(connection)).trace;
      const at = lines.indexOf(seq);
      return at === undefined ? [] : valuesAt(index, at);
    },

    /** `isBrief`: without its line, and what that says. `member`: of this message of its array. */
    async frame(connection: ConnectionId, seq: Seq, isBrief?: boolean, member?: number) {
      const startedAt = catalog.get(connection)?.startedAt ?? '';
      const trace = traceOf(await look(connection));
      const at = placeOf(trace, seq, member);
      return at < 0
        ? undefined
        : frameDetail(trace.index, trace.eventAt(at), startedAt, isBrief, at);
    },

    /** Of its line, in hex. */
    async sha256(connection: ConnectionId, seq: Seq) {
      return (await look(connection)).sha256(seq);
    },

    /** Everything that rows from `from` up to, not with, `to` stand for. */
    async framesIn(connection: ConnectionId, from: number, to: number) {
      return (await look(connection)).view.framesIn(from, to);
    },

    async sum(connection: ConnectionId, seqs: readonly Seq[]) {
      return sumOf((await look(connection)).trace.index, seqs);
    },

    /** The lines of these frames, one below the other; `lossy`: not all of them are UTF-8. */
    async lines(connection: ConnectionId, seqs: readonly Seq[]) {
      return (await look(connection)).text(seqs);
    },

    /** `span`: of this part of the time only. */
    async density(connection: ConnectionId, buckets: number, span?: TimeSpan) {
      return densityOf(traceOf(await look(connection)), buckets, span);
    },

    /** Returns the words of the row of this event; undefined: there is no such event. */
    async wordsAt(connection: ConnectionId, seq: Seq) {
      const { index, eventAt } = traceOf(await look(connection));
      const at = index.indexOf(seq);
      return at < 0 ? undefined : digestsOf(index, eventAt)(at).summary;
    },

    /** Values and their counts for query completion: `method` → [['session/prompt', 3], …]. */
    async vocabulary(connection: ConnectionId) {
      return vocabularyOf((await look(connection)).trace.index);
    },

    async stderr(connection: ConnectionId, after: Seq) {
      return (await look(connection)).stderr(after);
    },
  };
}
