import { describe, expect, test } from 'vitest';
import { parseMessage } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { checkMessage } from './check.ts';

function check(version: Version, from: Role, value: object, requestMethod?: string) {
  const line = JSON.stringify({ jsonrpc: '2.0', ...value });
  return checkMessage(version, from, parseMessage(line), requestMethod);
}
function request(method: string, params?: object) {
  return { id: 1, method, ...(params === undefined ? {} : { params }) };
}
function update(fields: object) {
  return { method: 'session/update', params: { sessionId: 's', update: fields } };
}

describe('the method', () => {
  test.each<[Version, Role, object, string]>([
    [
      1,
      'client',
      request('session/promt'),
      '`session/promt` is not a method of ACP; did you mean `session/prompt`?',
    ],
    [
      1,
      'client',
      request('hello'),
      "`hello` is not a method of ACP; methods of one's own begin with _",
    ],
    [
      2,
      'client',
      request('session/load'),
      '`session/load` is not a method of v2; v1 has it, v2 has `session/resume` with `replayFrom`',
    ],
    [
      1,
      'client',
      request('tool_call/cancel'),
      '`tool_call/cancel` is not a method of v1; v2 has it',
    ],
    [1, 'client', request('fs/read_text_file'), '`fs/read_text_file` is for the agent to send'],
    [
      1,
      'client',
      { method: 'session/prompt' },
      '`session/prompt` is a request, which needs an id; nobody responds to a notification',
    ],
    [
      2,
      'client',
      request('session/cancel'),
      '`session/cancel` is a notification; the id asks for an answer that is not due',
    ],
  ])('v%i, %s: %j', async (version, from, value, message) => {
    expect(await check(version, from, value)).toEqual([{ pointer: '/method', message }]);
  });
  test("nothing is said about methods of one's own", async () => {
    expect(await check(2, 'client', request('_mine/do', { any: [1] }))).toEqual([]);
  });
  test('a method of the unstable schema is told once', async () => {
    const params = { sessionId: 's', cwd: '/a' };
    expect(await check(1, 'client', request('session/fork', params))).toEqual([
      { pointer: '/method', message: 'only the unstable schema has `session/fork`' },
    ]);
  });
});

