import { describe, expect, test } from 'vitest';
import type { Role } from '../methods.ts';
import { said, update, ask, prompt, text, chunk2 } from '../../test/traces/schema-remarks.ts';

describe('v2', () => {
  test.each<[string, Role, object, string[]]>([
    [
      'a chunk without its message',
      'agent',
      update({ sessionUpdate: 'agent_message_chunk', content: text() }),
      ['wrong /params/update: `messageId` is missing; expected a string'],
    ],
    ['a chunk', 'agent', chunk2(text()), []],
    [
      'a content type of a later version',
      'agent',
      chunk2({ type: 'hologram', beam: 1 }),
      [
        'unknown-value /params/update/content/type: `type` is "hologram"; known: "text", "image", "audio", "resource_link" or "resource"',
      ],
    ],
    ['a content type of one’s own', 'agent', chunk2({ type: '_hologram', beam: 1 }), []],
    [
      'an update of v1',
      'agent',
      update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read' }),
      [
        'other-version /params/update/sessionUpdate: `sessionUpdate` is "tool_call", a value of v1; v2 has none such',
      ],
    ],
    [
      'a stop reason that is no word',
      'agent',
      update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 5 }),
      [
        'lenient /params/update/stopReason: `stopReason` is the number 5; expected "end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error", another string or null (the official SDK reads it as left out)',
      ],
    ],
    [
      'a server without its type',
      'client',
      ask('session/new', { cwd: '/a', mcpServers: [{ name: 'a', command: 'b' }] }),
      [
        'wrong /params/mcpServers/0: `type` is missing; expected "http", "acp", "stdio" or another string',
      ],
    ],
    [
      'a cursor as a string',
      'client',
      ask('session/resume', { sessionId: 's', cwd: '/a', replayFrom: 'start' }),
      ['wrong /params/replayFrom: `replayFrom` is the string "start"; expected an object or null'],
    ],
    [
      'an empty prompt',
      'client',
      prompt(),
      ['wrong /params/prompt: `prompt` is empty; expected at least one item'],
    ],
    [
      'both scopes of an elicitation',
      'agent',
      ask('elicitation/create', {
        message: '',
        mode: 'url',
        url: 'https://a',
        elicitationId: 'e',
        sessionId: 's',
        requestId: 1,
      }),
      ['wrong /params: `sessionId` and `requestId` are both there; expected one of them'],
    ],
    [
      'no scope of an elicitation',
      'agent',
      ask('elicitation/create', { message: '', mode: 'url', url: 'https://a', elicitationId: 'e' }),
      ['wrong /params: `sessionId` or `requestId` is missing; expected one of them'],
    ],
    [
      'a client that speaks both versions',
      'client',
      ask('initialize', {
        protocolVersion: 2,
        info: { name: 'a', version: '1' },
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
      [],
    ],
  ])('%s', (_, from, body, expected) => {
    expect(said(2, from, body)).toEqual(expected);
  });
});
