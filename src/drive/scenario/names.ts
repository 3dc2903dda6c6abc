// `$names` in a scenario: the folder, the session, and what steps capture. A whole text that is a
// name becomes its value, of whatever type; `${name}` inside a text becomes its words.
import { get, isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { nearest } from './nearest.ts';
import type { Path } from './place.ts';

export type Names = ReadonlyMap<string, Json>;

const INSIDE = /\$\{(\w+)\}/g;
const WHOLE = /^\$[A-Za-z_]\w*$/;

/** A name that has no value stays as it is written. */
export function fill(value: Json, names: Names): Json {
  if (typeof value === 'string') return names.get(value) ?? fillText(value, names);
  if (isArray(value)) return value.map((item) => fill(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)]));
}

export function fillText(text: string, names: Names): string {
  return text.replace(INSIDE, (written: string, name: string) => {
    const value = names.get(`$${name}`);
    if (value === undefined) return written;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** The value a JSON pointer leads to; undefined: there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isArray(at) ? (/^\d+$/.test(key) ? at[Number(key)] : undefined) : get(at, key);
  }
  return at;
}

/**
 * Names that nothing gives a value before they are used, where one is near that has one: a slip of
 * the pen. Any other text that begins with `$` is a text.
 */
export function unknownNames(
  steps: readonly Json[],
): readonly { readonly path: Path; readonly message: string }[] {
  const known = ['$cwd', '$sessionId'];
  return steps.flatMap((step, at) => {
    const found = [...namesIn(step, [at])].flatMap(({ name, path }) => {
      if (known.includes(name)) return [];
      const near = nearest(name, known);
      if (near === undefined) return [];
      return [{ path, message: `No step before gives ${name} a value. Did you mean ${near}?` }];
    });
    const captures = get(step, 'capture');
    if (isObject(captures)) known.push(...Object.keys(captures));
    return found;
  });
}

function* namesIn(value: Json, path: Path): Generator<{ name: string; path: Path }> {
  if (typeof value === 'string') {
    if (WHOLE.test(value)) yield { name: value, path };
    for (const [, name = ''] of value.matchAll(INSIDE)) yield { name: `$${name}`, path };
  } else if (isArray(value)) {
    for (const [at, item] of value.entries()) yield* namesIn(item, [...path, at]);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value))
      if (key !== 'capture') yield* namesIn(item, [...path, key]);
  }
}
