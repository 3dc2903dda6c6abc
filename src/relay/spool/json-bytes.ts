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

/** The view of who asked last: lines of one chunk share it, and to make one costs as much as a short line. */
class LastView {
  #view = new DataView<ArrayBufferLike>(new ArrayBuffer(0));

  of({ buffer }: Uint8Array): DataView {
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
    return this.#view;
  }
}
const FROM = new LastView();
const INTO = new LastView();

/** Whether one of four bytes is escaped: a control character, a quote or a backslash. */
function isSpecial(four: number): boolean {
  const quote = four ^ 0x22222222;
  const backslash = four ^ 0x5c5c5c5c;
  const found =
    ((four - 0x20202020) & ~four) |
    ((quote - 0x01010101) & ~quote) |
    ((backslash - 0x01010101) & ~backslash);
  return (found & 0x80808080) !== 0;
}

/** Escapes it into `into` from `at` on, where there is room; the place behind it. */
export function writeEscaped(into: Uint8Array, at: number, utf8: Uint8Array): number {
  const from = FROM.of(utf8);
  const to = INTO.of(into);
  const [start, base] = [utf8.byteOffset, into.byteOffset];
  let end = at;
  for (let i = 0; i < utf8.length;) {
    for (; i + 4 <= utf8.length; i += 4, end += 4) {
      const four = from.getInt32(start + i, true);
      if (isSpecial(four)) break;
      to.setInt32(base + end, four, true);
    }
    for (const stop = Math.min(i + 4, utf8.length); i < stop; i++) {
      const byte = utf8[i] ?? 0;
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) into[end++] = byte;
      else end = writeSpecial(into, end, byte);
    }
  }
  return end;
}

function writeSpecial(into: Uint8Array, at: number, byte: number): number {
  let end = at;
  into[end++] = BACKSLASH;
  into[end++] = LETTERS[byte] ?? 0;
  if (SIZES[byte] !== MOST_ESCAPED) return end;
  into[end++] = HEX[0] ?? 0;
  into[end++] = HEX[0] ?? 0;
  into[end++] = HEX[byte >> 4] ?? 0;
  into[end++] = HEX[byte & 15] ?? 0;
  return end;
}
