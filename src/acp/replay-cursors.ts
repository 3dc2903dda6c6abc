// Values of v2's `replayFrom` to ask with: what the protocol knows, what an agent may know, and
// what every agent must refuse. Source: ReplayFrom of the v2 schema.
import { isArray, isObject, parseJson, str } from './json.ts';
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

/** Stands for an id in a cursor as an agent documents it: `{"type":"_at","id":"$ID"}`. */
export const ID_MARK = '$ID';

/** Undefined: no cursor that names an id. */
export function readDocumentedCursor(text: string): JsonObject | undefined {
  const cursor = parseJson(text);
  const isOne = isObject(cursor) && str(cursor, 'type') !== undefined && text.includes(ID_MARK);
  return isOne ? cursor : undefined;
}

/** A documented cursor that names this id. */
export function cursorNaming(documented: JsonObject, id: string): JsonObject {
  return filledObject(documented, id);
}

function filledObject(value: JsonObject, id: string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, filled(of, id)]));
}

function filled(value: Json, id: string): Json {
  if (typeof value === 'string') return value.replaceAll(ID_MARK, () => id);
  if (isArray(value)) return value.map((item) => filled(item, id));
  return isObject(value) ? filledObject(value, id) : value;
}
