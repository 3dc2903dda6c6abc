// The params a client sends, ready to edit.
import type { Json, JsonObject } from './message.ts';
import { FROM_START, fromMessage, MALFORMED_CURSOR, UNKNOWN_CURSOR } from './replay-cursors.ts';
import { COMMON_BODIES, EMPTY, OF_SESSION, body, initialize } from './template-body.ts';
import type { Bodies, Body, Fill } from './template-body.ts';

function restore({ sessionId, cwd }: Fill): JsonObject {
  return { sessionId, cwd, mcpServers: [] };
}

function resume(variant: string, replayFrom: (fill: Fill) => Json): Body {
  return {
    only: 2,
    variant,
    params: (fill) => ({ ...restore(fill), replayFrom: replayFrom(fill) }),
  };
}

/** `session/resume`, and in v2 the ways to say where history replay begins. */
const RESUMES: readonly Body[] = [
  { variant: 'no replay', params: restore },
  resume('null cursor', () => null),
  resume('from start', () => FROM_START),
  resume('custom cursor', ({ messageId }) => fromMessage(messageId)),
  { ...resume('unknown cursor', () => UNKNOWN_CURSOR), broken: true },
  { ...resume('malformed cursor', () => MALFORMED_CURSOR), broken: true },
];

function prompt({ sessionId }: Fill, ...blocks: JsonObject[]): JsonObject {
  return { sessionId, prompt: blocks };
}
const HELLO = { type: 'text', text: 'Hello' };
/** One transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==';

export const CLIENT_BODIES: Bodies<'client'> = {
  ...COMMON_BODIES,
  'request initialize': body(initialize),
  'request authenticate': body(({ authMethodId }) => ({ methodId: authMethodId })),
  'request auth/login': body(({ authMethodId }) => ({ methodId: authMethodId })),
  'request logout': EMPTY,
  'request auth/logout': EMPTY,
  'request auth/status': EMPTY,
  'request providers/list': EMPTY,
  'request providers/set': body(() => ({
    providerId: 'PROVIDER_ID',
    apiType: 'anthropic',
    baseUrl: 'https://example.com',
  })),
  'request providers/disable': body(() => ({ providerId: 'PROVIDER_ID' })),
  'request session/new': body(({ cwd }) => ({ cwd, mcpServers: [] })),
  'request session/load': body(restore),
  'request session/resume': RESUMES,
  'request session/list': [
    { params: () => ({}) },
    { variant: 'of a directory', params: ({ cwd }) => ({ cwd }) },
    { variant: 'next page', params: () => ({ cursor: 'NEXT_CURSOR' }) },
  ],
  'request session/close': OF_SESSION,
  'request session/delete': OF_SESSION,
  'request session/fork': body(restore),
  'request session/archive': OF_SESSION,
  'request session/unarchive': OF_SESSION,
  'request session/status': OF_SESSION,
  'request session/set_title': body(({ sessionId }) => ({ sessionId, title: 'A title' })),
  'request session/set_mode': body(({ sessionId, modeId }) => ({ sessionId, modeId })),
  'request session/set_config_option': [
    {
      variant: 'value',
      params: ({ version, sessionId, configId }) => ({
        sessionId,
        configId,
        ...(version === 2 ? { type: 'id' } : {}),
        value: 'VALUE',
      }),
    },
    {
      variant: 'switch',
      params: ({ sessionId, configId }) => ({ sessionId, configId, type: 'boolean', value: true }),
    },
  ],
  'request session/prompt': [
    { params: (fill) => prompt(fill, HELLO) },
    {
      variant: 'with a file link',
      params: (fill) =>
        prompt(fill, HELLO, { type: 'resource_link', name: 'README.md', uri: fileUri(fill.cwd) }),
    },
    {
      variant: 'with an image',
      params: (fill) => prompt(fill, HELLO, { type: 'image', mimeType: 'image/png', data: PIXEL }),
    },
  ],
  'notification session/cancel': OF_SESSION,
  'request tool_call/cancel': body(({ sessionId, toolCallId }) => ({ sessionId, toolCallId })),
  'request terminal/cancel': body(({ sessionId, terminalId }) => ({ sessionId, terminalId })),
  'notification mcp/message': body(() => ({
    serverId: 'SERVER_ID',
    requestId: 'REQUEST_ID',
    method: 'notifications/progress',
    params: { progressToken: 1, progress: 50, total: 100 },
  })),
};

/** README.md of a folder as a URL; a Windows path gets its slashes turned. */
function fileUri(folder: string): string {
  const path = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/README.md`;
  return `file://${path.startsWith('/') ? '' : '/'}${encodeURI(path)}`;
}
