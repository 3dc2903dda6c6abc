// The comparison of times as a report like those of the other views.
import { defined } from '../../../lib/defined.ts';
import { formatSpan } from '../../../lib/format-time.ts';
import { facts } from '../../../model/words.ts';
import type { IndexedTrace } from '../../../model/indexed-trace.ts';
import type {
  DiffOptions,
  DiffRow,
  DiffRowSide,
  RowMark,
  TraceDiffReport,
  TraceDifference,
} from './report.ts';
import { mustLeave, sliceTest } from '../slice.ts';
import {
  timingOf,
  type MethodTime,
  type Pace,
  type TimingTable,
  type TurnTime,
} from '../timing.ts';

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
  const { patterns } = options;
  const takes = [
    await sliceTest(a, options.a, patterns),
    await sliceTest(b, options.b, patterns),
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
    notices: [],
    timing,
  };
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
