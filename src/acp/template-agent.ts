// The params an agent sends, ready to edit: for the person who plays the agent.
import type { JsonObject } from './message.ts';
import { COMMON_BODIES, body } from './template-body.ts';
import type { Bodies, Body, Fill } from './template-body.ts';
import type { Version } from './methods.ts';

function update(sessionUpdate: string, fields: (fill: Fill) => JsonObject, only?: Version): Body {
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

const UPDATES: readonly Body[] = [
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
