// Faults in child sessions that lie in what is sent, not in what is done.
import type { AnyMessage } from '@agentclientprotocol/sdk/unstable';
import type { Hooks } from '../hooks.ts';
import { PERMISSION_OPTIONS } from '../port.ts';
import { waitingFor, childIn } from './answers.ts';

/** `unannounced-child`: of each child, the first word of its parent is left out. */
export function keepsToItself(): Hooks {
  const met = new Set<string>();
  return {
    sent: async (message, send) => {
      const child = childIn(message);
      if (child === undefined || met.has(child)) return await send(message);
      met.add(child);
    },
  };
}

/** `child-of-itself`. */
export function ownsItself(): Hooks {
  const met = new Set<string>();
  return {
    sent: async (message, send) => {
      await send(message);
      const child = childIn(message);
      if (child === undefined || met.has(child)) return;
      met.add(child);
      const update = { sessionUpdate: 'subagent_update', sessionId: child };
      const params = { sessionId: child, update };
      await send({ jsonrpc: '2.0', method: 'session/update', params });
    },
  };
}

/** `listed-children`: those it spoke of on this connection, in the folder of the first one listed. */
export function listsChildren(): Hooks {
  const lists = waitingFor('session/list');
  const children = new Set<string>();
  return {
    received: lists.received,
    sent: async (message, send) => {
      const child = childIn(message);
      if (child !== undefined) children.add(child);
      await send(lists.isAnswer(message) ? withChildren(message, children) : message);
    },
  };
}

function withChildren(message: AnyMessage, children: ReadonlySet<string>): AnyMessage {
  const { sessions = [] } =
    'result' in message ? (message.result as { sessions?: readonly { cwd: string }[] }) : {};
  const [first] = sessions;
  if (first === undefined) return message;
  const more = [...children].map((sessionId) => ({ sessionId, cwd: first.cwd }));
  return { ...message, result: { sessions: [...sessions, ...more] } } as AnyMessage;
}

/** `child-asks-in-replay`: right behind the first child that a restore announces. */
export function asksInReplay(): Hooks {
  const restores = waitingFor('session/load', 'session/resume');
  let version: unknown;
  let isDone = false;
  return {
    received: (message) => {
      restores.received(message);
      if ('method' in message && message.method === 'initialize')
        version = (message.params as { readonly protocolVersion?: unknown }).protocolVersion;
    },
    sent: async (message, send) => {
      await send(message);
      const child = childIn(message);
      restores.isAnswer(message);
      if (child === undefined || isDone || restores.ids.size === 0) return;
      isDone = true;
      await send(permission(child, version === 1));
    },
  };
}

function permission(sessionId: string, isV1: boolean): AnyMessage {
  const options = PERMISSION_OPTIONS.map((option) => ({ ...option }));
  const toolCall = { toolCallId: 'call_of_the_past', title: 'Go on' };
  return {
    jsonrpc: '2.0',
    id: 'of the past',
    method: 'session/request_permission',
    params: isV1
      ? { sessionId, toolCall, options }
      : { sessionId, title: 'Go on?', subject: { type: 'tool_call', toolCall }, options },
  };
}
