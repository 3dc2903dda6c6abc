// The agent in protocol version 2: each method of the wire, in a few words each.
import {
  agent,
  assertSupportedMcpServers,
  McpServer as isMcpServer,
  RequestError,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type * as acp from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { carriedCursor } from '../cursors.ts';
import { childUpdate, replayed, activityState } from '../children.ts';
import type { PromptBlock, History, AgentItem } from '../history.ts';
import { invalid, type Given, type AgentHost } from '../host.ts';
import { pairs } from '../mcp.ts';
import type { McpServer } from '../misbehaviours.ts';
import { SLASH_COMMANDS } from '../script/words.ts';
import type { AgentSession } from '../session.ts';
import { optionsV2 } from '../settings.ts';
import { SIGN_IN, TERMINAL_SIGN_IN } from '../sign-in.ts';
import { itemsFrom, readCursor, type Cursor } from './cursor.ts';
import { replayUpdates, liveUpdates, toolBody } from './render.ts';
import {
  elicitation,
  formAnswer,
  innermost,
  PERMISSION_OPTIONS,
  permissionOf,
  untilAborted,
  type Port,
  type Subject,
} from '../port.ts';

const MCP: acp.McpCapabilities = { stdio: {}, http: {} };

export function appV2(host: AgentHost): AgentApp {
  return agent({ name: 'acp-scope-agent' })
    .onRequest('initialize', ({ params, client: context }) => {
      const client = params.capabilities ?? {};
      host.meet(portV2(context, client, carriedCursor(params._meta) === true));
      return initialized(host, client);
    })
    .onRequest('auth/login', ({ params }) => {
      host.login('auth/login', params.methodId);
    })
    .onRequest('auth/logout', () => {
      host.logout('auth/logout');
    })
    .onRequest('session/new', ({ params }) => fresh(host.create(givenBy(params))))
    .onRequest('session/fork', ({ params }) =>
      fresh(host.fork(params.sessionId, givenBy(params), carriedCursor(params._meta))),
    )
    .onRequest('session/resume', async ({ params, client: context }) => {
      const cursor = cursorOf(host, params.replayFrom);
      const session = host.restore(params.sessionId, givenBy(params), ({ items }) => {
        if (!itemsFrom(cursor, [...items.values()], false) && !host.hooks.anyCursor)
          throw invalid('replayFrom.messageId names no message of this session', {
            replayFrom: params.replayFrom,
          });
      });
      return session.tell(async () => {
        await replay(host, session, cursor, context);
        await session.tellCursors();
        return told(session);
      });
    })
    .onRequest('session/list', ({ params }) => host.list(params))
    .onRequest('session/set_config_option', async ({ params }) => {
      const session = await host.set(params.sessionId, params.configId, params.value);
      return { configOptions: optionsV2(session.history.settings) };
    })
    .onRequest('session/prompt', async ({ params }) => {
      const prompted = host.prompt(params.sessionId, params.prompt as unknown as PromptBlock[]);
      const messageId = await prompted.inserted;
      if (messageId === undefined)
        throw RequestError.requestCancelled(undefined, 'the prompt was cancelled while it waited');
      return { messageId };
    })
    .onRequest('tool_call/cancel', ({ params }) => {
      host.stop(params.sessionId, params.toolCallId);
    })
    .onRequest('terminal/cancel', ({ params }) => {
      host.stop(params.sessionId, params.terminalId);
    })
    .onRequest('session/close', async ({ params }) => {
      await host.close(params.sessionId);
    })
    .onRequest('session/delete', async ({ params }) => {
      await host.delete(params.sessionId);
    })
    .onNotification('session/cancel', ({ params }) => {
      host.cancel(params.sessionId);
    });
}

function initialized(host: AgentHost, client: acp.ClientCapabilities): acp.InitializeResponse {
  const { id: methodId, ...signIn } = SIGN_IN;
  const { id: terminalId, ...terminal } = TERMINAL_SIGN_IN;
  const methods: acp.AuthMethod[] = [{ type: 'agent', methodId, ...signIn }];
  if (client.auth?.terminal) methods.push({ type: 'terminal', methodId: terminalId, ...terminal });
  return {
    protocolVersion: 2,
    info: host.info,
    capabilities: {
      session: {
        prompt: { image: {}, embeddedContext: {} },
        mcp: MCP,
        delete: {},
        additionalDirectories: {},
        fork: host.forks,
      },
    },
    authMethods: host.requireSignIn ? methods : [],
  };
}

function fresh(session: AgentSession) {
  return { sessionId: session.id, ...told(session) };
}

function told(session: AgentSession) {
  return {
    configOptions: optionsV2(session.history.settings),
    availableCommands: SLASH_COMMANDS.map(({ hint, ...command }) => ({
      type: 'command' as const,
      ...command,
      ...(hint === undefined ? {} : { input: { type: 'text' as const, hint } }),
    })),
  };
}

/** The cursor to follow, as far as it can be known without the session. */
function cursorOf({ hooks, replays }: AgentHost, replayFrom: unknown): Cursor {
  const cursor = readCursor(replayFrom);
  if (!replays && !('problem' in cursor) && cursor.from === 'message')
    throw invalid('this agent replays nothing, so it has no place to replay from', { replayFrom });
  if (!('problem' in cursor))
    return cursor.from === 'nowhere' && hooks.replayUnasked ? { from: 'start' } : cursor;
  if (hooks.anyCursor) return { from: 'start' };
  throw invalid(cursor.problem, { replayFrom });
}

/** All at once, so that nothing of a running turn comes in between. */
async function replay(
  { hooks, replays, marks }: AgentHost,
  session: AgentSession,
  cursor: Cursor,
  context: AgentContext,
): Promise<void> {
  const { id, history, activity } = session;
  const all = [...history.items.values()];
  const items = replays ? (itemsFrom(cursor, all, hooks.afterCursor ?? false) ?? all) : [];
  const of = (item: AgentItem, _: History, here: string) =>
    replayUpdates(item, here).flatMap((update) => hooks.replayedV2?.(update) ?? [update]);
  const after = marks && hooks.marks !== 'root' ? [COMPLETE] : [];
  const words = { of, child: childUpdate, after };
  const told = replayed<acp.SessionUpdate>(id, history, hooks.replayed?.(items) ?? items, words);
  if (cursor.from !== 'nowhere' && marks) {
    if (hooks.marks === 'early') told.unshift({ id, update: COMPLETE });
    else told.push({ id, update: COMPLETE });
  }
  if (cursor.from !== 'nowhere' && replays) {
    if (history.title !== undefined)
      told.push({ id, update: { sessionUpdate: 'session_info_update', title: history.title } });
    if (history.usage)
      told.push({ id, update: { sessionUpdate: 'usage_update', ...history.usage } });
  }
  if (!hooks.noSnapshot)
    told.push({ id, update: { sessionUpdate: 'state_update', ...activityState(activity) } });
  await Promise.all(told.map((one) => notify(context, one, one.update)));
}

/** An RFD yet: no fields are settled, and the types of the SDK do not have it. */
const COMPLETE = { sessionUpdate: 'replay_complete' } as unknown as acp.SessionUpdate;

function givenBy(params: {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly acp.McpServer[];
}): Given {
  assertSupportedMcpServers(params.mcpServers, MCP);
  return {
    cwd: params.cwd,
    directories: params.additionalDirectories ?? [],
    mcpServers: (params.mcpServers ?? []).map(mcpServer),
  };
}

function mcpServer(server: acp.McpServer): McpServer {
  if (isMcpServer.isStdio(server)) {
    const { command, args = [], env } = server;
    return { type: 'stdio', name: server.name, command, args, env: pairs(env) };
  }
  if (isMcpServer.isHttp(server))
    return { type: 'http', name: server.name, url: server.url, headers: pairs(server.headers) };
  throw invalid('an MCP server is given by stdio or http');
}

function portV2(client: AgentContext, capabilities: ClientCapabilities, cursors: boolean): Port {
  return {
    update: async (session, change) => {
      const { subject, change: inner } = innermost(session, change);
      for (const update of liveUpdates(inner, subject.id)) await notify(client, subject, update);
    },
    activity: (session, activity) =>
      notify(client, session, { sessionUpdate: 'state_update', ...activityState(activity) }),
    children: true,
    askPermission: async (session, { id, fields }, signal) => {
      const params: RequestPermissionRequest = {
        sessionId: session.id,
        title: `${fields.title ?? 'Go on'}?`,
        description: 'The agent wants to change this file.',
        subject: { type: 'tool_call', toolCall: toolBody(id, fields) },
        options: PERMISSION_OPTIONS.map((option) => ({ ...option })),
      };
      const answer = client.request('session/request_permission', params, untilAborted(signal));
      return permissionOf((await answer.catch(() => undefined))?.outcome);
    },
    askForm: capabilities.elicitation?.form
      ? async (session, form, signal) => {
          const params: CreateElicitationRequest = elicitation(session.id, form);
          const answer = client.request('elicitation/create', params, untilAborted(signal));
          return formAnswer(await answer.catch(() => undefined));
        }
      : undefined,
    cursor: cursors
      ? (session, update) => notify(client, session, update as unknown as SessionUpdate)
      : undefined,
    warn: (session, title) =>
      notify(client, session, { sessionUpdate: 'notice', severity: 'warning', title }),
    client: {},
  };
}

/** A client that has gone is told nothing, and that is no error. */
async function notify(
  client: AgentContext,
  session: Pick<Subject, 'id'>,
  update: SessionUpdate,
): Promise<void> {
  await client.notify('session/update', { sessionId: session.id, update }).catch(() => undefined);
}
