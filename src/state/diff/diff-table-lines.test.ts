import { expect, test } from 'vitest';
import { cellCounts, TableLines } from './diff-table-lines.ts';

/** Three rows of two others: changed and the same, only in the second, missing in both. */
const LOOKS = {
  columns: [1, 2].map(() => ({
    ...{ equal: false, unrelated: false, notices: [], events: 9 },
    counts: { equal: 0, changed: 0, missing: 0, extra: 0, moved: 0 },
  })),
  rowSections: Uint32Array.from([0, 0, 1]),
  marks: Uint8Array.from([1, 0, 5, 3, 2, 2]),
};

test('rows stand under the heads of their sections', () => {
  const lines = new TableLines(LOOKS, []);
  expect(lines.heads).toEqual([0, 3]);
  expect(lines.line(0)).toEqual({ type: 'head', section: 0, rows: 2 });
  expect(lines.line(4)).toEqual({ type: 'row', row: 2 });
  expect(lines.line(5)).toBeUndefined();
  expect([lines.lineOf(0), lines.lineOf(2)]).toEqual([1, 4]);
});

test('a row is hidden where all marks it has are', () => {
  const lines = new TableLines(LOOKS, ['missing']);
  expect(lines.length).toBe(3);
  expect(lines.lineOf(2)).toBe(2);
  expect(new TableLines(LOOKS, ['missing', 'changed', 'extra']).length).toBe(0);
});

test('the differences of one trace are told apart from those of all', () => {
  const lines = new TableLines(LOOKS, []);
  expect(lines.differing(undefined)).toEqual([1, 2, 4]);
  expect(lines.differing(0)).toEqual([1, 4]);
  expect(lines.differing(1)).toEqual([2, 4]);
  expect(cellCounts(LOOKS)).toEqual([
    ['changed', 1],
    ['missing', 2],
    ['extra', 1],
  ]);
});
