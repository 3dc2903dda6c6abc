// Reading JSON that nobody vouches for: every helper gives undefined where the value is not there
// or of another type. Only own keys count, so `__proto__` and `constructor` are keys like any other.

import { nestsDeeper } from '../lib/json-scan.ts';

/** JSON as JSON.parse gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** The way to a value: names of fields and places in lists. */
export type JsonPath = readonly (string | number)[];
export interface JsonObject {
  readonly [key: string]: Json;
}

/** How deep a value nests that is looked into: what looks recurses. */
const MAX_DEPTH = 500;
const TOO_DEEP = `nested more than ${MAX_DEPTH} deep`;

/** The value of a JSON text, as JSON.parse gives it; words replace what nests too deep. Throws as JSON.parse does. */
export function boundedJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (nestsDeeper(text, MAX_DEPTH)) cut(value);
  return value;
}

type Container = Record<string, Json>;

/** Replaces what nests too deep, level by level. */
function cut(value: Json): void {
  let level = [{ value }] as Container[];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const next: Container[] = [];
    for (const container of level)
      for (const key of Object.keys(container)) {
        const inner = container[key];
        if (typeof inner !== 'object' || inner === null) continue;
        if (depth < MAX_DEPTH) next.push(inner as Container);
        else container[key] = TOO_DEEP;
      }
    level = next;
  }
}

/** Undefined: the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return boundedJson(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of an own key of an object; undefined for every other value. */
export function get(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function str(value: Json | undefined, key: string): string | undefined {
  const found = get(value, key);
  return typeof found === 'string' ? found : undefined;
}

export function num(value: Json | undefined, key: string): number | undefined {
  const found = get(value, key);
  return typeof found === 'number' ? found : undefined;
}

export function obj(value: Json | undefined, key: string): JsonObject | undefined {
  const found = get(value, key);
  return isObject(found) ? found : undefined;
}

/** The array under a key, empty where there is none. */
export function arr(value: Json | undefined, key: string): readonly Json[] {
  const found = get(value, key);
  return isArray(found) ? found : [];
}

/** The objects of the array under a key; its other items are left out. */
export function objects(value: Json | undefined, key: string): readonly JsonObject[] {
  return arr(value, key).filter(isObject);
}

/** Compact JSON; JSON nested too deep to write has a word instead. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'nested too deep to show';
  }
}

/** "an object", "a string": what a value is, in a person's words. */
export function typeWords(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
