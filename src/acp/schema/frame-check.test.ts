// What is said of the mistakes people make: one clear remark each, with the place, what is there and
// what is due.
import { describe, expect, test } from 'vitest';
import type { Role, Version } from '../methods.ts';
import {
  remarks,
  said,
  update,
  ask,
  answer,
  prompt,
  text,
  chunk,
  chunk2,
} from '../../test/traces/schema-remarks.ts';

describe('v1: what an agent sends', () => {
  test.each<[string, object, string[]]>([
    ['a chunk', chunk(text()), []],
    [
      'a content that is a string',
      chunk('hi'),
      ['wrong /params/update/content: `content` is the string "hi"; expected an object'],
    ],
    [
      'a content that is a list',
      chunk([text()]),
      ['wrong /params/update/content: `content` is a list; expected an object'],
    ],
    [
      'a content without its type',
      chunk({ text: 'hi' }),
      [
        'wrong /params/update/content: `type` is missing; expected "text", "image", "audio", "resource_link" or "resource"',
      ],
    ],
    [
      'a type misspelt',
      chunk({ type: 'txt', text: 'hi' }),
      [
        'wrong /params/update/content/type: `type` is "txt"; known: "text", "image", "audio", "resource_link" or "resource"',
      ],
    ],
    [
      'an update without its tag',
      update({ content: text() }),
      [
        'wrong /params/update: `sessionUpdate` is missing; expected "user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan", "plan_update", "plan_removed" or one of 13 more',
      ],
    ],
    [
      'an update nobody knows',
      update({ sessionUpdate: 'agent_msg', content: text() }),
      [
        'wrong /params/update/sessionUpdate: `sessionUpdate` is "agent_msg"; known: "user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan", "plan_update", "plan_removed" or one of 13 more',
      ],
    ],
    [
      'an update of v2',
      update({ sessionUpdate: 'state_update', state: 'idle' }),
      [
        'wrong /params/update/sessionUpdate: `sessionUpdate` is "state_update", a value of v2; v1 has none such',
      ],
    ],
    [
      'an update of the unstable schema',
      update({ sessionUpdate: 'plan_removed', id: 'p' }),
      [
        'unstable /params/update/sessionUpdate: only the unstable schema has "plan_removed" for `sessionUpdate`',
        'wrong /params/update: `planId` is missing; expected a string',
        'unknown-field /params/update/id: `id` is not a field here; data of one’s own belongs in `_meta`',
      ],
    ],
    [
      'a tool call without an id',
      update({ sessionUpdate: 'tool_call', title: 'Read' }),
      ['wrong /params/update: `toolCallId` is missing; expected a string'],
    ],
    [
      'a tool call with a status of v2',
      update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read', status: 'cancelled' }),
      [
        'lenient /params/update/status: `status` is "cancelled"; known: "pending", "in_progress", "completed" or "failed" (the official SDK reads it as left out)',
      ],
    ],
    [
      'a plan entry without its priority',
      update({ sessionUpdate: 'plan', entries: [{ content: 'a', status: 'pending' }] }),
      [
        'lenient /params/update/entries/0: `priority` is missing; expected "high", "medium" or "low" (the official SDK reads it as left out)',
      ],
    ],
    [
      'a snake-case field',
      update({ sessionUpdate: 'tool_call', tool_call_id: 't', title: 'Read' }),
      [
        'wrong /params/update/tool_call_id: `tool_call_id` is not a field here; expected `toolCallId`',
      ],
    ],
    [
      'a diff without its new text',
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        content: [{ type: 'diff', path: '/a' }],
      }),
      [
        'lenient /params/update/content/0: `newText` is missing; expected a string (the official SDK reads it as left out)',
      ],
    ],
    [
      'a location with a negative line',
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        locations: [{ path: '/a', line: -1 }],
      }),
      [
        'lenient /params/update/locations/0/line: `line` is -1; expected 0 or more (the official SDK reads it as left out)',
      ],
    ],
    [
      'a permission without options',
      ask('session/request_permission', { sessionId: 's', toolCall: { toolCallId: 't' } }),
      ['wrong /params: `options` is missing; expected a list of objects'],
    ],
    [
      'a _meta that is a string',
      update({ sessionUpdate: 'agent_message_chunk', content: text(), _meta: 'x' }),
      ['meta /params/update/_meta: `_meta` is the string "x"; expected an object or null'],
    ],
    [
      'a trace context that is a number',
      update({
        sessionUpdate: 'agent_message_chunk',
        content: text({ _meta: { traceparent: 1 } }),
      }),
      [
        'meta /params/update/content/_meta/traceparent: `_meta.traceparent` is the number 1; expected a string',
      ],
    ],
    ['anything else in _meta', chunk(text({ _meta: { 'a.b/c': [1] } })), []],
  ])('%s', (_, body, expected) => {
    expect(said(1, 'agent', body)).toEqual(expected);
  });
});

