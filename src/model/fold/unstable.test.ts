// What only the unstable schemas have, and `_meta`: omitted leaves, null clears, a value replaces.
import { expect, test } from 'vitest';
import { append, drawn, fold, itemsOf, story } from '../../test/traces/fold.ts';
import { patchOf } from './patch.ts';
import { sessionFacts } from './session-facts.ts';
import type { SessionState } from './state.ts';

const facts = (state: SessionState) =>
  Object.fromEntries(sessionFacts(state).map(({ path, value }) => [path, value]));

test.each([1, 2])('v%i: a message between sessions is told by id, its chunks append', (version) => {
  const state = fold(
    `
    agent update s1 session_message {"messageId":"p","recipientSessionId":"child","content":[{"type":"text","text":"go"}]}
    agent update s1 agent_message_chunk {"messageId":"a","content":{"type":"text","text":"x"}}
    agent update s1 session_message_chunk {"messageId":"p","content":{"type":"text","text":" on"}}
    agent update s1 session_message {"messageId":"p","recipientMessageId":"r"}
  `,
    version,
  );
  expect(story(state)).toEqual(['peer: go on', 'agent: x']);
  expect(itemsOf(state)[0]).toMatchObject({ recipient: 'child', first: 1, last: 4 });
  const cleared = append(
    state,
    drawn(
      'agent update s1 session_message {"messageId":"p","recipientSessionId":null,"content":null}',
      5,
    ),
  );
  expect(story(cleared)[0]).toBe('peer: ');
  expect(itemsOf(cleared)[0]).not.toHaveProperty('recipient');
  expect(patchOf(state, cleared).map(({ op, path }) => `${op} ${path}`)).toEqual([
    'remove peer[p].content[0]',
    'remove peer[p].recipientSessionId',
  ]);
});

test.each([1, 2])('v%i: a subagent keeps what is omitted, and loses what is null', (version) => {
  const state = fold(
    `
    agent update s1 subagent_update {"sessionId":"kid","title":"Tests","description":"runs them","capabilities":{"cancel":{}},"state":{"state":"running"},"cwd":"/w","additionalDirectories":["/a"]}
    agent update s1 subagent_update {"sessionId":"kid","state":{"state":"idle","stopReason":"end_turn"},"title":7}
  `,
    version,
  );
  expect(facts(state)['subagent[kid]']).toBe(
    'idle · end_turn · Tests · runs them · allows cancel · /w · directories: /a',
  );
  const cleared = append(
    state,
    drawn(
      'agent update s1 subagent_update {"sessionId":"kid","title":null,"description":null,"capabilities":null,"state":null,"cwd":null,"additionalDirectories":null}',
      3,
    ),
  );
  expect(facts(cleared)['subagent[kid]']).toBe('activity not confirmed');
  expect(patchOf(state, cleared)).toMatchObject([{ op: 'replace', path: 'subagent[kid]' }]);
});

test('a subagent without a title is named by the end of an id that begins with its parent’s', () => {
  const id = '01a217df-9a64-76e0-b778-f215e8edcb5a:subagent:01a217df-9f00-73a3-b6ca-3e4244a69575';
  const state = fold(`agent update s1 subagent_update {"sessionId":"${id}"}`);
  expect(sessionFacts(state).map(({ name }) => name)).toContain('subagent …3e4244a69575');
});

const HOLDERS = [
  ['tool_call_update', 'toolCallId', 'tool[x]'],
  ['agent_message', 'messageId', 'agent[x]'],
  ['user_message', 'messageId', 'user[x]'],
  ['agent_thought', 'messageId', 'thought[x]'],
  ['session_message', 'messageId', 'peer[x]'],
  ['terminal_update', 'terminalId', 'terminal[x]'],
  ['compaction_update', 'compactionId', 'note'],
] as const;

test.each(HOLDERS)('v2: _meta of %s is patched by its top-level keys', (variant, id, name) => {
  const say = (meta: string, at: number) =>
    drawn(`agent update s1 ${variant} {"${id}":"x","_meta":${meta}}`, at);
  const first = append(fold('', 2), say('{"a":{"deep":1},"b":"2"}', 1));
  const unsaid = append(first, drawn(`agent update s1 ${variant} {"${id}":"x"}`, 2));
  expect(patchOf(first, unsaid)).toEqual([]);
  const patched = append(unsaid, say('{"a":null,"c":{}}', 3));
  const changes = (from: SessionState, to: SessionState) =>
    patchOf(from, to).map(({ op, path }) => `${op} ${path}`);
  expect(changes(unsaid, patched).sort()).toEqual([
    `add ${name}._meta.c`,
    `remove ${name}._meta.a`,
  ]);
  expect(changes(patched, append(patched, say('null', 4))).sort()).toEqual([
    `remove ${name}._meta.b`,
    `remove ${name}._meta.c`,
  ]);
});

test('v2: _meta of the session is patched by session_info_update', () => {
  const first = fold('agent update s1 session_info_update {"_meta":{"a":1,"b":2}}', 2);
  const next = append(first, drawn('agent update s1 session_info_update {"_meta":{"a":null}}', 2));
  expect(facts(next)).toMatchObject({ '_meta.b': '2' });
  expect(facts(next)).not.toHaveProperty('_meta.a');
});

test('v1: _meta of a session message is replaced whole', () => {
  const first = fold('agent update s1 session_message {"messageId":"p","_meta":{"a":1}}', 1);
  const next = append(
    first,
    drawn('agent update s1 session_message {"messageId":"p","_meta":{"b":1}}', 2),
  );
  expect(
    patchOf(first, next)
      .map(({ op, path }) => `${op} ${path}`)
      .sort(),
  ).toEqual(['add peer[p]._meta.b', 'remove peer[p]._meta.a']);
});

test('v2: capabilities of a tool call and a terminal are replaced whole', () => {
  const state = fold(
    'agent update s1 tool_call_update {"toolCallId":"t","capabilities":{"cancel":{}}}',
    2,
  );
  const gone = append(
    state,
    drawn('agent update s1 tool_call_update {"toolCallId":"t","capabilities":null}', 2),
  );
  expect(patchOf(state, gone)).toMatchObject([{ op: 'remove', path: 'tool[t].capabilities' }]);
  const terminal = fold(
    'agent update s1 terminal_update {"terminalId":"t","capabilities":{"cancel":{}}}',
    2,
  );
  expect(patchOf(fold('', 2), terminal)).toContainEqual({
    op: 'add',
    path: 'terminal[t].capabilities',
    after: '{"cancel":{}}',
  });
});
