import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { CandidateFold } from './cursor-candidates.ts';
import { messageOf } from '../timeline/digest.ts';

function candidates(picture: string) {
  const { index, events } = indexed(picture);
  const fold = new CandidateFold('s1');
  for (const event of events) if (event.type === 'frame') fold.append(event, messageOf(event));
  const sent = index.windows().flatMap(({ pin, sessionId }) => (sessionId === 's1' && pin) || []);
  return fold.list('S1', new Map(sent.map(({ value, letter }) => [value, letter])));
}

test('every id is a candidate once, the latest first, with the frame it first stood in', () => {
  const found = candidates(`
    agent update s1 agent_message_chunk m1 "Hello" " there"
    agent update s1 tool_call {"toolCallId":"t1","title":"rea"}
    agent update s1 tool_call_update {"toolCallId":"t1","title":"read config.json"}
    agent update s2 agent_message_chunk m9 "Elsewhere"
  `);
  expect(found).toEqual([
    {
      field: 'toolCallId',
      value: 't1',
      seq: 3,
      of: 'tool_call',
      names: 'read config.json',
      session: 'S1',
    },
    {
      field: 'messageId',
      value: 'm1',
      seq: 1,
      of: 'agent_message_chunk',
      names: '“Hello there”',
      session: 'S1',
    },
  ]);
});

test('terminals, plans and compactions have ids too', () => {
  const found = candidates(`
    agent update s1 terminal_update {"terminalId":"x","command":"npm test"}
    agent update s1 plan_update {"plan":{"type":"items","planId":"p","entries":[]}}
    agent update s1 compaction_update {"compactionId":"c","status":"completed"}
  `);
  expect(found.map(({ field, value, names }) => [field, value, names])).toEqual([
    ['compactionId', 'c', ''],
    ['planId', 'p', ''],
    ['terminalId', 'x', 'npm test'],
  ]);
});

test('scalars of _meta are candidates by their path, also from answers', () => {
  const found = candidates(`
    client →7 session/prompt s1 "Go"
    agent  update s1 agent_message_chunk m1 "Hi" {"_meta":{"_scope":{"seq":31,"big":[1]}}}
    agent  ←7 result {"messageId":"u1","_meta":{"at":"x"}}
  `);
  expect(found.map(({ field, value, of, names }) => [field, value, of, names])).toEqual([
    ['_meta.at', 'x', 'session/prompt', '“Go”'],
    ['messageId', 'u1', 'session/prompt', '“Go”'],
    ['_meta._scope.seq', 31, 'agent_message_chunk', '“Hi”'],
    ['messageId', 'm1', 'agent_message_chunk', '“Hi”'],
    ['id', 7, 'session/prompt', '“Go”'],
  ]);
});

test('what _meta counts, and what it says of a kind, is none', () => {
  const meta = { quota: { token_count: { total: 462 } }, costUsd: 1, origin: { kind: 'human' } };
  const found = candidates(`
    agent update s1 agent_message_chunk m1 "Hi" {"_meta":${JSON.stringify({ ...meta, at: 4 })}}
  `);
  expect(found.map(({ field }) => field)).toEqual(['_meta.at', 'messageId']);
});

test('what the agent asks about is a candidate too', () => {
  const found = candidates(`
    agent →9 session/request_permission s1 {"toolCall":{"toolCallId":"t9","title":"Delete it"},"options":[]}
  `);
  expect(found).toMatchObject([{ field: 'toolCallId', value: 't9', names: 'Delete it', seq: 1 }]);
});

test('list cursors and session ids are none', () => {
  expect(
    candidates(`
      client →1 session/list {"sessionId":"s1"}
      agent  ←1 result {"sessions":[],"nextCursor":"abc"}
      client →2 session/resume {"sessionId":"s1","cwd":"/w"}
      agent  ←2 result {"sessionId":"s1"}
    `),
  ).toEqual([]);
});

test('a value that was sent as a cursor carries its letter, and a replay does not double its text', () => {
  const found = candidates(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}
    agent  update s1 agent_message_chunk m1 "Hello"
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"_message","messageId":"m1"}}
    agent  update s1 agent_message_chunk m1 "Hello"
    agent  ←1 result {}
  `);
  expect(found).toMatchObject([{ field: 'messageId', value: 'm1', pin: 'A', names: '“Hello”' }]);
});

test('values without end are bounded: the newest are kept', () => {
  const chunk = (i: number) => `agent update s1 agent_message_chunk m1 "x" {"_meta":{"n":${i}}}`;
  const found = candidates(Array.from({ length: 2500 }, (_, i) => chunk(i)).join('\n'));
  expect(found).toHaveLength(2000);
  expect(found[0]).toMatchObject({ value: 2499 });
});

test('of any update the id of its message is offered', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, meta) => {
      const update = {
        sessionUpdate: 'agent_message',
        messageId: 'm',
        content: value,
        _meta: meta,
      };
      const params = { sessionId: 's1', update, _meta: value };
      const found = candidates(`agent session/update ${JSON.stringify(params)}`);
      expect(found).toContainEqual(expect.objectContaining({ field: 'messageId', value: 'm' }));
    }),
  );
});
