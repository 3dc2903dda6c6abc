import { expect, test } from 'vitest';
import type { FoldRow, FrameRow, RowView, WindowRow } from '../model/row-view.ts';
import { seq } from '../trace/event.ts';
import { findRow } from './timeline-rows.ts';

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
