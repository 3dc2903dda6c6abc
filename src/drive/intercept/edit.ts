// A line changed as a rule says, and nothing in it but what is named.
import { parseJson, isObject } from '../../acp/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { bareLine, valueSpan, withKey, withoutKey } from '../adapt/line-edit.ts';
import type { InterceptAction, KeyPath } from './rule.ts';

type Edited =
  | { readonly ok: true; readonly line: Uint8Array }
  /** It stays as it is: why, as a sentence. */
  | { readonly ok: false; readonly problem: string };

export function edited(
  bytes: Uint8Array,
  action: Extract<InterceptAction, { kind: 'edit' }>,
): Edited {
  const { set, remove, replace, line } = action;
  if (line !== undefined) return { ok: true, line: encodeUtf8(line) };
  const text = decodeUtf8(bytes);
  if (text === undefined) return unchanged('it is not UTF-8');
  let now = text;
  if (set.length + remove.length > 0) {
    const json = bareLine(text);
    if (!isObject(parseJson(json))) return unchanged('it is no JSON object');
    now = json;
    for (const { keys, json: value } of set) now = withValueAt(now, keys, value);
    for (const keys of remove)
      if (valueSpan(now, keys)) now = withoutKey(now, keys.slice(0, -1), keys.at(-1) ?? '');
    const at = text.indexOf(json);
    now = text.slice(0, at) + now + text.slice(at + json.length);
  }
  for (const { text: said, by } of replace) now = now.replaceAll(said, by);
  if (now === text) return unchanged('there is nothing in it that the rule changes');
  return { ok: true, line: encodeUtf8(now.replaceAll('\n', ' ')) };
}

function unchanged(why: string): Edited {
  return { ok: false, problem: `It went on as it was: ${why}.` };
}

/** The objects on the way to it are made where there are none. */
function withValueAt(line: string, keys: KeyPath, json: string): string {
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const parent = keys.slice(0, depth);
    const [key = '', ...inner] = keys.slice(depth);
    if (valueSpan(line, parent)?.kind !== 'object') continue;
    const value = inner.reduceRight((made, name) => `{${JSON.stringify(name)}:${made}}`, json);
    return withKey(line, parent, key, value);
  }
  return line;
}
