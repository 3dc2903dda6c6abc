import { expect, test } from 'vitest';
import type { FoldRow, FrameRow, RowView, WindowRow } from '../../model/timeline/row-view.ts';
import { seq } from '../../trace/event.ts';
import { findRow, keepKnown } from './timeline-rows.ts';

const base = { tapes: [], late: false, pins: [] } as const;
const head = { ...base, type: 'window', key: 'w12', seq: seq(12) } as unknown as WindowRow;
const request = { ...base, type: 'frame', key: 'f12', seq: seq(12) } as unknown as FrameRow;
const run = {
  ...base,
  type: 'frame',
  key: 'f14',
  seq: seq(14),
  run: { count: 7, last: seq(20), open: false },
} as unknown as FrameRow;
const fold: FoldRow = {
  ...base,
  type: 'fold',
  key: 'x',
  seq: seq(37),
  last: seq(422),
  frames: 386,
  messages: 1,
  tools: 1,
};
const between = { ...base, type: 'frame', key: 'f17', seq: seq(17) } as unknown as FrameRow;
const rows: RowView[] = [head, request, run, between, fold];

test('a frame is its own row, not the head that shares its seq, unless the head was picked', () => {
  expect(findRow(rows, seq(12))).toBe(1);
  expect(findRow(rows, seq(12), 'w12')).toBe(0);
  expect(findRow(rows, seq(12), 'gone')).toBe(1);
});

test('a collapsed or folded frame is shown by what holds it', () => {
  expect(findRow(rows, seq(20))).toBe(2);
  expect(findRow(rows, seq(100))).toBe(4);
  expect(findRow(rows, seq(500))).toBe(-1);
});

test('a frame of another session inside a run keeps its own row', () => {
  expect(findRow(rows, seq(17))).toBe(3);
});

test('a row that says the same stays the same object, one that has changed does not', () => {
  const again = structuredClone(rows).slice(1) as RowView[];
  const grown = again.map((row) =>
    row.key === 'f14' ? { ...row, run: { count: 8, last: seq(21), open: false } } : row,
  ) as RowView[];
  expect(keepKnown(rows, grown).map((row) => rows.includes(row))).toEqual([
    true,
    false,
    true,
    true,
  ]);
  const taped = { ...request, tapes: [{ part: 'begin', lane: 0, forbidden: false }] } as FrameRow;
  expect(keepKnown(rows, [taped])).toEqual([taped]);
});
