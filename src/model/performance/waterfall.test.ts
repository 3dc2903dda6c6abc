import { expect, test } from 'vitest';
import { chipBook } from '../facts/chips.ts';
import { draw } from '../../test/traces/draw.ts';
import { connectionId } from '../../trace/event.ts';
import { TraceIndex } from '../trace-index.ts';
import { StatsFold } from './stats.ts';
import { waterfall, type WaterfallAsk } from './waterfall.ts';

function waterfallOf(picture: string, ask: WaterfallAsk = { most: 100 }) {
  const index = new TraceIndex(connectionId('w'), chipBook());
  const fold = new StatsFold();
  for (const event of draw(picture)) {
    index.append(event);
    fold.append(event);
  }
  return waterfall(index, fold.stats().turns, ask);
}

const DAY = `
  client →0 initialize {"protocolVersion":2}
  +20ms
  agent  ←0 result {"protocolVersion":2}
  client →1 session/prompt s1 "Hi"
  agent  ←1 result {}
  agent  update s1 state_update {"state":"running"}
  +30ms
  agent  update s1 agent_message_chunk "ok"
  agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
  +400ms
  client ←0 error -32603 no
  agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}
  client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  +9ms
  stderr reading
`;

test('exchanges and turns are spans in their order, with whom they wait for and what became of them', () => {
  const { spans, from, to, total } = waterfallOf(DAY);
  expect([from, to, total]).toEqual([0, 465, 5]);
  expect(spans.map(({ begin, by, state, from, to }) => [begin, by, state, from, to])).toEqual([
    [1, 'agent', 'done', 0, 20],
    [3, 'agent', 'done', 21, 22],
    [5, 'turn', 'done', 23, 455],
    [7, 'person', 'failed', 54, 454],
    [10, 'restore', 'open', 456, 465],
  ]);
  expect(spans[2]).toMatchObject({ toFirst: 30, session: 'S1', end: 9 });
});

test('of a v1 prompt and its turn there is one span', () => {
  const { spans } = waterfallOf(`
    client →1 session/prompt s1 "Hi"
    agent  update s1 agent_message_chunk "ok"
    agent  ←1 result {"stopReason":"end_turn"}
  `);
  expect(spans).toMatchObject([{ by: 'turn', method: 'session/prompt', toFirst: 1, end: 3 }]);
});

test('of a part of the time the longest are given, and how many there are', () => {
  const { spans, total } = waterfallOf(DAY, { from: 0, to: 100, most: 2 });
  expect(spans.map(({ begin }) => begin)).toEqual([5, 7]);
  expect(total).toBe(4);
});

test('of very many the longest are kept', () => {
  const ping = (id: number) =>
    `client →${id} _ping {}\n+${(id % 50) + 1}ms\nagent ←${id} result {}`;
  const many = Array.from({ length: 3000 }, (_, id) => ping(id)).join('\n');
  const { spans, total } = waterfallOf(many, { most: 60 });
  expect([spans.length, total]).toEqual([60, 3000]);
  expect(spans.every(({ from, to }) => to - from === 50)).toBe(true);
});

test('R-30: what a machine slept makes no span long, and none one of the longest', () => {
  const picture = `
    client →1 session/prompt s1 "Hi"
    +100ms
    agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
    +9000ms
    sleep 9000 9000
    +50ms
    client ←0 result {"outcome":{"outcome":"cancelled"}}
    agent  ←1 result {"stopReason":"end_turn"}
    client →2 session/list {}
    +400ms
    agent  ←2 result {"sessions":[]}
    client →3 session/list {}
    +60000ms
    sleep 60000 60000
    +20ms
    stderr late
  `;
  const spans = (most: number) =>
    waterfallOf(picture, { most }).spans.map(({ begin, took }) => [begin, took]);
  expect(spans(100)).toEqual([
    [1, 151],
    [2, 50],
    [6, 400],
    [8, 20],
  ]);
  expect(spans(2)).toEqual([
    [1, 151],
    [6, 400],
  ]);
});
