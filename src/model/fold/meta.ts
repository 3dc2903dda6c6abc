// `_meta` of what is told piece by piece. v2: a patch by its top-level keys, `null` removes a key, or
// all of it. v1, where it is stored at all (unstable): an object replaces, `null` removes.
import { get, isObject } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { isTooDeep } from '../facts/deep.ts';

/** Undefined: there is none. Omitted, or of a wrong type: as it was. */
export function patchedMeta(
  before: JsonObject | undefined,
  update: JsonObject,
  version: 1 | 2,
): JsonObject | undefined {
  const said = get(update, '_meta');
  if (said === null) return undefined;
  if (!isObject(said) || isTooDeep(said)) return before;
  const merged = version === 1 ? said : { ...before, ...said };
  const kept = Object.entries(merged).filter(([, value]) => version === 1 || value !== null);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The top-level keys, as fields of what it belongs to. */
export function metaFields(meta: JsonObject | undefined): readonly (readonly [string, string])[] {
  return Object.entries(meta ?? {}).map(([key, value]) => [
    `_meta.${key}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
