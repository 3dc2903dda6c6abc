// From what stands in the composer to the exact line that goes out, and from one kind of message
// to another. Text in, text out: numbers, repeated keys and order stay as written.
import { jsonFault } from '../../acp/json-fault.ts';
import { get, isObject, parseJson } from '../../acp/json.ts';
import { compactJson, jsonEntries, prettyJson, rootSpan } from '../../lib/json-text.ts';
import { utf8Size } from '../../lib/utf8.ts';
import {
  fillPlaceholders,
  missingWords,
  type Placeholder,
  type PlaceholderValues,
} from './placeholders.ts';

const KINDS = ['request', 'notification', 'response', 'raw'] as const;
export type ComposerKind = (typeof KINDS)[number];

export function isKind(word: string | undefined): word is ComposerKind {
  return KINDS.some((kind) => kind === word);
}

/** What Send would write, or why it cannot: `rawLine` is what could go out as a raw line instead. */
export type Outgoing =
  | {
      readonly ok: true;
      readonly line: string;
      readonly bytes: number;
      readonly compacted: boolean;
      /** Placeholders that the line has values for. */
      readonly used: readonly Placeholder[];
    }
  | { readonly ok: false; readonly problem: string; readonly rawLine?: string };

/** `values`: undefined, if placeholders are sent as they are written. */
export function outgoing(kind: ComposerKind, text: string, values?: PlaceholderValues): Outgoing {
  if (kind === 'raw') {
    const breaks = text.split('\n').length - 1;
    if (breaks > 0) {
      const count = breaks === 1 ? 'a line break' : `${breaks} line breaks`;
      return {
        ok: false,
        problem: `A raw line ends where it breaks, and this one has ${count}. Remove them, or write it as JSON.`,
      };
    }
    return { ok: true, line: text, bytes: utf8Size(text), compacted: false, used: [] };
  }
  if (text.trim() === '')
    return { ok: false, problem: 'Nothing to send yet. Pick a method, or type JSON.' };
  const fault = jsonFault(text);
  if (fault) {
    const rawLine = text.includes('\n') ? undefined : text;
    return {
      ok: false,
      problem: `JSON does not parse: ${fault.what} at ${textPlace(text, fault.at)}.`,
      ...(rawLine === undefined ? {} : { rawLine }),
    };
  }
  const compact = compactJson(text);
  const {
    text: line,
    used,
    missing,
  } = values ? fillPlaceholders(compact, values) : { text: compact, used: [], missing: [] };
  if (missing.length > 0) return { ok: false, problem: missingWords(missing), rawLine: compact };
  return { ok: true, line, bytes: utf8Size(line), compacted: compact !== text, used };
}

/** `line 1 column 20`, counted from 1. */
export function textPlace(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** What kind of message the text is, or raw where it is none of ours. */
export function kindOf(text: string): ComposerKind {
  const value = parseJson(text);
  if (!isObject(value)) return 'raw';
  if (get(value, 'method') === undefined) return Object.hasOwn(value, 'id') ? 'response' : 'raw';
  return Object.hasOwn(value, 'id') ? 'request' : 'notification';
}

/**
 * The text for another kind. `id` is a JSON token: the next id, or the id of an open request; `result`: what may
 * answer that, as JSON.
 */
export function asKind(to: ComposerKind, text: string, id: string, result = '{}'): string {
  const fields = fieldsOf(text);
  if (to === 'raw') return fields ? compactJson(text) : text.replaceAll('\n', ' ');
  if (!fields)
    return text.trim() === '' || to === 'response' ? pretty(skeleton(to, id, result)) : text;
  const kept = fields.filter(([key]) => key !== '"id"' && key !== '"jsonrpc"');
  const head: [string, string][] = [['"jsonrpc"', '"2.0"']];
  if (to !== 'notification') head.push(['"id"', id]);
  if (to === 'response') {
    const answer = kept.filter(([key]) => key === '"result"' || key === '"error"');
    return pretty([...head, ...(answer.length > 0 ? answer : [['"result"', result] as const])]);
  }
  const request = kept.filter(([key]) => key !== '"result"' && key !== '"error"');
  return request.length === 0 ? pretty(skeleton(to, id, result)) : pretty([...head, ...request]);
}

/** What an object of JSON lacks to be a message of this kind, beside what it says: both go first. */
export function missingIn(kind: ComposerKind, text: string): readonly ('jsonrpc' | 'id')[] {
  const fields = kind === 'raw' ? undefined : fieldsOf(text);
  if (!fields) return [];
  const head = kind === 'notification' ? (['jsonrpc'] as const) : (['jsonrpc', 'id'] as const);
  return head.filter((name) => fields.every(([key]) => key !== `"${name}"`));
}

/** The same text with another id at its root; unchanged where it has none. */
export function withId(text: string, id: string): string {
  if (jsonFault(text)) return text;
  for (const { key, start, end } of jsonEntries(text, rootSpan(text)))
    if (key === 'id') return text.slice(0, start) + id + text.slice(end);
  return text;
}

/** A line made readable for editing: indented if it is JSON, else as it is. */
export function editable(text: string): string {
  return jsonFault(text) ? text : prettyJson(text);
}

type Field = readonly [keyToken: string, valueToken: string];

/** Root fields with their tokens; undefined where the text is no JSON object. */
function fieldsOf(text: string): Field[] | undefined {
  if (jsonFault(text)) return undefined;
  const root = rootSpan(text);
  if (root.kind !== 'object') return undefined;
  return [...jsonEntries(text, root)].map(({ key, start, end }) => [
    JSON.stringify(key),
    text.slice(start, end),
  ]);
}

function skeleton(kind: Exclude<ComposerKind, 'raw'>, id: string, result: string): Field[] {
  const head: Field[] = [['"jsonrpc"', '"2.0"']];
  if (kind === 'response') return [...head, ['"id"', id], ['"result"', result]];
  const rest: Field[] = [
    ['"method"', '""'],
    ['"params"', '{}'],
  ];
  return kind === 'request' ? [...head, ['"id"', id], ...rest] : [...head, ...rest];
}

function pretty(fields: readonly Field[]): string {
  return prettyJson(`{${fields.map(([key, value]) => `${key}:${value}`).join(',')}}`);
}
