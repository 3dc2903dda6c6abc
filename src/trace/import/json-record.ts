// A JSON object read in place: its fields as they stand in the text, so that what is taken out of it
// keeps every token, the number that JSON.parse would round and the order of its keys among them.
import {
  compactJson,
  jsonEntries,
  rootSpan,
  stringAt,
  type JsonSpan,
} from '../../lib/json-text.ts';

export class JsonRecord {
  readonly #text: string;
  readonly #fields = new Map<string, JsonSpan>();

  constructor(text: string, span: JsonSpan) {
    this.#text = text;
    for (const entry of jsonEntries(text, span)) this.#fields.set(entry.key ?? '', entry);
  }

  has(...keys: readonly string[]): boolean {
    return keys.every((key) => this.#fields.has(key));
  }

  keys(): readonly string[] {
    return [...this.#fields.keys()];
  }

  /** Undefined: it is not there, or no string. So the next two. */
  text(key: string): string | undefined {
    const span = this.#fields.get(key);
    return span?.kind === 'string' ? stringAt(this.#text, span.start, span.end) : undefined;
  }

  number(key: string): number | undefined {
    const span = this.#fields.get(key);
    return span?.kind === 'number' ? Number(this.#text.slice(span.start, span.end)) : undefined;
  }

  record(key: string): JsonRecord | undefined {
    const span = this.#fields.get(key);
    return span?.kind === 'object' ? new JsonRecord(this.#text, span) : undefined;
  }

  /** The value as JSON without white space, token by token as it was written. `null` counts as none. */
  json(key: string): string | undefined {
    const span = this.#fields.get(key);
    return span === undefined || span.kind === 'null'
      ? undefined
      : compactJson(this.#text.slice(span.start, span.end));
  }

  /** The items of an array; nothing where it is none. */
  items(key: string): readonly JsonItem[] {
    const span = this.#fields.get(key);
    return span?.kind === 'array' ? itemsIn(this.#text, span) : [];
  }
}

export function isList(
  json: JsonRecord | readonly JsonItem[] | undefined,
): json is readonly JsonItem[] {
  return json !== undefined && !(json instanceof JsonRecord);
}

/** An item of an array: a record where it is an object, and its text. */
export interface JsonItem {
  readonly record: JsonRecord | undefined;
  readonly json: string;
}

function itemsIn(text: string, span: JsonSpan): readonly JsonItem[] {
  return [...jsonEntries(text, span)].map((entry) => ({
    record: entry.kind === 'object' ? new JsonRecord(text, entry) : undefined,
    json: text.slice(entry.start, entry.end),
  }));
}

/** A whole document: an object, an array, or undefined where the text is neither or no JSON. */
export function readJson(text: string): JsonRecord | readonly JsonItem[] | undefined {
  const start = text.trimStart();
  if (!start.startsWith('{') && !start.startsWith('[')) return undefined;
  try {
    JSON.parse(start);
  } catch {
    return undefined;
  }
  const span = rootSpan(start);
  return span.kind === 'object' ? new JsonRecord(start, span) : itemsIn(start, span);
}

/** The object of a line; undefined where it holds none. */
export function readRecord(text: string): JsonRecord | undefined {
  const read = readJson(text);
  return read instanceof JsonRecord ? read : undefined;
}
