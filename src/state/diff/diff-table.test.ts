import { expect, test } from 'vitest';
import type { RowMark } from '../../diff/traces/report/report.ts';
import { connectionFacts, runningApp, traceSummary } from '../../test/programs/running-app.ts';
import { connectionId } from '../../trace/event.ts';
import { CompareLines } from '../compare/compare-lines.ts';
import { Diff } from './diff.svelte.ts';
import { cellCounts, DiffTable, visibleRows } from './diff-table.svelte.ts';

/** Three rows of two others: changed and the same, only in the second, missing in both. */
const LOOKS = {
  columns: [1, 2].map(() => ({
    ...{ equal: false, unrelated: false, notices: [], events: 9 },
    counts: { equal: 0, changed: 0, missing: 0, extra: 0, moved: 0 },
  })),
  rowSections: Uint32Array.from([0, 0, 1]),
  marks: Uint8Array.from([1, 0, 5, 3, 2, 2]),
};

const linesOf = (...hidden: readonly RowMark[]) =>
  new CompareLines(visibleRows(LOOKS, hidden), { opened: [], toggled: [], whole: [] });

test('rows stand under the heads of their sections', () => {
  const lines = linesOf();
  expect(lines.heads).toEqual([0, 3]);
  expect(lines.line(0)).toMatchObject({ type: 'head', section: 0, shown: 2 });
  expect(lines.line(4)).toMatchObject({ type: 'row', row: 2 });
  expect(lines.line(5)).toBeUndefined();
  expect([lines.lineOf(0), lines.lineOf(2)]).toEqual([1, 4]);
});

test('a row is hidden where all marks it has are', () => {
  const lines = linesOf('missing');
  expect(lines.length).toBe(3);
  expect(lines.lineOf(2)).toBe(2);
  expect(linesOf('missing', 'changed', 'extra').length).toBe(0);
});

test('how many cells differ, and how', () => {
  expect(cellCounts(LOOKS)).toEqual([
    ['changed', 1],
    ['missing', 2],
    ['extra', 1],
  ]);
});

test('the differences of one trace are told apart from those of all', async () => {
  const look = { ...LOOKS, table: 1, took: 0, events: 9, compared: 3, sections: [], leftOut: [] };
  const app = await runningApp({
    diff: {
      compare: () => Promise.resolve(undefined),
      table: (ask) => Promise.resolve({ ...look, ask }),
    },
  });
  const traces = ['c1', 'c2', 'c3'].map((name) => ({
    ...traceSummary(connectionFacts()),
    connection: connectionId(name),
  }));
  app.receive({ type: 'traces', traces });
  app.diff = 'c1~~~~~c2~c3';
  const table = new DiffTable(app, new Diff(app));
  await table.compareAgain();
  const { list } = table;
  const linesOf = (column: number) => {
    table.selectColumn(column);
    return list.faults;
  };
  expect([linesOf(0), linesOf(1), linesOf(2)]).toEqual([
    [1, 2, 4],
    [1, 4],
    [2, 4],
  ]);
});
