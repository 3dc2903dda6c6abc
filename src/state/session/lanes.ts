// When a session was lived and restored: a lane for each connection and for each run of restores, on one
// clock, in which silence takes little room.
import type { HubChild, SessionHub, TraceSummary } from '../../engine/messages.ts';
import { count } from '../../lib/format.ts';
import type { ConnectionId } from '../../trace/event.ts';

/** Times are epoch milliseconds. */
interface LaneBar {
  readonly is: 'lived' | 'replayed' | 'late' | 'empty';
  readonly from: number;
  readonly to: number;
}

export interface Lane {
  readonly key: string;
  /** The first of it. */
  readonly connection: ConnectionId;
  /** The run of restores it is; absent: one connection. */
  readonly run?: string;
  readonly numbers: readonly number[];
  readonly title: string;
  readonly version: number | undefined;
  readonly bars: readonly LaneBar[];
  /** Prompts. */
  readonly ticks: readonly number[];
  /** The child session it is: drawn under what it was announced in. */
  readonly child?: { readonly sessionId: string; readonly depth: number; readonly chip: string };
  /** When it ended; absent: it runs, or ended when nobody knows. */
  readonly stop?: { readonly at: number; readonly trace: TraceSummary };
}

/** What nobody knows the length of is drawn as long as this. */
const LEAST = 1;

export function lanesOf(hub: SessionHub, traces: readonly TraceSummary[]): readonly Lane[] {
  const traceOf = new Map(traces.map((trace) => [trace.connection, trace]));
  const lanes: Lane[] = [];
  const below = new Map<Lane, readonly Lane[]>();
  for (const one of hub.connections) {
    const trace = traceOf.get(one.connection);
    if (!trace || trace.group !== undefined || one.from === undefined) continue;
    const own = hub.restores.filter(({ connection }) => connection === one.connection);
    const begins = own.flatMap(({ at }) => at ?? []);
    const end = Math.max(one.to ?? one.from, one.from + LEAST);
    const lived = one.stretches.flatMap(({ at }): LaneBar[] => {
      if (at === undefined) return [];
      return [{ is: 'lived', from: at, to: Math.min(end, ...begins.filter((next) => next > at)) }];
    });
    const stopped = trace.state === 'ended' && trace.facts?.exit !== undefined;
    const lane: Lane = {
      key: `l ${one.connection}`,
      connection: one.connection,
      numbers: [trace.number],
      title: own.length === 0 ? 'lived' : own.length === 1 ? 'restored' : `restored ${own.length}×`,
      version: trace.version,
      bars: [...lived, ...own.flatMap(barsOf)],
      ticks: one.prompts.filter((at) => at > 0),
      ...(stopped && one.ended !== undefined && { stop: { at: one.ended, trace } }),
    };
    lanes.push(lane);
    const children = (one.children ?? []).map((child) => childLane(lane, child, trace));
    below.set(lane, children);
  }
  const runs = new Map<string, SessionHub['restores'][number][]>();
  for (const restore of hub.restores)
    if (restore.run) runs.set(restore.run.id, [...(runs.get(restore.run.id) ?? []), restore]);
  for (const [run, restores] of runs) {
    const [first] = restores;
    if (!first) continue;
    const of = restores.flatMap(({ connection }) => traceOf.get(connection) ?? []);
    lanes.push({
      ...{ key: `v ${run}`, connection: first.connection, run, ticks: [] },
      numbers: of.map(({ number }) => number),
      title: restores.length === 1 ? 'restored anew' : `${restores.length} variants`,
      version: undefined,
      bars: restores.flatMap(barsOf),
    });
  }
  const begin = ({ bars, ticks, stop }: Lane) =>
    Math.min(...bars.map(({ from }) => from), ...ticks, stop?.at ?? Infinity);
  return lanes
    .filter((lane) => begin(lane) < Infinity)
    .toSorted((a, b) => begin(a) - begin(b))
    .flatMap((lane) => [lane, ...(below.get(lane) ?? [])]);
}

