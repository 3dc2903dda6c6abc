// The binary message that carries recorded events: one JSON head, 0x0A, then spool lines, each
// ending in 0x0A. The relay copies the lines from its file; nothing parses them on the way.
import { joined } from '../lib/bytes.ts';
import { encodeUtf8 } from '../lib/utf8.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';

interface EventsHead {
  readonly connection: ConnectionId;
  readonly first: Seq;
  readonly last: Seq;
}

export interface EventsMessage extends EventsHead {
  /** The lines, each with its 0x0A. */
  readonly bytes: Uint8Array;
}

const NEWLINE = 0x0a;

export function encodeEvents(head: EventsHead, lines: Uint8Array): Uint8Array {
  return joined([encodeUtf8(`${JSON.stringify(head)}\n`), lines]);
}

/** Undefined: not such a message (a relay of another version). The lines are a view, not a copy. */
export function decodeEvents(message: Uint8Array): EventsMessage | undefined {
  const end = message.indexOf(NEWLINE);
  if (end < 0) return undefined;
  try {
    const head = JSON.parse(new TextDecoder().decode(message.subarray(0, end))) as EventsHead;
    return { ...head, bytes: message.subarray(end + 1) };
  } catch {
    return undefined;
  }
}