describe('the id', () => {
  const line = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"logout","params":{}}`;
  test.each([
    [1, '1.0', 'the id is 1.0; expected a whole number or a string'],
    [1, 'null', 'a null id is discouraged'],
    [2, '"a"', undefined],
  ] as const)('v%i, %s', async (version, id, message) => {
    const warnings = await checkMessage(version, 'client', parseMessage(line(id)));
    const ids = warnings.filter(({ pointer }) => pointer === '/id');
    expect(ids).toEqual(message === undefined ? [] : [{ pointer: '/id', message }]);
  });
});

describe('params', () => {
  const resume = { sessionId: 's', cwd: '/a' };
  const prompt = (...blocks: object[]) =>
    request('session/prompt', { sessionId: 's', prompt: blocks });
  test.each<[string, Version, object, [string, string][]]>([
    [
      'are missing',
      1,
      request('session/prompt'),
      [['', '`params` is missing; expected an object with `sessionId` and `prompt`']],
    ],
    ['may be missing', 2, request('auth/logout'), []],
    [
      'are a list',
      1,
      request('session/prompt', []),
      [['/params', '`params` is an empty list; expected an object']],
    ],
    [
      'have a field misspelt',
      1,
      request('session/new', { cwd: '/a', mcpservers: [] }),
      [['/params/mcpservers', '`mcpservers` is not a field here; expected `mcpServers`']],
    ],
    [
      'have a field of the other version',
      1,
      request('session/resume', { ...resume, replayFrom: { type: 'start' } }),
      [['/params/replayFrom', '`replayFrom` is a field of v2; v1 has none such']],
    ],
    [
      'have a field of the unstable schema',
      2,
      request('session/list', { archived: 'only' }),
      [['/params/archived', 'only the unstable schema has `archived`']],
    ],
    [
      'have null where the SDK takes it for nothing',
      1,
      request('session/resume', { ...resume, mcpServers: null }),
      [
        [
          '/params/mcpServers',
          '`mcpServers` is null; expected a list of objects (the official SDK reads it as left out)',
        ],
      ],
    ],
    [
      'have a relative cwd',
      2,
      request('session/resume', { ...resume, cwd: 'a/b' }),
      [['/params/cwd', '`cwd` is "a/b"; expected an absolute path']],
    ],
    ['have a Windows path', 2, request('session/resume', { ...resume, cwd: 'C:\\a' }), []],
    [
      'have relative directories',
      1,
      request('session/resume', { ...resume, additionalDirectories: ['/a', '.'] }),
      [
        [
          '/params/additionalDirectories/1',
          '`additionalDirectories[1]` is "."; expected an absolute path',
        ],
      ],
    ],
    [
      'have a cursor nobody defined',
      2,
      request('session/resume', { ...resume, replayFrom: { type: 'checkpoint' } }),
      [['/params/replayFrom/type', '`type` is "checkpoint"; known: "start"']],
    ],
    [
      'have a cursor of the agent’s own',
      2,
      request('session/resume', { ...resume, replayFrom: { type: '_message', messageId: 'm' } }),
      [],
    ],
    [
      'have a malformed cursor',
      2,
      request('session/resume', { ...resume, replayFrom: 'start' }),
      [['/params/replayFrom', '`replayFrom` is the string "start"; expected an object or null']],
    ],
    [
      'have a content block without its text: one fault, from the branch its tag chose',
      1,
      prompt({ type: 'text' }),
      [['/params/prompt/0', '`text` is missing; expected a string']],
    ],
    [
      'have an empty prompt in v2',
      2,
      prompt(),
      [['/params/prompt', '`prompt` is empty; expected at least one item']],
    ],
    [
      'have a config value without its type in v2',
      2,
      request('session/set_config_option', { sessionId: 's', configId: 'c', value: 'x' }),
      [['/params', '`type` is missing; expected "id", "boolean" or another string']],
    ],
    [
      'have a server of the unstable schema',
      1,
      request('session/new', { cwd: '/', mcpServers: [{ type: 'acp', name: 'a', serverId: 'b' }] }),
      [['/params/mcpServers/0/type', 'only the unstable schema has "acp" for `type`']],
    ],
  ])('%s', async (_, version, value, expected) => {
    const warnings = await check(version, 'client', value);
    expect(warnings.map(({ pointer, message }) => [pointer, message])).toEqual(expected);
  });
});

describe('what an agent sends', () => {
  test.each<[string, Version, object, [string, string][]]>([
    [
      'a v1 update in v2',
      2,
      update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'a' }),
      [
        [
          '/params/update/sessionUpdate',
          '`sessionUpdate` is "tool_call", a value of v1; v2 has none such',
        ],
      ],
    ],
    [
      'a status nobody defined',
      1,
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'paused' }),
      [
        [
          '/params/update/status',
          '`status` is "paused", a value of v2; v1 has none such (the official SDK reads it as left out)',
        ],
      ],
    ],
    [
      'a stop reason nobody defined: tags inside tags',
      2,
      update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'bored' }),
      [
        [
          '/params/update/stopReason',
          '`stopReason` is "bored"; known: "end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled" or "error"',
        ],
      ],
    ],
    [
      'both scopes of an elicitation',
      2,
      request('elicitation/create', {
        message: '',
        mode: 'url',
        url: 'https://a',
        elicitationId: 'e',
        sessionId: 's',
        requestId: 1,
      }),
      [['/params', '`sessionId` and `requestId` are both there; expected one of them']],
    ],
  ])('%s', async (_, version, value, expected) => {
    const warnings = await check(version, 'agent', value);
    expect(warnings.map(({ pointer, message }) => [pointer, message])).toEqual(expected);
  });
});

describe('answers', () => {
  test('are judged by the request they answer', async () => {
    const answer = { id: 1, result: { outcome: { outcome: 'chosen' } } };
    expect(await check(1, 'client', answer, 'session/request_permission')).toEqual([
      {
        pointer: '/result/outcome/outcome',
        message: '`outcome` is "chosen"; known: "cancelled" or "selected"',
      },
    ]);
    expect(await check(1, 'client', answer)).toEqual([]);
  });
  test('an error may carry a null id', async () => {
    expect(await check(2, 'agent', { id: null, error: { code: -32700, message: '' } })).toEqual([]);
  });
  test('what is no message says why', async () => {
    expect(await check(1, 'client', { id: 1 })).toEqual([
      { pointer: '', message: 'no "method", "result" or "error"' },
    ]);
  });
});