function childLane(
  { key, connection, numbers }: Lane,
  { sessionId, depth, items, from, to }: HubChild,
  { facts }: TraceSummary,
): Lane {
  const known = facts?.sessions.find((session) => session.sessionId === sessionId);
  return {
    ...{ key: `${key} ${sessionId}`, connection, numbers, ticks: [], version: undefined },
    child: { sessionId, depth, chip: known?.chip ?? '' },
    title: known?.title ?? count(items, 'item'),
    bars: [{ is: 'lived', from, to: Math.max(to, from + LEAST) }],
  };
}

/** Of a restore: what came back; empty: nothing did. */
function barsOf({ at, window }: SessionHub['restores'][number]): readonly LaneBar[] {
  if (at === undefined) return [];
  const took = Number.isFinite(window.took) ? window.took : 0;
  const to = at + Math.max(LEAST, took);
  const came = window.messages + window.tools > 0 || window.updates > 0;
  return [
    { is: came && window.outcome !== 'rejected' ? 'replayed' : 'empty', from: at, to },
    ...(window.late > 0
      ? [{ is: 'late' as const, from: to, to: to + Math.max(LEAST, took / 4) }]
      : []),
  ];
}

/** Shares of the width, from 0 to 1. */
export interface Clock {
  readonly place: (at: number) => number;
  /** Silence that is folded, and how long it was. */
  readonly gaps: readonly { readonly from: number; readonly to: number; readonly ms: number }[];
  /** Where something goes on again, and when. */
  readonly marks: readonly { readonly at: number; readonly time: number }[];
}

/** Silence of this share of all that is not silent folds. */
const FOLDS = 0.12;
const LEAST_FOLDED = 2000;
/** A folded silence is as wide as this; all of them no wider than half. */
const GAP = 0.045;

export function clockOf(lanes: readonly Lane[]): Clock {
  const spans = lanes
    .flatMap(({ bars, ticks, stop }) => [
      ...bars.map(({ from, to }) => ({ from, to })),
      ...[...ticks, ...(stop ? [stop.at] : [])].map((at) => ({ from: at, to: at })),
    ])
    .toSorted((a, b) => a.from - b.from);
  const [first, ...rest] = spans;
  if (!first) return { place: () => 0, gaps: [], marks: [] };
  const busy = merged(first, rest, 0).reduce((sum, { from, to }) => sum + to - from, 0);
  const parts = merged(first, rest, Math.max(LEAST_FOLDED, busy * FOLDS));
  const gap = Math.min(GAP, 0.5 / parts.length);
  const all = Math.max(
    1,
    parts.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const room = 1 - gap * (parts.length - 1);
  let at = 0;
  const placed = parts.map(({ from, to }) => {
    const start = at;
    at += ((to - from) / all) * room;
    const part = { from, to, start, end: at };
    at += gap;
    return part;
  });
  return {
    place(time) {
      const part = placed.find(({ to }) => time <= to) ?? placed.at(-1);
      if (!part) return 0;
      const { from, to, start, end } = part;
      if (time <= from || to === from) return time <= from ? start : end;
      return Math.min(end, start + ((time - from) / (to - from)) * (end - start));
    },
    gaps: placed.slice(1).map(({ from, start }, i) => {
      const before = placed[i];
      return { from: before?.end ?? 0, to: start, ms: from - (before?.to ?? from) };
    }),
    marks: placed.map(({ start, from }) => ({ at: start, time: from })),
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Spans with no more than this between them are one. */
function merged(first: Span, rest: readonly Span[], between: number): readonly Span[] {
  return rest.reduce<readonly Span[]>(
    (done, span) => {
      const last = done.at(-1) ?? first;
      if (span.from - last.to > between) return [...done, span];
      return [...done.slice(0, -1), { from: last.from, to: Math.max(last.to, span.to) }];
    },
    [first],
  );
}
