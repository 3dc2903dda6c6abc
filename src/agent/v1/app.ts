// The agent in protocol version 1: each method of the wire, in a few words each.
import { setImmediate } from 'node:timers/promises';
import {
  agent,
  RequestError,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import { carriedCursor } from '../cursors.ts';
import { childUpdate, replayed } from '../children.ts';
import type { PromptBlock, AgentItem } from '../history.ts';
import { invalid, type Given, type AgentHost } from '../host.ts';
import { pairs } from '../mcp.ts';
import type { McpServer } from '../misbehaviours.ts';
import { SLASH_COMMANDS } from '../script/words.ts';
import type { AgentSession } from '../session.ts';
import { MODES, modesV1, optionsV1 } from '../settings.ts';
import { SIGN_IN, TERMINAL_SIGN_IN } from '../sign-in.ts';
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
  type ClientTools,
} from '../port.ts';

export function appV1(host: AgentHost): AgentApp {
  let client: acp.ClientCapabilities = {};
  let children = false;
  const told = (session: AgentSession) => ({
    modes: modesV1(session.history.settings),
    configOptions: optionsV1(
      session.history.settings,
      Boolean(client.session?.configOptions?.boolean),
    ),
  });
  /** The one answer that a client must have before it can place an update. */
  const fresh = (session: AgentSession, context: AgentContext) => {
    void setImmediate().then(() => tellCommands(session, context));
    return { sessionId: session.id, ...told(session) };
  };

  return agent({ name: 'acp-scope-agent' })
    .onRequest('initialize', ({ params, client: context }) => {
      client = params.clientCapabilities ?? {};
      children = Boolean(client.subagents) || host.hooks.childrenUnasked === true;
      const cursors = carriedCursor(params._meta) === true;
      host.meet(portV1(context, client, { children, cursors }));
      return initialized(host, client);
    })
    .onRequest('authenticate', ({ params }) => {
      host.login('authenticate', params.methodId);
    })
    .onRequest('logout', () => {
      host.logout('logout');
    })
    .onRequest('session/new', ({ params, client: context }) =>
      fresh(host.create(givenBy(params)), context),
    )
    .onRequest('session/fork', ({ params, client: context }) =>
      fresh(host.fork(params.sessionId, givenBy(params), carriedCursor(params._meta)), context),
    )
    .onRequest('session/load', async ({ params, client: context }) => {
      if (!host.replays) throw RequestError.methodNotFound('session/load');
      const session = host.restore(params.sessionId, givenBy(params));
      return session.tell(async () => {
        await replay(host, session, context, children);
        await session.tellCursors();
        await tellCommands(session, context);
        return told(session);
      });
    })
    .onRequest('session/resume', async ({ params, client: context }) => {
      const session = host.restore(params.sessionId, givenBy(params));
      return session.tell(async () => {
        if (host.hooks.replayUnasked) await replay(host, session, context, children);
        await session.tellCursors();
        await tellCommands(session, context);
        return told(session);
      });
    })
    .onRequest('session/list', ({ params }) => host.list(params))
    .onRequest('session/set_mode', async ({ params, client: context }) => {
      const known = MODES.some(({ id }) => id === params.modeId);
      if (!known) throw invalid(`there is no mode "${params.modeId}"`);
      const session = await host.set(params.sessionId, 'mode', params.modeId);
      const { configOptions } = told(session);
      await notify(context, session, { sessionUpdate: 'config_option_update', configOptions });
      return {};
    })
    .onRequest('session/set_config_option', async ({ params, client: context }) => {
      const { mode } = host.get(params.sessionId).history.settings;
      const session = await host.set(params.sessionId, params.configId, params.value);
      const now = session.history.settings.mode;
      if (now !== mode)
        await notify(context, session, {
          sessionUpdate: 'current_mode_update',
          currentModeId: now,
        });
      return { configOptions: told(session).configOptions };
    })
    .onRequest('session/prompt', async ({ params }) => {
      const prompted = host.prompt(params.sessionId, params.prompt as unknown as PromptBlock[]);
      const reason = await prompted.ended;
      if (reason === 'interrupted')
        throw RequestError.internalError(undefined, 'the turn broke off');
      return { stopReason: reason };
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
  const methods = client.auth?.terminal
    ? [SIGN_IN, { ...TERMINAL_SIGN_IN, type: 'terminal' as const }]
    : [SIGN_IN];
  return {
    protocolVersion: 1,
    agentInfo: host.info,
    agentCapabilities: {
      loadSession: host.replays,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: {
        list: {},
        delete: {},
        additionalDirectories: {},
        fork: host.forks,
        resume: {},
        close: {},
      },
      auth: host.requireSignIn ? { logout: {} } : {},
    },
    authMethods: host.requireSignIn ? methods : [],
  };
}

/** All at once, so that nothing of a running turn comes in between. */
async function replay(
  host: AgentHost,
  { id, history }: AgentSession,
  context: AgentContext,
  children: boolean,
): Promise<void> {
  const all: readonly AgentItem[] = [...history.items.values()];
  // What a client without children was told while it lived had none.
  const items = children ? all : all.filter(({ kind }) => kind !== 'child' && kind !== 'peer');
  const words = { of: replayUpdates, child: childUpdate, after: [] };
  const told = replayed<acp.SessionUpdate>(
    id,
    history,
    host.hooks.replayed?.(items) ?? items,
    words,
  );
  if (history.title !== undefined)
    told.push({ id, update: { sessionUpdate: 'session_info_update', title: history.title } });
  if (history.usage) told.push({ id, update: { sessionUpdate: 'usage_update', ...history.usage } });
  await Promise.all(told.map((one) => notify(context, one, one.update)));
}

async function tellCommands(session: AgentSession, context: AgentContext): Promise<void> {
  const availableCommands = SLASH_COMMANDS.map(({ hint, ...command }) =>
    hint === undefined ? command : { ...command, input: { hint } },
  );
  await notify(context, session, { sessionUpdate: 'available_commands_update', availableCommands });
}

function givenBy(params: {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly acp.McpServer[];
}): Given {
  return {
    cwd: params.cwd,
    directories: params.additionalDirectories ?? [],
    mcpServers: (params.mcpServers ?? []).map(mcpServer),
  };
}

function mcpServer(server: acp.McpServer): McpServer {
  if (!('type' in server)) return { type: 'stdio', ...server, env: pairs(server.env) };
  if (server.type !== 'http')
    throw invalid(`this agent reaches MCP servers by stdio and http, not by "${server.type}"`);
  return { type: 'http', name: server.name, url: server.url, headers: pairs(server.headers) };
}

function portV1(
  client: AgentContext,
  capabilities: ClientCapabilities,
  { children, cursors }: { readonly children: boolean; readonly cursors: boolean },
): Port {
  return {
    update: async (session, change, isNew) => {
      const { subject, change: inner } = innermost(session, change);
      for (const update of liveUpdates(inner, isNew, subject))
        await notify(client, subject, update);
    },
    activity: () => Promise.resolve(), // v1 has no word for it
    children,
    askPermission: async (session, { id, fields }, signal) => {
      const params: RequestPermissionRequest = {
        sessionId: session.id,
        toolCall: toolBody(id, fields, session.history),
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
    warn: capabilities.session?.notices
      ? (session, title) =>
          notify(client, session, { sessionUpdate: 'notice', severity: 'warning', title })
      : undefined,
    client: clientTools(client, capabilities),
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

// The files and terminals of a v1 client, where it offers them.

function clientTools(client: AgentContext, { fs, terminal }: ClientCapabilities): ClientTools {
  return {
    ...(fs?.readTextFile
      ? {
          readFile: async ({ id: sessionId }, path) =>
            (await client.request('fs/read_text_file', { sessionId, path })).content,
        }
      : {}),
    ...(fs?.writeTextFile
      ? {
          writeFile: async ({ id: sessionId }, path, content) => {
            await client.request('fs/write_text_file', { sessionId, path, content });
          },
        }
      : {}),
    ...(terminal
      ? {
          start: async ({ id: sessionId, cwd }, command, args) => {
            const started = await client.createTerminal({ sessionId, command, args, cwd });
            return {
              id: started.id,
              finished: async () => {
                const { exitCode } = await started.waitForExit();
                const { output } = await started.currentOutput();
                return { output, exitCode: exitCode ?? undefined };
              },
              release: async () => {
                await started.release();
              },
            };
          },
        }
      : {}),
  };
}
