// The view `timing`: how long each method and each turn took on each side. Times differ in any two
// runs; only what a person would notice is a difference.
import type {
  DiffOptions,
  DiffRow,
  DiffRowSide,
  MethodTime,
  Pace,
  RowMark,
  TimingTable,
  TraceDiffReport,
  TraceDifference,
  TurnTime,
} from './report.ts';
import { mustLeave, sliceTest } from '../slice.ts';
import { defined } from '../../../lib/defined.ts';
import { formatSpan } from '../../../lib/format-time.ts';
import { known, NO_TIME } from '../../../lib/time.ts';
import { REQ } from '../../../model/columns.ts';
import type { IndexedTrace } from '../../../model/indexed-trace.ts';
import type { EventTest } from '../../../model/query/match.ts';
import type { MethodStats } from '../../../model/performance/methods.ts';
import { StatsFold, type TraceStats, type TurnStats } from '../../../model/performance/stats.ts';
import { facts } from '../../../model/words.ts';
import { seq, type Seq } from '../../../trace/event.ts';

/** A change of less than this, or of less than this part of the smaller, is none. */
const LEAST_MS = 50;
const LEAST_SHARE = 0.25;

async function timingOf(
  a: IndexedTrace,
  b: IndexedTrace,
  takes: readonly [EventTest, EventTest],
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
  takes: EventTest,
  pause: () => Promise<void>,
): Promise<TraceStats> {
  const fold = new StatsFold();
  for (let place = 0; place < index.length; place++) {
    if (place % 500 === 0) await pause();
    if (takes(place)) fold.append(eventAt(place));
  }
  return fold.stats();
}

/** By asking side and method. */
function slowestOf({ index: { columns } }: IndexedTrace, takes: EventTest): Map<string, Seq> {
  const found = new Map<string, { readonly took: number; readonly seq: Seq }>();
  for (let place = 0; place < columns.length; place++) {
    if (columns.kind.get(place) !== REQ || !takes(place)) continue;
    const answer = columns.partnerOf(place);
    if (answer === undefined) continue;
    const key = `${columns.fromOf(place)} ${columns.nameOf(place)}`;
    const took = columns.at.get(answer) - columns.at.get(place);
    // Without times any of them stands for all.
    if (!(took < (found.get(key)?.took ?? 0))) found.set(key, { took, seq: columns.seqOf(place) });
  }
  return new Map([...found].map(([key, { seq: at }]) => [key, at]));
}

function timeOf(
  { live, replayed, failed = 0, latency }: MethodStats,
  slowest: Seq | undefined,
): MethodTime {
  const { p50, p95, max } = latency ?? { p50: NO_TIME, p95: NO_TIME, max: NO_TIME };
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
  const isFelt = change >= LEAST_MS && change >= LEAST_SHARE * Math.min(before, after);
  if (!isFelt) return 'same';
  return after > before ? 'slower' : 'faster';
}

const SECTIONS = [
  { name: 'Methods', words: 'median' },
  { name: 'Turns', words: '' },
];

export async function timingReport(
  a: IndexedTrace,
  b: IndexedTrace,
  options: DiffOptions,
  pause: () => Promise<void>,
): Promise<TraceDiffReport> {
  const { finder } = options;
  const takes = [
    await sliceTest(a, options.a, finder),
    await sliceTest(b, options.b, finder),
  ] as const;
  const timing = await timingOf(a, b, takes, pause);
  const compared = { a: sizeOf(timing, 'a'), b: sizeOf(timing, 'b') };
  mustLeave(compared.a, 'left', options.a);
  mustLeave(compared.b, 'right', options.b);
  const rows = rowsOf(timing);
  const counts = { equal: 0, changed: 0, missing: 0, extra: 0, moved: 0 };
  for (const { mark } of rows) counts[mark]++;
  const differences = rows.flatMap((row, at) => differenceOf(a, b, row, at));
  return {
    view: 'timing',
    equal: differences.length === 0,
    differences,
    counts,
    rows: {
      length: rows.length,
      mark: (at) => rows[at]?.mark ?? 'equal',
      section: (at) => rows[at]?.section ?? 0,
      row: (at) => rows[at] ?? { mark: 'equal', of: '', section: 0, fields: [] },
    },
    sections: SECTIONS,
    aliases: [],
    sameText: [],
    rowsWith: () => [],
    leftOut: [],
    compared,
    unrelated: false,
    notices: [untimed(a, 'left'), untimed(b, 'right')].filter((words) => words !== ''),
    timing,
  };
}

function untimed({ index }: IndexedTrace, which: string): string {
  return known(index.lastEventAt) === undefined ? `The ${which} trace has no times.` : '';
}

function sizeOf({ methods, turns }: TimingTable, side: 'a' | 'b'): number {
  return [...methods, ...turns].filter((row) => row[side] !== undefined).length;
}

function markOf(pace: Pace): RowMark {
  if (pace === 'missing' || pace === 'extra') return pace;
  return pace === 'same' ? 'equal' : 'changed';
}

function rowsOf({ methods, turns }: TimingTable): DiffRow[] {
  return [
    ...methods.map(({ method, side, a, b, pace }) => {
      const of = `${side === 'client' ? '→' : '←'} ${method}`;
      return rowOf(of, 0, pace, a && methodSide(a), b && methodSide(b));
    }),
    ...turns.map(({ turn, a, b, pace }) =>
      rowOf(`turn ${turn}`, 1, pace, a && turnSide(a), b && turnSide(b)),
    ),
  ];
}

function rowOf(
  of: string,
  section: number,
  pace: Pace,
  a: DiffRowSide | undefined,
  b: DiffRowSide | undefined,
): DiffRow {
  const [before, after] = [a && formatSpan(a.took ?? 0), b && formatSpan(b.took ?? 0)];
  const field = { path: '$.took', kind: 'changed', ...defined({ before, after }) } as const;
  const mark = markOf(pace);
  return { mark, of, section, ...defined({ a, b }), fields: mark === 'changed' ? [field] : [] };
}

function methodSide({ count: times, failed, p50, p95, max, slowest }: MethodTime): DiffRowSide {
  const words = facts(
    formatSpan(p50),
    times > 1 && `95 % in ${formatSpan(p95)}`,
    times > 1 && `at most ${formatSpan(max)}`,
    times > 1 && `${times} times`,
    failed > 0 && `${failed} failed`,
  );
  return { seq: slowest, last: slowest, frames: times, at: 0, took: p50, words };
}

function turnSide({ begin, end, took, stopReason }: TurnTime): DiffRowSide {
  const words = facts(formatSpan(took), stopReason);
  return { seq: begin, last: end, frames: 1, at: 0, took, words };
}

function differenceOf(
  left: IndexedTrace,
  right: IndexedTrace,
  { mark, of, a, b }: DiffRow,
  row: number,
): TraceDifference[] {
  if (mark === 'equal') return [];
  return [
    {
      kind: mark,
      ...(a && { a: { connection: left.connection, seq: a.seq }, before: ms(a) }),
      ...(b && { b: { connection: right.connection, seq: b.seq }, after: ms(b) }),
      path: '$.took',
      of,
      row,
    },
  ];
}

/** To a tenth: what is finer is noise. */
function ms({ took = 0 }: DiffRowSide): number {
  return Math.round(took * 10) / 10;
}
