// JSON Pointers (RFC 6901), made and read.
import { get, isArray, type Json, type JsonPath } from './json.ts';

/** A key as it stands in a JSON Pointer. */
export function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The keys and places of a pointer; the empty pointer has none. */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `/steps/3/within`; the empty pointer is the whole. */
export function pointerOf(path: JsonPath): string {
  return path.map((key) => `/${pointerPart(String(key))}`).join('');
}

/** Undefined: nothing stands there. */
export function valueAt(value: Json | undefined, path: JsonPath): Json | undefined {
  let here = value;
  for (const key of path) {
    const name = String(key);
    here = isArray(here) ? (/^\d+$/.test(name) ? here[Number(name)] : undefined) : get(here, name);
  }
  return here;
}
