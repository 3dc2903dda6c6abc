// The view `timing`: how long each method and each turn took on each side. Times differ in any two
// runs; only what a person would notice is a difference.
import { REQ } from '../../model/columns.ts';
import type { Test } from '../../model/query/query-match.ts';
import {
  StatsFold,
  type MethodStats,
  type TraceStats,
  type TurnStats,
} from '../../model/sessions/stats.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { seq, type Seq, type Side } from '../../trace/event.ts';

/** Figures in ms. */
export interface MethodTime {
  readonly count: number;
  readonly failed: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** The request that waited longest; 0: none was answered. */
  readonly slowest: Seq;
}

export interface TurnTime {
  readonly begin: Seq;
  readonly end: Seq;
  readonly took: number;
  readonly stopReason: string;
}

export type Pace = 'same' | 'slower' | 'faster' | 'missing' | 'extra';

export interface MethodRow {
  readonly method: string;
  /** Who asks. */
  readonly side: Side;
  readonly a?: MethodTime;
  readonly b?: MethodTime;
  readonly pace: Pace;
}

export interface TurnRow {
  readonly turn: number;
  readonly a?: TurnTime;
  readonly b?: TurnTime;
  readonly pace: Pace;
}

export interface TimingTable {
  readonly methods: readonly MethodRow[];
  /** Turn by turn, in order. */
  readonly turns: readonly TurnRow[];
}

/** A change of less than this, or of less than this part of the smaller, is none. */
const LEAST_MS = 50;
const LEAST_SHARE = 0.25;

export async function timingOf(
  a: IndexedTrace,
  b: IndexedTrace,
  takes: readonly [Test, Test],
  pause: () => Promise<void>,
): Promise<TimingTable> {
  const [left, right] = [await statsOf(a, takes[0], pause), await statsOf(b, takes[1], pause)];
  const [slowLeft, slowRight] = [slowestOf(a, takes[0]), slowestOf(b, takes[1])];
  const keyOf = ({ side, method }: MethodStats) => `${side} ${method}`;
  const asked = ({ methods }: TraceStats) =>
    new Map(methods.filter(({ latency }) => latency).map((row) => [keyOf(row), row]));
  const [before, after] = [asked(left), asked(right)];
  const methods = [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [one, other] = [before.get(key), after.get(key)];
    const { method, side } = one ?? other ?? {};
    if (method === undefined || side === undefined) return [];
    return [
      {
        method,
        side,
        ...sidesOf(
          one && timeOf(one, slowLeft.get(key)),
          other && timeOf(other, slowRight.get(key)),
          ({ p50 }) => p50,
        ),
      },
    ];
  });
  const count = Math.max(left.turns.length, right.turns.length);
  const turns = Array.from({ length: count }, (_, at) => {
    const [one, other] = [left.turns[at], right.turns[at]];
    return {
      turn: at + 1,
      ...sidesOf(one && turnOf(one), other && turnOf(other), ({ took }) => took),
    };
  });
  return { methods, turns };
}

async function statsOf(
  { index, eventAt }: IndexedTrace,
  takes: Test,
  pause: () => Promise<void>,
): Promise<TraceStats> {
  const fold = new StatsFold();
  for (let place = 0; place < index.length; place++) {
    if (place % 500 === 0) await pause();
    if (!takes(place)) continue;
    const event = eventAt(place);
    fold.append(event);
  }
  return fold.stats();
}

/** By asking side and method. */
function slowestOf({ index: { columns } }: IndexedTrace, takes: Test): Map<string, Seq> {
  const found = new Map<string, { readonly took: number; readonly seq: Seq }>();
  for (let place = 0; place < columns.length; place++) {
    if (columns.kind.get(place) !== REQ || !takes(place)) continue;
    const answer = columns.partnerOf(place);
    if (answer === undefined) continue;
    const key = `${columns.fromOf(place)} ${columns.nameOf(place)}`;
    const took = columns.at.get(answer) - columns.at.get(place);
    if (took >= (found.get(key)?.took ?? 0)) found.set(key, { took, seq: columns.seqOf(place) });
  }
  return new Map([...found].map(([key, { seq: at }]) => [key, at]));
}

function timeOf(
  { live, replayed, failed = 0, latency }: MethodStats,
  slowest: Seq | undefined,
): MethodTime {
  const { p50, p95, max } = latency ?? { p50: 0, p95: 0, max: 0 };
  return { count: live + replayed, failed, p50, p95, max, slowest: slowest ?? seq(0) };
}

function turnOf({ begin, end, took, stopReason }: TurnStats): TurnTime {
  return { begin, end, took, stopReason };
}

function sidesOf<T>(
  a: T | undefined,
  b: T | undefined,
  msOf: (time: T) => number,
): { readonly a?: T; readonly b?: T; readonly pace: Pace } {
  if (a === undefined) return { ...(b !== undefined && { b }), pace: 'extra' };
  if (b === undefined) return { a, pace: 'missing' };
  return { a, b, pace: paceOf(msOf(a), msOf(b)) };
}

function paceOf(before: number, after: number): Pace {
  const change = Math.abs(after - before);
  if (change < LEAST_MS || change < LEAST_SHARE * Math.min(before, after)) return 'same';
  return after > before ? 'slower' : 'faster';
}
