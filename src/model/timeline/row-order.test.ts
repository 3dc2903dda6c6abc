import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { seq } from '../../trace/event.ts';
import type { RowView } from './row-view.ts';

const TRACE = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/load s1
  agent  update s1 agent_message_chunk "one "
  agent  update s1 agent_message_chunk "${'x'.repeat(200)}"
  +80ms
  agent  ←1 result {}
`;
const seqs = (rows: readonly RowView[]) => rows.map((row) => Number(row.seq));

test('sorted by size, each frame is a row on its own, the largest first', () => {
  const { view, rows, index } = indexed(TRACE);
  expect(rows().some(({ type }) => type === 'window')).toBe(true);
  view.sort('size');
  expect(rows().map(({ type }) => type)).toEqual(rows().map(() => 'frame'));
  const sizes = rows().map((row) => (row.type === 'frame' ? row.size : -1));
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(sizes).toHaveLength(index.length);
  expect(seqs(rows())[0]).toBe(5);
  expect(rows().every(({ tapes }) => tapes.length === 0)).toBe(true);
  expect(view.state()).toMatchObject({ sorted: 'size', tall: [], rows: index.length });
});

test('sorted by latency, frames without one are last, in the order of the trace', () => {
  const { view, rows } = indexed(TRACE);
  view.sort('latency');
  expect(seqs(rows())).toEqual([3, 6, 1, 2, 4, 5]);
});

test('a frame is found at its place, and the rows of a stretch are the frames that it shows', () => {
  const { view } = indexed(TRACE);
  view.sort('latency');
  expect([3, 6, 1, 5].map((one) => view.locate(seq(one)).row)).toEqual([0, 1, 2, 5]);
  expect(view.framesIn(0, 2)).toEqual([3, 6]);
});

test('the order of the trace has its heads again, and what was closed', () => {
  const { view, rows } = indexed(TRACE);
  view.foldAll(true);
  const before = rows();
  view.sort('size');
  expect(view.heads.over(0, 6)).toEqual([]);
  view.sort(undefined);
  expect(rows()).toEqual(before);
  expect(view.state()).not.toHaveProperty('sorted');
});

test('a query and new frames keep the list sorted', async () => {
  const { view, rows } = indexed(TRACE);
  view.sort('size');
  await view.setQuery('side:agent');
  expect(seqs(rows())[0]).toBe(5);
  expect(rows()).toHaveLength(4);
  await view.setQuery('');
  expect(seqs(rows())).toHaveLength(6);
});
