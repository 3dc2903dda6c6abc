// A v1 client, as sessions see it.
import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  RequestPermissionRequest,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
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
import { liveUpdates, toolBody } from './render.ts';

export function portV1(
  client: AgentContext,
  capabilities: ClientCapabilities,
  children: boolean,
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
    warn: capabilities.session?.notices
      ? (session, title) =>
          notify(client, session, { sessionUpdate: 'notice', severity: 'warning', title })
      : undefined,
    client: clientTools(client, capabilities),
  };
}

/** A client that has gone is told nothing, and that is no error. */
export async function notify(
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
