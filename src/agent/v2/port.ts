// A v2 client, as sessions see it.
import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  RequestPermissionRequest,
  SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { CODE } from '../../acp/errors.ts';
import { assertNever } from '../../lib/assert-never.ts';
import type { EndReason } from '../history.ts';
import { elicitation, formAnswer } from '../form.ts';
import {
  PERMISSION_OPTIONS,
  permissionOf,
  untilAborted,
  type Activity,
  type Port,
  type Subject,
} from '../port.ts';
import { liveUpdates, toolBody } from './render.ts';

export function portV2(client: AgentContext, capabilities: ClientCapabilities): Port {
  return {
    update: async (session, change) => {
      for (const update of liveUpdates(change)) await notify(client, session, update);
    },
    activity: (session, activity) => notify(client, session, stateUpdate(activity)),
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

export function stateUpdate(activity: Activity): SessionUpdate {
  const sessionUpdate = 'state_update';
  switch (activity.state) {
    case 'running':
      return { sessionUpdate, state: 'running' };
    case 'requires_action':
      return { sessionUpdate, state: 'requires_action' };
    case 'idle':
      return { sessionUpdate, state: 'idle', ...ending(activity.reason) };
    default:
      return assertNever(activity);
  }
}

function ending(reason: EndReason | undefined) {
  switch (reason) {
    case undefined:
      return {};
    case 'end_turn':
      return { stopReason: 'end_turn' } as const;
    case 'cancelled':
      return { stopReason: 'cancelled' } as const;
    case 'interrupted': {
      const error = { code: CODE.internalError, message: 'The turn broke off' };
      return { stopReason: 'error', error } as const;
    }
    default:
      return assertNever(reason);
  }
}
