// Reading JSON that nobody vouches for: every helper gives undefined where the value is not there
// or of another type. Only own keys count, so `__proto__` and `constructor` are keys like any other.

/** JSON as JSON.parse gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** The way to a value: names of fields and places in lists. */
export type JsonPath = readonly (string | number)[];
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Undefined: the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
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
