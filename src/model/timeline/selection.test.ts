import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { seq } from '../../trace/event.ts';
import { sumOf } from './frame-detail.ts';

const TRACE = `
  start agent
  client →0 initialize {}
  agent  update s1 agent_message_chunk "a"
  agent  update s2 agent_message_chunk "x"
  agent  update s1 agent_message_chunk "b"
  stderr noise
`;

test('several frames are summed by side, with their bytes and the time from first to last', () => {
  const { index } = indexed(TRACE);
  const size = (at: number) => index.columns.size.get(at);
  expect(sumOf(index, [seq(1), seq(2), seq(3), seq(6), seq(99)])).toEqual({
    ...{ client: 1, agent: 1, stderr: 1, others: 1, from: 0, to: 5 },
    bytes: size(1) + size(2) + size(5),
  });
  expect(sumOf(index, [])).toMatchObject({ client: 0, from: NaN, to: NaN });
});

test('a row stands for all frames of its run, and for no frame between them', () => {
  const { view, rows } = indexed(TRACE);
  const run = rows().findIndex((row) => row.type === 'frame' && row.run);
  expect(view.framesIn(run, run + 1)).toEqual([3, 5]);
  expect(view.framesIn(0, run + 2)).toEqual([1, 2, 3, 4, 5]);
  view.setQuery('session:S2');
  expect(view.framesIn(0, 99)).toEqual([4]);
});

test('a closed replay window stands for its frames, an open one leaves them to their rows', () => {
  const { view, index } = indexed(`
    client →1 session/load {"sessionId":"s1"}
    agent  update s1 agent_message_chunk "a"
    agent  ←1 result {}
  `);
  expect(view.framesIn(0, 1)).toEqual([]);
  view.toggle(`w${index.windowRecords[0]?.id}`);
  expect(view.framesIn(0, 1)).toEqual([1, 2, 3]);
});
