// Session cursors: positions in a session that a fork may name, here the end of each turn. The SDK does not know
// them yet and drops fields that it does not know. So on the way in they travel in `_meta`.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/unstable';
import { capabilityAt, isYes } from '../acp/gate.ts';
import { get, isObject, obj } from '../acp/json.ts';
import type { Json, JsonObject } from '../acp/message.ts';
import type { History } from './history.ts';

/** The key in `_meta`, which never leaves this process. */
const CARRIED = 'acp-scope/cursors';

/** The same stream, with what the SDK would drop of cursors in `_meta`. */
export function carryingCursors({ readable, writable }: Stream): Stream {
  const carry = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      controller.enqueue(carried(message));
    },
  });
  return { readable: readable.pipeThrough(carry), writable };
}

function carried(message: AnyMessage): AnyMessage {
  const params = 'method' in message ? (message.params as Json | undefined) : undefined;
  if (!('method' in message) || !isObject(params)) return message;
  const value =
    message.method === 'initialize'
      ? takesCursors(params)
      : message.method === 'session/fork' && get(params, 'cursorId');
  if (value === undefined || value === false) return message;
  return {
    ...message,
    params: { ...params, _meta: { ...obj(params, '_meta'), [CARRIED]: value } },
  };
}

function takesCursors(params: JsonObject): boolean {
  return ['capabilities', 'clientCapabilities'].some((field) =>
    isYes(capabilityAt(obj(params, field) ?? {}, 'session.cursors')),
  );
}

/** In `initialize`: true if the client takes cursors. In a fork: the cursor that the request names. */
export function carriedCursor(meta: unknown): unknown {
  return get(meta as Json | undefined, CARRIED);
}

/** The messages of the agent that end its turns, oldest first; each is the anchor of a cursor. */
export function turnEnds({ items, open }: History): readonly string[] {
  const ends: string[] = [];
  let last: string | undefined;
  for (const { kind, id } of items.values()) {
    if (kind === 'agent') last = id;
    if (kind !== 'user' || last === undefined) continue;
    ends.push(last);
    last = undefined;
  }
  return last === undefined || open ? ends : [...ends, last];
}

export function cursorUpdate(messageId: string): JsonObject {
  return {
    sessionUpdate: 'cursor_update',
    cursorId: cursorOf(messageId),
    anchor: { type: 'agent_message', messageId, position: 'after' },
    capabilities: { fork: {} },
  };
}

/** The end of the turn that a cursor names; undefined: the session has no such cursor. */
export function turnEndNamed(cursorId: unknown, history: History): string | undefined {
  return turnEnds(history).find((id) => cursorOf(id) === cursorId);
}

function cursorOf(messageId: string): string {
  return `cur_${messageId}`;
}