describe('v1: answers', () => {
  test.each<[string, string, Role, unknown, string[]]>([
    ['a stop reason', 'session/prompt', 'agent', { stopReason: 'end_turn' }, []],
    [
      'no stop reason',
      'session/prompt',
      'agent',
      {},
      [
        'wrong /result: `stopReason` is missing; expected "end_turn", "max_tokens", "max_turn_requests", "refusal" or "cancelled"',
      ],
    ],
    [
      'a stop reason nobody defined',
      'session/prompt',
      'agent',
      { stopReason: 'done' },
      [
        'wrong /result/stopReason: `stopReason` is "done"; known: "end_turn", "max_tokens", "max_turn_requests", "refusal" or "cancelled"',
      ],
    ],
    [
      'null for a session',
      'session/new',
      'agent',
      null,
      ['wrong /result: `result` is null; expected an object'],
    ],
    [
      'a version as a string',
      'initialize',
      'agent',
      { protocolVersion: '1' },
      [
        'wrong /result/protocolVersion: `protocolVersion` is the string "1"; expected a whole number',
      ],
    ],
    [
      'a version as a date',
      'initialize',
      'agent',
      { protocolVersion: 20250326 },
      ['wrong /result/protocolVersion: `protocolVersion` is 20250326; expected at most 65535'],
    ],
    [
      'capabilities under the name of v2',
      'initialize',
      'agent',
      { protocolVersion: 1, capabilities: {} },
      ['other-version /result/capabilities: `capabilities` is a field of v2; v1 has none such'],
    ],
    [
      'a capability that is a word',
      'initialize',
      'agent',
      { protocolVersion: 1, agentCapabilities: { loadSession: 'yes' } },
      [
        'lenient /result/agentCapabilities/loadSession: `loadSession` is the string "yes"; expected true or false (the official SDK reads it as left out)',
      ],
    ],
    [
      'an outcome without the option',
      'session/request_permission',
      'client',
      { outcome: { outcome: 'selected' } },
      ['wrong /result/outcome: `optionId` is missing; expected a string'],
    ],
    [
      'an outcome that is a word',
      'session/request_permission',
      'client',
      { outcome: 'selected' },
      ['wrong /result/outcome: `outcome` is the string "selected"; expected an object'],
    ],
    [
      'a list of sessions, one of them broken',
      'session/list',
      'agent',
      { sessions: [{ sessionId: 's', cwd: '/a' }, {}] },
      [
        'lenient /result/sessions/1: `sessionId` and `cwd` are missing; expected both (the official SDK reads it as left out)',
      ],
    ],
  ])('%s', (_, method, from, result, expected) => {
    expect(said(1, from, answer(result), method)).toEqual(expected);
  });
  test('an answer to an unknown request is not judged', () => {
    expect(said(1, 'agent', answer({ stopReason: 5 }))).toEqual([]);
  });
});

describe('v1: a server of the default kind', () => {
  const add = (server: object) => ask('session/new', { cwd: '/a', mcpServers: [server] });
  test.each<[string, object, string[]]>([
    [
      'lacks its arguments',
      add({ name: 'a', command: '/b', env: [] }),
      ['wrong /params/mcpServers/0: `args` is missing; expected a list of strings'],
    ],
    [
      'of a type misspelt',
      add({ type: 'htttp', name: 'a', url: 'u', headers: [] }),
      ['wrong /params/mcpServers/0/type: `type` is "htttp"; did you mean "http"?'],
    ],
    [
      'of type http has the fields of a command',
      add({ type: 'http', name: 'a', command: '/b', args: [], env: [] }),
      [
        'unknown-value /params/mcpServers/0/type: `type` is "http", and the fields fit only without it',
      ],
    ],
    [
      'of type http lacks its URL',
      add({ type: 'http', name: 'a', headers: [] }),
      ['wrong /params/mcpServers/0: `url` is missing; expected a string'],
    ],
  ])('%s', (_, body, expected) => {
    expect(said(1, 'client', body)).toEqual(expected);
  });
});

describe('errors', () => {
  test.each<[string, Version, object, string[]]>([
    ['an error with data of any kind', 1, { code: -32603, message: 'no', data: 5 }, []],
    [
      'a code beyond 32 bits',
      1,
      { code: 2 ** 40, message: 'no' },
      ['wrong /error/code: `code` is 1099511627776; expected at most 2147483647'],
    ],
    [
      'a version refused without saying which are supported',
      2,
      { code: -32022, message: 'no', data: { requested: 3 } },
      [
        'lenient /error/data: `supported` is missing; expected a list of numbers (the official SDK reads `data` as left out)',
      ],
    ],
  ])('%s', (_, version, error, expected) => {
    expect(said(version, 'agent', { id: 1, error })).toEqual(expected);
  });
});

test('a remark says apart what was seen and what was due', () => {
  const load = ask('session/load', { sessionId: 5, cwd: '/a', mcpServers: [] });
  expect(remarks(1, 'client', load)).toEqual([
    {
      kind: 'wrong',
      pointer: '/params/sessionId',
      seen: '`sessionId` is the number 5',
      due: 'a string',
      message: '`sessionId` is the number 5; expected a string',
    },
  ]);
});
test('of a frame with very many faults, 200 are told, and oddities hide none of them', () => {
  const odd = Array.from({ length: 5000 }, () => text({ extra: 1 }));
  const bad = Array.from({ length: 5000 }, () => ({ type: 'text' }));
  const told = remarks(1, 'client', prompt(...odd, ...bad)).map(({ kind }) => kind);
  expect(told.filter((kind) => kind === 'unknown-field')).toHaveLength(100);
  expect(told.filter((kind) => kind === 'wrong')).toHaveLength(100);
});
test('a long name or value of the peer is cut where it is told', () => {
  const long = 'x'.repeat(1 << 20);
  const told = remarks(2, 'agent', chunk2({ type: long, [long]: 1 }));
  expect(told.map(({ message }) => message.length < 200)).toEqual([true]);
  const field = remarks(1, 'agent', chunk(text({ [long]: 1 })));
  expect(field.map(({ message }) => message.length < 200)).toEqual([true]);
  const form = { type: 'object', properties: { [long]: 5 } };
  const fields = { sessionId: 's', message: 'm', mode: 'form', requestedSchema: form };
  const inner = remarks(1, 'agent', ask('elicitation/create', fields));
  expect(inner.map(({ message }) => message.length < 300)).toEqual([true]);
});
