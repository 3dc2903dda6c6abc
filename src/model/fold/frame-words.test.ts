import { expect, test } from 'vitest';
import { append, drawn, fold } from '../../test/traces/fold.ts';
import { frameContent } from './frame-words.ts';

const says = (start: string, line: string) => {
  const before = fold(start);
  const after = append(before, drawn(line, 9));
  return frameContent(before, after, after);
};

test('a chunk says its own text, not the message that it continues', () => {
  const { items, changes } = says(
    'agent update s1 agent_message_chunk m1 "One, "',
    'agent update s1 agent_message_chunk m1 "two"',
  );
  expect(items).toMatchObject([
    { type: 'message', role: 'agent', first: 1, parts: [{ type: 'text', text: 'two' }] },
  ]);
  expect(changes).toMatchObject([{ op: 'append', after: 'two' }]);
});

test('a message that is replaced says all of its text', () => {
  const { items } = says(
    'agent update s1 agent_message {"messageId":"m1","content":[{"type":"text","text":"One"}]}',
    'agent update s1 agent_message {"messageId":"m1","content":[{"type":"text","text":"Another"}]}',
  );
  expect(items).toMatchObject([{ parts: [{ text: 'Another' }] }]);
});

test('an update of a tool call says the whole tool call, with the terminals that it shows', () => {
  const { items, terminals } = says(
    'agent update s1 tool_call_update {"toolCallId":"t1","title":"Run tests","kind":"execute"}',
    'agent update s1 tool_call_update {"toolCallId":"t1","status":"failed"}',
  );
  expect(items).toMatchObject([{ type: 'tool', title: 'Run tests', status: 'failed' }]);
  expect(terminals).toEqual([]);
});

test('a frame that changes nothing says nothing', () => {
  const state = fold('agent update s1 agent_message_chunk m1 "One"');
  expect(frameContent(state, state, state)).toEqual({ items: [], terminals: [], changes: [] });
});
