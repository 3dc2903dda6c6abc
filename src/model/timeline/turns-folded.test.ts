import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { seq } from '../../trace/event.ts';
import type { RowView } from './row-view.ts';

const TWO = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/prompt s1 "Read"
  agent  update s1 tool_call {"toolCallId":"a","title":"Read","status":"failed"}
  stderr noise
  agent  →0 session/request_permission s1
  agent  ←1 result {"stopReason":"end_turn"}
  stderr between
  client →2 session/prompt s1 "Run"
  agent  update s1 agent_message_chunk "x"
`;
const keys = (rows: readonly RowView[]) => rows.map(({ key }) => key).join(' ');

test('a turn has a head with its figures, and how it ended', () => {
  const { rows } = indexed(TWO);
  const heads = rows().flatMap((row) => (row.type === 'turn' ? [row.turn] : []));
  expect(heads).toMatchObject([
    { number: 1, prompt: '“Read”', frames: 4, tools: 1, failed: 1, asks: 1, end: 'end_turn' },
    { number: 2, prompt: '“Run”', frames: 2, left: 'running' },
  ]);
});

test('a closed turn hides its frames and the stderr between them; one that is jumped to opens it', () => {
  const { view, rows } = indexed(TWO);
  view.toggle('t1');
  expect(keys(rows())).toBe('f1 f2 t1 f8 t2 f9 f10');
  expect(view.state().tall).toEqual([2, 4]);
  expect(view.locate(seq(5), false).row).toBe(2);
  expect(view.locate(seq(5)).row).toBe(5);
  view.foldAll(true);
  expect(keys(rows())).toBe('f1 f2 t1 f8 t2');
  expect(view.state().isFolded).toBe(true);
});

test('a closed turn says how many of its frames the query matches', async () => {
  const { view, rows } = indexed(TWO);
  view.foldAll(true);
  await view.setQuery('update:tool_call');
  expect(rows()).toMatchObject([{ key: 't1', matches: 1, turn: { frames: 4 } }]);
  view.light(true);
  const found = rows().flatMap((row) => (row.type === 'turn' ? [row.matches] : []));
  expect(found).toEqual([1, 0]);
});

test('a row knows the head that is above it on a long way', () => {
  const { view } = indexed(TWO);
  expect(view.heads.over(5, 6)).toMatchObject([{ row: { key: 't1' }, from: 2, to: 7 }]);
});

test.each([
  ['exit 1', 'Agent crashed (exit code 1), 1 turn open'],
  ['exit 137', 'Agent was killed (137 = SIGKILL), 1 turn open'],
])('an unexpected end is named with what it left open: %s', (exit, words) => {
  expect(indexed(`${TWO}\n${exit}`).frame(11)).toMatchObject({ crash: true, summary: words });
});

test('the ruler has a mark where the agent crashed, and none where it ended in order', () => {
  const crashed = indexed(`${TWO}\nexit SIGSEGV`);
  const last = crashed.view.state().rows - 1;
  expect(crashed.view.findingRows(10)).toEqual([{ row: last, worst: 'crash' }]);
  crashed.view.setQuery('method:session/prompt');
  expect(crashed.view.findingRows(10)).toEqual([]);
  expect(indexed(`${TWO}\nexit 0`).view.findingRows(10)).toEqual([]);
});

test('an end in order is no crash', () => {
  expect(indexed(`${TWO}\nexit 0`).frame(11).crash).toBeUndefined();
});

test('a turn of v2 that its response ended is not open when the agent crashes', () => {
  const { rows, frame } = indexed(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    client →1 session/prompt s1 "Read"
    agent  ←1 result {"stopReason":"end_turn"}
    exit 1
  `);
  const heads = rows().flatMap((row) => (row.type === 'turn' ? [row.turn] : []));
  expect(heads).toMatchObject([{ number: 1, end: 'end_turn' }]);
  expect(frame(5)).toMatchObject({ crash: true, summary: 'Agent crashed (exit code 1)' });
});

test('rows have their bar over time: an exchange, a run, a turn and a replay window last', () => {
  const { rows } = indexed(`
    client →0 session/load s1
    +100ms
    agent  update s1 user_message_chunk "Hello"
    +100ms
    agent  ←0 result {}
    +100ms
    client →1 session/prompt s1 "Hi"
    +100ms
    agent  update s1 agent_message_chunk "a" "b" "c"
    +100ms
    agent  ←1 result {"stopReason":"end_turn"}
    client →2 session/list
    +100ms
    stderr last
  `);
  const bars = rows().map(({ key, bar }) => [key, bar?.from, bar?.to]);
  expect(bars).toEqual([
    ['w0', 0, 200],
    ['f1', 0, 200],
    ['f2', 100, 100],
    ['f3', 200, 200],
    ['t1', 300, 502],
    ['f4', 300, 502],
    ['f5', 400, 402],
    ['f8', 502, 502],
    ['f9', 503, 603],
    ['f10', 603, 603],
  ]);
});
