// The bytes of a text inside a JSON string, made from its UTF-8: without a string between, which costs
// a recording more than all else. The same as `JSON.stringify`, as a property of the test holds.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** By byte: how many it becomes. */
const SIZES = new Uint8Array(256).fill(1);
/** What stands behind the backslash; of control characters that have no letter, `u`. */
const LETTERS = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const text = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  if (byte >= 0x80 || text.length === 1) continue;
  SIZES[byte] = text.length;
  LETTERS[byte] = text.charCodeAt(1);
}
const HEX = new TextEncoder().encode('0123456789abcdef');

/** The most that one byte becomes. */
export const MOST_ESCAPED = 6;

/** Bytes of it, escaped. */
export function escapedSize(utf8: Uint8Array): number {
  let size = 0;
  for (let i = 0; i < utf8.length; i++) size += SIZES[utf8[i] ?? 0] ?? 0;
  return size;
}

/** Escapes it into `into` from `at` on, where there is room; the place behind it. */
export function writeEscaped(into: Uint8Array, at: number, utf8: Uint8Array): number {
  let end = at;
  for (let i = 0; i < utf8.length; i++) {
    const byte = utf8[i] ?? 0;
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
      into[end++] = byte;
      continue;
    }
    into[end++] = BACKSLASH;
    into[end++] = LETTERS[byte] ?? 0;
    if (SIZES[byte] !== MOST_ESCAPED) continue;
    into[end++] = HEX[0] ?? 0;
    into[end++] = HEX[0] ?? 0;
    into[end++] = HEX[byte >> 4] ?? 0;
    into[end++] = HEX[byte & 15] ?? 0;
  }
  return end;
}
