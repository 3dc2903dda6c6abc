// The params that each side sends, ready to edit.
import type { JsonObject, Json } from './message.ts';
import type { Version, MethodCall, Role } from './methods.ts';
import { FROM_START, fromMessage, MALFORMED_CURSOR, UNKNOWN_CURSOR } from './replay-cursors.ts';

// What a template is made of: the params of a method, made from what is known.

export interface Fill {
  readonly version: Version;
  readonly cwd: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly toolCallId: string;
  readonly terminalId: string;
  readonly modeId: string;
  readonly configId: string;
  readonly authMethodId: string;
}

export interface TemplateBody {
  /** Told apart from the other bodies of its method. */
  readonly variant?: string;
  /** Left out in the other version. */
  readonly only?: Version;
  /** Breaks the protocol on purpose. */
  readonly broken?: true;
  params(fill: Fill): JsonObject;
}

/** For everything a side may send. */
type Bodies<From extends Role> = Readonly<Record<MethodCall<From>, readonly TemplateBody[]>>;

/** Stands for the id token of an open request until the text is made. */
export const OPEN_REQUEST = '\u0000open request';

function body(params: (fill: Fill) => JsonObject): readonly TemplateBody[] {
  return [{ params }];
}

const EMPTY = body(() => ({}));
const OF_SESSION = body(({ sessionId }) => ({ sessionId }));

/** Bodies of methods that both sides may send. */
const COMMON_BODIES: Pick<Bodies<'client'>, MethodCall<'client'> & MethodCall<'agent'>> = {
  'notification $/cancel_request': body(() => ({ requestId: OPEN_REQUEST })),
  'request proxy/initialize': body(initialize),
  'request proxy/successor': body(() => ({ method: 'session/list', params: {} })),
  'notification proxy/successor': body(({ sessionId }) => ({
    method: 'session/cancel',
    params: { sessionId },
  })),
};

function initialize({ version }: Fill): JsonObject {
  const us = { name: 'acp-scope', version: '1' };
  return version === 1
    ? { protocolVersion: 1, clientCapabilities: {}, clientInfo: us }
    : { protocolVersion: 2, info: us, capabilities: {} };
}

function update(
  sessionUpdate: string,
  fields: (fill: Fill) => JsonObject,
  only?: Version,
): TemplateBody {
  return {
    variant: sessionUpdate,
    ...(only === undefined ? {} : { only }),
    params: (fill) => ({
      sessionId: fill.sessionId,
      update: { sessionUpdate, ...fields(fill) },
    }),
  };
}

const TEXT = { type: 'text', text: 'Hello' };
const chunk = ({ messageId }: Fill) => ({ messageId, content: TEXT });
const ENTRY = { content: 'Read the code', priority: 'medium', status: 'in_progress' };

const UPDATES: readonly TemplateBody[] = [
  update('user_message_chunk', chunk),
  update('agent_message_chunk', chunk),
  update('agent_thought_chunk', chunk),
  update('user_message', ({ messageId }) => ({ messageId, content: [TEXT] }), 2),
  update('agent_message', ({ messageId }) => ({ messageId, content: [TEXT] }), 2),
  update('state_update', () => ({ state: 'running' }), 2),
  {
    ...update('state_update', () => ({ state: 'idle', stopReason: 'end_turn' }), 2),
    variant: 'state_update, idle',
  },
  update(
    'tool_call',
    ({ toolCallId }) => ({ toolCallId, title: 'Read a file', kind: 'read', status: 'pending' }),
    1,
  ),
  update('tool_call_update', ({ toolCallId }) => ({
    toolCallId,
    status: 'completed',
    content: [{ type: 'content', content: TEXT }],
  })),
  update('plan', () => ({ entries: [ENTRY] }), 1),
  update(
    'plan_update',
    () => ({ plan: { type: 'items', planId: 'PLAN_ID', entries: [ENTRY] } }),
    2,
  ),
  update('available_commands_update', ({ version }) => ({
    availableCommands: [
      { ...(version === 2 ? { type: 'command' } : {}), name: 'test', description: 'Run the tests' },
    ],
  })),
  update('current_mode_update', ({ modeId }) => ({ currentModeId: modeId }), 1),
  update('session_info_update', () => ({ title: 'A title' })),
  update('usage_update', () => ({ used: 12000, size: 200000 })),
  update('notice', () => ({ severity: 'warning', title: 'The quota is nearly used up' })),
];

const OPTIONS = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

function terminal({ sessionId, terminalId }: Fill): JsonObject {
  return { sessionId, terminalId };
}
const file = (cwd: string) => `${cwd}${cwd.includes('\\') ? '\\' : '/'}README.md`;

export const AGENT_BODIES: Bodies<'agent'> = {
  ...COMMON_BODIES,
  'notification session/update': UPDATES,
  'request session/request_permission': [
    {
      only: 1,
      params: ({ sessionId, toolCallId }) => ({
        sessionId,
        toolCall: { toolCallId, title: 'Run the tests', kind: 'execute' },
        options: OPTIONS,
      }),
    },
    {
      only: 2,
      variant: 'tool call',
      params: ({ sessionId, toolCallId }) => ({
        sessionId,
        title: 'Run the tests',
        subject: { type: 'tool_call', toolCall: { toolCallId, title: 'Run the tests' } },
        options: OPTIONS,
      }),
    },
    {
      only: 2,
      variant: 'command',
      params: ({ sessionId, cwd }) => ({
        sessionId,
        title: 'Run the tests',
        subject: { type: 'command', command: 'npm test', cwd },
        options: OPTIONS,
      }),
    },
  ],
  'request elicitation/create': [
    {
      variant: 'form',
      params: ({ sessionId }) => ({
        sessionId,
        message: 'Which branch?',
        mode: 'form',
        requestedSchema: {
          type: 'object',
          properties: { branch: { type: 'string', title: 'Branch' } },
          required: ['branch'],
        },
      }),
    },
    {
      variant: 'url',
      params: ({ sessionId }) => ({
        sessionId,
        message: 'Sign in to go on',
        mode: 'url',
        elicitationId: 'ELICITATION_ID',
        url: 'https://example.com/sign-in',
      }),
    },
  ],
  'notification elicitation/complete': body(() => ({ elicitationId: 'ELICITATION_ID' })),
  'request fs/read_text_file': body(({ sessionId, cwd }) => ({ sessionId, path: file(cwd) })),
  'request fs/write_text_file': body(({ sessionId, cwd }) => ({
    sessionId,
    path: file(cwd),
    content: 'Hello\n',
  })),
  'request terminal/create': body(({ sessionId, cwd }) => ({
    sessionId,
    command: 'npm',
    args: ['test'],
    cwd,
  })),
  'request terminal/output': body(terminal),
  'request terminal/wait_for_exit': body(terminal),
  'request terminal/kill': body(terminal),
  'request terminal/release': body(terminal),
  'request mcp/message': body(() => ({
    serverId: 'SERVER_ID',
    requestId: 'REQUEST_ID',
    method: 'tools/list',
    params: {},
  })),
  'notification auth/status_update': body(() => ({ state: 'authenticated' })),
};

// The params a client sends, ready to edit.

function restore({ sessionId, cwd }: Fill): JsonObject {
  return { sessionId, cwd, mcpServers: [] };
}

function resume(variant: string, replayFrom: (fill: Fill) => Json): TemplateBody {
  return {
    only: 2,
    variant,
    params: (fill) => ({ ...restore(fill), replayFrom: replayFrom(fill) }),
  };
}

/** `session/resume`, and in v2 the ways to say where history replay begins. */
const RESUMES: readonly TemplateBody[] = [
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
