// The replay cursors this agent follows: "start", and as its own one the id of a message, which
// is replayed too.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { AgentItem } from '../history.ts';

export type Cursor =
  | { readonly from: 'nowhere' }
  | { readonly from: 'start' }
  | { readonly from: 'message'; readonly messageId: string };

/** Reads `replayFrom`, or says why it cannot be followed. */
export function readCursor(replayFrom: unknown): Cursor | { readonly problem: string } {
  if (replayFrom === undefined || replayFrom === null) return { from: 'nowhere' };
  if (isUnreadable(replayFrom)) return readCursor(replayFrom.value);
  if (typeof replayFrom !== 'object' || Array.isArray(replayFrom))
    return { problem: `replayFrom must be an object or null; it is ${shown(replayFrom)}` };
  const { type, messageId } = replayFrom as {
    readonly type?: unknown;
    readonly messageId?: unknown;
  };
  if (type === 'start') return { from: 'start' };
  if (type === '_message')
    return typeof messageId === 'string'
      ? { from: 'message', messageId }
      : { problem: 'replayFrom of type "_message" needs a "messageId", a string' };
  const seen = type === undefined ? 'none' : shown(type);
  return { problem: `replayFrom.type must be "start" or "_message"; it is ${seen}` };
}

/** The items a cursor asks for; undefined when it names no message of this history. */
export function itemsFrom(
  cursor: Cursor,
  items: readonly AgentItem[],
  afterCursor: boolean,
): readonly AgentItem[] | undefined {
  if (cursor.from === 'nowhere') return [];
  if (cursor.from === 'start') return items;
  const at = items.findIndex(
    ({ id, kind }) => id === cursor.messageId && ['user', 'agent', 'thought'].includes(kind),
  );
  return at < 0 ? undefined : items.slice(afterCursor ? at + 1 : at);
}

const SHOWN = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/**
 * The SDK refuses a cursor that is no object with a string `type`, in words that no person reads.
 * Such a cursor goes through it in a wrapper, and `readCursor` says what is wrong.
 */
export function readableCursors({ readable, writable }: Stream): Stream {
  const wrap = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      controller.enqueue(wrapped(message));
    },
  });
  return { readable: readable.pipeThrough(wrap), writable };
}

const UNREADABLE = '_unreadable';

function wrapped(message: AnyMessage): AnyMessage {
  if (!('method' in message) || message.method !== 'session/resume') return message;
  const params = message.params as { readonly replayFrom?: unknown } | null | undefined;
  const cursor = params?.replayFrom;
  if (cursor === undefined || cursor === null) return message;
  const { type } = cursor as { readonly type?: unknown };
  if (typeof type === 'string' && !Array.isArray(cursor)) return message;
  return { ...message, params: { ...params, replayFrom: { type: UNREADABLE, value: cursor } } };
}

function isUnreadable(cursor: unknown): cursor is { readonly value: unknown } {
  return (cursor as { readonly type?: unknown }).type === UNREADABLE;
}
