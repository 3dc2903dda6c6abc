// The `authMethods` of an `initialize` answer, v1 and v2 read into one shape.
import { get, isArray, isObject, objects, str } from './json.ts';
import type { Json, JsonObject } from './message.ts';

/** Structurally the AuthMethod of a connection's facts. */
export interface AuthMethodEntry {
  readonly id: string;
  /** `other`: a type of a later version, or of the agent's own. */
  readonly type: 'agent' | 'terminal' | 'other';
  readonly name: string;
  readonly description?: string;
  /** Terminal methods: run the agent's own command with these added. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Entries without an id are left out: nothing could be sent for them. v1 entries have `id` and may
 * leave out `type` (then the agent signs in by itself), v2 entries have `methodId` and `type`.
 */
export function authMethodsOf(result: Json | undefined): readonly AuthMethodEntry[] {
  return objects(result, 'authMethods').flatMap((entry) => {
    const id = str(entry, 'methodId') ?? str(entry, 'id');
    if (id === undefined) return [];
    const description = str(entry, 'description');
    return {
      id,
      type: typeOf(entry),
      name: str(entry, 'name') ?? id,
      ...(description === undefined ? {} : { description }),
      args: strings(get(entry, 'args')),
      env: envOf(get(entry, 'env')),
    };
  });
}

function typeOf(entry: JsonObject): AuthMethodEntry['type'] {
  const type = get(entry, 'type') ?? 'agent';
  return type === 'agent' || type === 'terminal' ? type : 'other';
}

function strings(value: Json | undefined): string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** v1: an object; v2: a list of `{name, value}`. */
function envOf(env: Json | undefined): Record<string, string> {
  const pairs: (readonly [Json | undefined, Json | undefined])[] = isArray(env)
    ? env.map((item) => [get(item, 'name'), get(item, 'value')])
    : isObject(env)
      ? Object.entries(env)
      : [];
  return Object.fromEntries(
    pairs.filter(
      (pair): pair is [string, string] =>
        typeof pair[0] === 'string' && typeof pair[1] === 'string',
    ),
  );
}
