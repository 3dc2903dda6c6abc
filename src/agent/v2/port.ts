// A v2 client, as sessions see it.
import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  RequestPermissionRequest,
  SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { activityState } from '../children.ts';
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
import { liveUpdates, toolBody } from './render.ts';

export function portV2(client: AgentContext, capabilities: ClientCapabilities): Port {
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
    warn: (session, title) =>
      notify(client, session, { sessionUpdate: 'notice', severity: 'warning', title }),
    client: {},
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
