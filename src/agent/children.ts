// Child sessions in the words of the protocol, which are the same in both versions.
import { CODE } from '../acp/message.ts';
import { assertNever } from '../lib/assert-never.ts';
import type {
  AgentActivity,
  ChildFields,
  EndReason,
  History,
  AgentItem,
  PeerFields,
} from './history.ts';
import { defined } from '../lib/defined.ts';

/** As `state_update` says it, and `state` of a child. */
export function activityState(activity: AgentActivity) {
  switch (activity.state) {
    case 'running':
      return { state: 'running' } as const;
    case 'requires_action':
      return { state: 'requires_action' } as const;
    case 'idle':
      return { state: 'idle', ...ending(activity.reason) } as const;
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

export function childUpdate(id: string, fields: Partial<ChildFields>) {
  const { title, description, activity, cancellable } = fields;
  return defined({
    ...{ sessionUpdate: 'subagent_update' as const, sessionId: id, title, description },
    state: activity && activityState(activity),
    capabilities: cancelled(cancellable),
  });
}

/** Whether the client may cancel it, as `capabilities` say so; undefined: not told. */
export function cancelled(cancellable: boolean | undefined) {
  return cancellable === undefined ? undefined : cancellable ? { cancel: {} } : null;
}

/** @param here the session in whose transcript it stands */
export function peerUpdate(messageId: string, peer: PeerFields, here: string) {
  const { other, twin, sent, text } = peer;
  return {
    sessionUpdate: 'session_message' as const,
    messageId,
    senderSessionId: sent ? here : other,
    recipientSessionId: sent ? other : here,
    ...(sent ? { recipientMessageId: twin } : { senderMessageId: twin }),
    content: [{ type: 'text' as const, text }],
  };
}

/** An update as a replay sends it, and the session it is for. */
interface AddressedUpdate<U> {
  readonly id: string;
  readonly update: U;
}

/**
 * A replay's updates: a child is announced where it stands in its parent, followed by its own history
 * and what became of it; what that leaves behind is `after`.
 */
export function replayed<U>(
  id: string,
  history: History,
  items: readonly AgentItem[],
  { of, child, after }: Words<U>,
): AddressedUpdate<U>[] {
  return items.flatMap((item): AddressedUpdate<U>[] => {
    if (item.kind !== 'child') return of(item, history, id).map((update) => ({ id, update }));
    const { id: own, fields, history: inside } = item;
    const { activity, cancellable: _, ...announced } = fields;
    return [
      { id, update: child(own, announced) },
      ...replayed(own, inside, [...inside.items.values()], { of, child, after }),
      ...after.map((update) => ({ id: own, update })),
      ...(activity ? [{ id, update: child(own, { activity }) }] : []),
    ];
  });
}

interface Words<U> {
  /** The updates that build an item anew. */
  readonly of: (item: AgentItem, history: History, id: string) => readonly U[];
  readonly child: (id: string, fields: Partial<ChildFields>) => U;
  readonly after: readonly U[];
}
