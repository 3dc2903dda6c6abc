// What differs between two JSON values, by path, once aliases stand for what differs in any run.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { FieldChange } from './report/report.ts';
import { align, rising, type Pair } from '../../lib/align.ts';
import { count } from '../../lib/format-count.ts';
import { Interner } from '../../lib/interner.ts';

export interface JsonChange {
  readonly path: string;
  readonly kind: 'missing' | 'extra' | 'changed';
  readonly before?: Json;
  readonly after?: Json;
}

/** A value of one side as it is compared: with aliases in place of real values. */
export type Naming = (value: string | number, key: string, parent: string) => string | number;

const DEEPEST = 200;

export class Comparer {
  readonly #a: Naming;
  readonly #b: Naming;

  constructor(a: Naming, b: Naming) {
    this.#a = a;
    this.#b = b;
  }

  /** In the order of the left value. Nothing: they say the same. */
  changes(before: Json, after: Json): JsonChange[] {
    const found: JsonChange[] = [];
    this.#compare(before, after, '$', '', '', found, 0);
    return found;
  }

  #compare(
    a: Json,
    b: Json,
    path: string,
    key: string,
    parent: string,
    found: JsonChange[],
    depth: number,
  ): void {
    if (depth < DEEPEST && isObject(a) && isObject(b)) {
      const partners = this.#keys(a, b);
      for (const inner of Object.keys(a)) {
        const at = path + keyPath(inner);
        const before = a[inner] ?? null;
        const other = partners.get(inner);
        if (other === undefined) found.push({ path: at, kind: 'missing', before });
        else this.#compare(before, b[other] ?? null, at, inner, key, found, depth + 1);
      }
      const taken = new Set(partners.values());
      for (const inner of Object.keys(b))
        if (!taken.has(inner))
          found.push({ path: path + keyPath(inner), kind: 'extra', after: b[inner] ?? null });
      return;
    }
    if (depth < DEEPEST && isArray(a) && isArray(b))
      return this.#items(a, b, path, key, parent, found, depth);
    if (leaf(a, key, parent, this.#a) !== leaf(b, key, parent, this.#b))
      found.push({ path, kind: 'changed', before: a, after: b });
  }

  /** Keys of the one by those of the other that are the same: some are ids, or paths. */
  #keys(a: JsonObject, b: JsonObject): Map<string, string> {
    const partners = new Map<string, string>();
    const left: string[] = [];
    for (const key of Object.keys(a))
      if (Object.hasOwn(b, key)) partners.set(key, key);
      else left.push(key);
    if (left.length === 0) return partners;
    const names = new Map<string, string>();
    for (const key of Object.keys(b))
      if (!Object.hasOwn(a, key)) names.set(keyName(key, this.#b), key);
    for (const key of left) {
      const name = keyName(key, this.#a);
      const other = names.get(name);
      if (other !== undefined) partners.set(key, other);
      names.delete(name);
    }
    return partners;
  }

  #items(
    a: readonly Json[],
    b: readonly Json[],
    path: string,
    key: string,
    parent: string,
    found: JsonChange[],
    depth: number,
  ): void {
    const text = (naming: Naming) => (item: Json) => said(item, key, parent, naming, 0);
    const same = common(a.map(text(this.#a)), b.map(text(this.#b)));
    let [i, j] = [0, 0];
    for (const [x, y] of [...same, [a.length, b.length] as const]) {
      // Between what is the same, an item that is called the same has changed; else it is another.
      const partners = byName(
        a.slice(i, x).map((item) => nameIn(item, this.#a)),
        b.slice(j, y).map((item) => nameIn(item, this.#b)),
      );
      const taken = new Set(partners.values());
      for (let at = i; at < x; at++) {
        const other = partners.get(at - i);
        const [before = null, place] = [a[at], `${path}[${at}]`];
        if (other === undefined) found.push({ path: place, kind: 'missing', before });
        else this.#compare(before, b[j + other] ?? null, place, key, parent, found, depth + 1);
      }
      for (let at = j; at < y; at++)
        if (!taken.has(at - j))
          found.push({ path: `${path}[${at}]`, kind: 'extra', after: b[at] ?? null });
      [i, j] = [x + 1, y + 1];
    }
  }
}

/** Pairs of equal texts; the same ones whichever side is left. */
function common(a: readonly string[], b: readonly string[]): Pair[] {
  const book = new Interner();
  const tokens = (texts: readonly string[]) => texts.map((text) => book.of(text));
  const at = a.findIndex((text, place) => text !== b[place]);
  const isAfter = a.length === b.length ? (a[at] ?? '') > (b[at] ?? '') : a.length > b.length;
  if (!isAfter) return align(tokens(a), tokens(b));
  return align(tokens(b), tokens(a)).map(([j, i]): Pair => [i, j]);
}

/** By the first of these that says something, what a list item is called. */
const NAMES = ['id', 'optionId', 'toolCallId', 'name', 'path', 'uri', 'value'];

/**
 * Items of two lists that are one: called the same, or in the same place where none has a name. They
 * ascend on both sides: of two that changed places, one is missing and extra.
 */
function byName(
  a: readonly (string | undefined)[],
  b: readonly (string | undefined)[],
): Map<number, number> {
  const partners = new Map<number, number>();
  const names = new Map<string, number>();
  b.forEach((name, at) => {
    if (name !== undefined && !names.has(name)) names.set(name, at);
  });
  const isNamed = names.size > 0 && a.some((name) => name !== undefined);
  a.forEach((name, at) => {
    const place = at < b.length ? at : undefined;
    const other = !isNamed ? place : name === undefined ? undefined : names.get(name);
    if (other === undefined) return;
    partners.set(at, other);
    if (name !== undefined) names.delete(name);
  });
  return new Map(rising([...partners]));
}

function nameIn(item: Json, naming: Naming): string | undefined {
  if (!isObject(item)) return undefined;
  for (const key of NAMES) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (typeof value === 'string') return `${key} ${naming(value, key, '')}`;
  }
  return undefined;
}

function leaf(value: Json, key: string, parent: string, naming: Naming): string {
  if (typeof value === 'string') return `"${naming(value, key, parent)}`;
  if (typeof value === 'number') return String(naming(value, key, parent));
  return JSON.stringify(value);
}

/** The whole value in one text, whatever the order of its keys. */
function said(value: Json, key: string, parent: string, naming: Naming, depth: number): string {
  if (depth > DEEPEST || typeof value !== 'object' || value === null)
    return leaf(value, key, parent, naming);
  if (isArray(value))
    return `[${value.map((item) => said(item, key, parent, naming, depth + 1)).join(',')}]`;
  const parts = Object.entries(value).map(
    ([inner, item]: [string, Json]) =>
      `${JSON.stringify(keyName(inner, naming))}:${said(item, inner, key, naming, depth + 1)}`,
  );
  return `{${parts.sort().join(',')}}`;
}

function keyName(key: string, naming: Naming): string {
  return String(naming(key, '', ''));
}

function keyPath(key: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : `['${key.replace(/[\\']/g, '\\$&')}']`;
}

// Many differences of one kind in the items of one list, told as one: a list of models that is another
// one is a single difference to a person.

/** Fewer are told one by one. */
const FEW = 3;

/** In the order in which the first of each kind stands. */
export function foldFields(fields: readonly FieldChange[]): readonly FieldChange[] {
  const kinds = new Map<string, FieldChange[]>();
  for (const field of fields) {
    const key = `${field.kind} ${field.path.replace(/\[\d+\]/g, '[*]')}`;
    const known = kinds.get(key);
    if (known) known.push(field);
    else kinds.set(key, [field]);
  }
  return [...kinds.values()].flatMap((all): readonly FieldChange[] => {
    const [first] = all;
    if (all.length <= FEW || !first) return all;
    const path = first.path.replace(/\[\d+\]/g, '[*]');
    const words = (value: string | undefined) =>
      value === undefined ? undefined : `${count(all.length, 'time')}, first ${value}`;
    const [before, after] = [words(first.before), words(first.after)];
    return [
      {
        path,
        kind: first.kind,
        ...(before !== undefined && { before }),
        ...(after !== undefined && {
          after: first.kind === 'changed' ? (first.after ?? '') : after,
        }),
      },
    ];
  });
}
