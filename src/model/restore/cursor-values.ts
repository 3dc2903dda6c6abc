// What a replay cursor says beside its type: the values that name something, and the ids among them.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';

/** Deep enough for any cursor that was meant. */
const DEPTH = 3;

/** Every value in it that is no list and no object, but those of a `type`. */
export function cursorValues(cursor: Json, depth = DEPTH): Json[] {
  if (!isArray(cursor) && !isObject(cursor)) return [cursor];
  if (depth === 0) return [];
  if (isArray(cursor)) return cursor.flatMap((item) => cursorValues(item, depth - 1));
  return Object.entries(cursor).flatMap(([key, item]) =>
    key === 'type' ? [] : cursorValues(item, depth - 1),
  );
}

export function cursorIds(cursor: Json): string[] {
  return cursorValues(cursor).filter((value) => typeof value === 'string');
}
