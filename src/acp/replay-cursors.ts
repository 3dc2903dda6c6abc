// Values of v2's `replayFrom` to ask with: what the protocol knows, what an agent may know, and
// what every agent must refuse. Source: ReplayFrom of the v2 schema.
import type { Json, JsonObject } from './message.ts';

/** All retained history. */
export const FROM_START: JsonObject = { type: 'start' };

/** A custom cursor, as the bundled agent understands it: this message first. */
export function fromMessage(messageId: string): JsonObject {
  return { type: '_message', messageId };
}

/** Names without `_` are kept for the protocol, and it has none such. */
export const UNKNOWN_CURSOR: JsonObject = { type: 'checkpoint' };

/** No cursor: an object with a `type` that is a string is due. */
export const MALFORMED_CURSOR: JsonObject = {};
export const MALFORMED_CURSORS: readonly Json[] = [MALFORMED_CURSOR, 'start', { type: 5 }, [], 7];
