// JSON Pointers (RFC 6901), made and read.
import { shortened } from './words.ts';

/** A key as it stands in a JSON Pointer. */
export function token(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
function untoken(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The keys and places of a pointer; the empty pointer has none. */
export function tokens(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(untoken);
}

/** `cwd`, or `prompt[0]`: the last field of a pointer with its place in a list. */
export function subject(pointer: string): string {
  const parts = [...tokens(pointer)];
  let places = '';
  while (parts.length > 1 && /^\d+$/.test(parts.at(-1) ?? '')) places = `[${parts.pop()}]${places}`;
  return `\`${shortened(parts.at(-1) ?? 'message')}${places}\``;
}
