// What differs between two JSON values, by path, once aliases stand for what differs in any run.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { FieldChange } from './report/report.ts';
import { align, rising, type Pair } from '../../lib/align.ts';
import { defined } from '../../lib/defined.ts';
import { count } from '../../lib/format.ts';
import { grouped } from '../../lib/grouped.ts';
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

/** Where two values stand that are held against each other. */
interface Spot {
  readonly path: string;
  readonly key: string;
  readonly parent: string;
  readonly depth: number;
}

/** In the order of the left value. Nothing: they say the same. */
export function jsonChanges(before: Json, after: Json, left: Naming, right: Naming): JsonChange[] {
  const found: JsonChange[] = [];

  const compare = (a: Json, b: Json, at: Spot): void => {
    const { path, key, parent, depth } = at;
    if (depth < DEEPEST && isObject(a) && isObject(b)) return objects(a, b, at);
    if (depth < DEEPEST && isArray(a) && isArray(b)) return items(a, b, at);
    if (leaf(a, key, parent, left) !== leaf(b, key, parent, right))
      found.push({ path, kind: 'changed', before: a, after: b });
  };

  const objects = (a: JsonObject, b: JsonObject, { path, key, depth }: Spot): void => {
    const partners = keyPairs(a, b, left, right);
    for (const [inner, value] of Object.entries(a)) {
      const at = path + keyPath(inner);
      const other = partners.get(inner);
      if (other === undefined) found.push({ path: at, kind: 'missing', before: value });
      else
        compare(value, b[other] ?? null, { path: at, key: inner, parent: key, depth: depth + 1 });
    }
    const taken = new Set(partners.values());
    for (const [inner, value] of Object.entries(b))
      if (!taken.has(inner))
        found.push({ path: path + keyPath(inner), kind: 'extra', after: value });
  };

  const items = (a: readonly Json[], b: readonly Json[], at: Spot): void => {
    const { path, key, parent } = at;
    const text = (naming: Naming) => (item: Json) => said(item, key, parent, naming, 0);
    let [i, j] = [0, 0];
    for (const [x, y] of [
      ...common(a.map(text(left)), b.map(text(right))),
      [a.length, b.length] as const,
    ]) {
      // Between what is the same, an item that is called the same has changed; else it is another.
      const partners = byName(
        a.slice(i, x).map((item) => nameIn(item, left)),
        b.slice(j, y).map((item) => nameIn(item, right)),
      );
      const taken = new Set(partners.values());
      for (let place = i; place < x; place++) {
        const other = partners.get(place - i);
        const [value = null, inner] = [a[place], `${path}[${place}]`];
        if (other === undefined) found.push({ path: inner, kind: 'missing', before: value });
        else compare(value, b[j + other] ?? null, { ...at, path: inner, depth: at.depth + 1 });
      }
      for (let place = j; place < y; place++)
        if (!taken.has(place - j))
          found.push({ path: `${path}[${place}]`, kind: 'extra', after: b[place] ?? null });
      [i, j] = [x + 1, y + 1];
    }
  };

  compare(before, after, { path: '$', key: '', parent: '', depth: 0 });
  return found;
}

/** Keys of the one by those of the other that are the same: some are ids, or paths. */
function keyPairs(
  a: JsonObject,
  b: JsonObject,
  left: Naming,
  right: Naming,
): ReadonlyMap<string, string> {
  const partners = new Map<string, string>();
  const alone = Object.keys(a).filter((key) => !Object.hasOwn(b, key));
  for (const key of Object.keys(a)) if (Object.hasOwn(b, key)) partners.set(key, key);
  if (alone.length === 0) return partners;
  const others = Object.keys(b).filter((key) => !Object.hasOwn(a, key));
  const names = new Map(others.map((key) => [keyName(key, right), key]));
  for (const key of alone) {
    const name = keyName(key, left);
    const other = names.get(name);
    if (other !== undefined) partners.set(key, other);
    names.delete(name);
  }
  return partners;
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
  const pathOf = ({ path }: FieldChange) => path.replace(/\[\d+\]/g, '[*]');
  const kinds = grouped(fields, (field) => `${field.kind} ${pathOf(field)}`);
  return [...kinds.values()].flatMap((all): readonly FieldChange[] => {
    const [first] = all;
    if (all.length <= FEW || !first) return all;
    const words = (value: string | undefined) =>
      value === undefined ? undefined : `${count(all.length, 'time')}, first ${value}`;
    const { kind, before, after } = first;
    const now = kind === 'changed' ? after : words(after);
    return [{ path: pathOf(first), kind, ...defined({ before: words(before), after: now }) }];
  });
}
