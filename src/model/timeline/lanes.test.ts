import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { connectionId } from '../../trace/event.ts';
import { chipBook } from '../facts/chips.ts';
import { eventsAt } from '../indexed-trace.ts';
import { TraceIndex } from '../trace-index.ts';
import { densityOf } from './density.ts';
import { saidBy } from './digest.ts';

test('a prompt lasts until its turn ends, a tool call until its last update, a question until its answer', () => {
  const trace = indexed(`
    client →0 session/prompt s1 "Read a file"
    +100ms
    agent  update s1 tool_call {"toolCallId":"t1","title":"Read","kind":"read","status":"pending"}
    +100ms
    agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
    +300ms
    client ←0 result {"outcome":{"outcome":"cancelled"}}
    +200ms
    agent  update s1 tool_call_update {"toolCallId":"t1","status":"failed"}
    +200ms
    agent  ←0 result {"stopReason":"end_turn"}
    +100ms
    client →1 session/list
  `);
  const { client, agent, ends } = densityOf(trace, 10).lanes;
  expect(client).toEqual([
    { kind: 'prompt', from: 0, to: 9, seq: 1, last: 6, count: 1, words: 'Read a file' },
  ]);
  expect(agent).toEqual([
    { kind: 'tool', from: 1, to: 7, seq: 2, last: 5, count: 1, failed: true, words: 'read' },
    { kind: 'ask', from: 2, to: 5, seq: 3, last: 4, count: 1 },
  ]);
  expect(ends).toEqual([]);
});

test('what is replayed is in no lane but its window', () => {
  const trace = indexed(`
    client →0 session/load s1
    agent  update s1 user_message_chunk "Hello"
    agent  update s1 tool_call {"toolCallId":"t1","status":"completed"}
    agent  ←0 result {}
  `);
  const { windows, lanes } = densityOf(trace, 4);
  expect(windows).toMatchObject([{ seq: 1 }]);
  expect(lanes).toEqual({ client: [], agent: [], ends: [] });
});

test('an open question lasts until the end of the trace, and so does an open prompt', () => {
  const { client, agent } = densityOf(
    indexed(`
      client →0 session/prompt s1 "Hi"
      +100ms
      agent  →0 session/request_permission {"sessionId":"s1","options":[]}
      +900ms
      stderr waiting
    `),
    10,
  ).lanes;
  expect([...client, ...agent]).toMatchObject([
    { kind: 'prompt', from: 0, to: 9 },
    { kind: 'ask', from: 1, to: 9 },
  ]);
});

test('a second start of the agent is a restart, and an end that nobody requested is a crash', () => {
  const ends = (picture: string) => densityOf(indexed(picture), 10).lanes.ends;
  expect(
    ends(`
      start my-agent
      client →0 session/list
      exit 0
      start my-agent
      client →0 session/list
      +996ms
      exit SIGSEGV
    `),
  ).toEqual([
    { kind: 'exit', bucket: 0, seq: 3 },
    { kind: 'start', bucket: 0, seq: 4 },
    { kind: 'crash', bucket: 9, seq: 6 },
  ]);
  expect(ends('start my-agent\nclient →0 session/list\nexit 1 after SIGTERM')).toMatchObject([
    { kind: 'exit' },
  ]);
});

test('each prompt, tool call and question is in one block, and blocks of a kind share no first bucket', () => {
  const pause = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 4000, max: 20_000 }));
  const call = fc.record({ pause, took: pause, asks: fc.boolean() });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 30 }), fc.integer({ min: 1, max: 200 }), (calls, n) => {
      const picture = calls.map(({ pause, took, asks }, i) =>
        [
          `+${pause}ms`,
          `client →${i} session/prompt s1 "Prompt ${i}"`,
          `agent update s1 tool_call {"toolCallId":"t${i}","status":"in_progress"}`,
          ...(asks
            ? [
                `agent →${i} session/request_permission {"sessionId":"s1","options":[]}`,
                `client ←${i} result {"outcome":{"outcome":"cancelled"}}`,
              ]
            : []),
          `+${took}ms`,
          `agent update s1 tool_call_update {"toolCallId":"t${i}","status":"completed"}`,
          `agent ←${i} result {"stopReason":"end_turn"}`,
        ].join('\n'),
      );
      const { client, agent } = densityOf(indexed(picture.join('\n')), n).lanes;
      for (const kind of ['prompt', 'tool', 'ask'] as const) {
        const blocks = [...client, ...agent].filter((block) => block.kind === kind);
        const wanted = kind === 'ask' ? calls.filter(({ asks }) => asks) : calls;
        expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(wanted.length);
        const firsts = blocks.map(({ from }) => from);
        expect(firsts).toEqual([...new Set(firsts)].sort((a, b) => a - b));
        for (const { from, to, seq, last } of blocks) {
          expect(from).toBeLessThanOrEqual(to);
          expect(to).toBeLessThan(n);
          expect(seq).toBeLessThanOrEqual(last);
        }
      }
    }),
  );
});

test('a trace that grows has the lanes of the whole trace', () => {
  const LINES = [
    'start my-agent',
    'client →0 session/prompt s1 "Read"',
    'agent update s1 tool_call {"toolCallId":"t1","status":"pending"}',
    'agent →0 session/request_permission {"sessionId":"s1","options":[]}',
    'client ←0 result {"outcome":{"outcome":"cancelled"}}',
    '+100ms',
    'agent update s1 tool_call_update {"toolCallId":"t1","status":"failed"}',
    'agent ←0 result {"stopReason":"end_turn"}',
    'client →1 session/prompt s1 "Again"',
    'exit SIGSEGV',
  ];
  const events = draw(LINES.join('\n'));
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: events.length }), (isAsked) => {
      const eventAt = eventsAt(events);
      const index = new TraceIndex(connectionId('c1'), chipBook());
      for (const [place, event] of events.entries()) {
        index.append(event, saidBy(event));
        if (isAsked[place]) densityOf({ index, eventAt }, 7);
      }
      expect(densityOf({ index, eventAt }, 7).lanes).toEqual(densityOf(indexed(events), 7).lanes);
    }),
  );
});
