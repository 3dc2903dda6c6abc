// The bytes of a text inside a JSON string, made from its UTF-8: without a string between, which costs
// a recording more than all else. The same as `JSON.stringify`, as a property of the test holds.

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
const MOST_ESCAPED = 6;

/** Bytes of it, escaped. */
export function escapedSize(utf8: Uint8Array, start = 0, stop = utf8.length): number {
  const from = FROM.of(utf8);
  const base = utf8.byteOffset;
  let size = stop - start;
  let i = start;
  for (; i + 4 <= stop; i += 4)
    if (specialIn(from.getInt32(base + i, true)) !== 0)
      for (let at = i; at < i + 4; at++) size += (SIZES[utf8[at] ?? 0] ?? 0) - 1;
  for (; i < stop; i++) size += (SIZES[utf8[i] ?? 0] ?? 0) - 1;
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

/**
 * Of four bytes: the lowest bit that is set is bit 7 of the first that is escaped, a control character,
 * a quote or a backslash; bits above it may be set for nothing. 0: none is.
 */
function specialIn(four: number): number {
  const control = four - 0x20202020;
  const quote = (four ^ 0x22222222) - 0x01010101;
  const backslash = (four ^ 0x5c5c5c5c) - 0x01010101;
  return (control | quote | backslash) & ~four & 0x80808080;
}

/** Bytes that are looked at together, and so many words of eight that stay as they are before that is tried. */
const STRETCH = 32;
const CALM = 16;
/** A shorter stretch is copied word by word. */
const LONG = 512;

/** Where the bytes that stay as they are end, or a little before that. */
function calmUntil(from: DataView, start: number, stop: number): number {
  let i = start;
  for (; i + STRETCH <= stop; i += STRETCH) {
    const special =
      specialIn(from.getInt32(i, true)) |
      specialIn(from.getInt32(i + 4, true)) |
      specialIn(from.getInt32(i + 8, true)) |
      specialIn(from.getInt32(i + 12, true)) |
      specialIn(from.getInt32(i + 16, true)) |
      specialIn(from.getInt32(i + 20, true)) |
      specialIn(from.getInt32(i + 24, true)) |
      specialIn(from.getInt32(i + 28, true));
    if (special !== 0) break;
  }
  return i;
}

/** How many of the four stand before the first of these. */
function cleanBefore(special: number): number {
  return (31 - Math.clz32(special & -special)) >> 3;
}

/** Escapes these bytes of it into `into` from `at` on; the place behind them, undefined: there is no room. */
export function writeEscaped(
  into: Uint8Array,
  at: number,
  utf8: Uint8Array,
  start = 0,
  stop = utf8.length,
): number | undefined {
  const [from, to] = [FROM.of(utf8), INTO.of(into)];
  const [base, intoBase] = [utf8.byteOffset, into.byteOffset];
  // Seven that stay as they are, and one that does not.
  const roomy = into.length - 7 - MOST_ESCAPED;
  let end = at;
  let i = start;
  let calm = 0;
  while (i + 8 <= stop && end <= roomy) {
    if (calm === CALM) {
      // A long stretch is copied at once, which costs a tenth of looking at it.
      const size = Math.min(calmUntil(from, base + i, base + stop) - base - i, roomy - end);
      calm = size < LONG ? 0 - (size >> 3) : 0;
      if (size >= LONG) {
        into.set(utf8.subarray(i, i + size), end);
        i += size;
        end += size;
        continue;
      }
    }
    const four = from.getInt32(base + i, true);
    const next = from.getInt32(base + i + 4, true);
    // All eight, whatever they are: what is escaped stands over those behind it.
    to.setInt32(intoBase + end, four, true);
    to.setInt32(intoBase + end + 4, next, true);
    const special = specialIn(four);
    const later = specialIn(next);
    const isClean = (special | later) === 0;
    const clean = isClean ? 8 : special === 0 ? 4 + cleanBefore(later) : cleanBefore(special);
    i += clean;
    end += clean;
    calm++;
    if (isClean) continue;
    end = writeSpecial(into, end, utf8[i++] ?? 0);
    calm = 0;
  }
  for (; i < stop; i++) {
    const byte = utf8[i] ?? 0;
    const size = SIZES[byte] ?? 0;
    if (end + size > into.length) return undefined;
    if (size === 1) into[end++] = byte;
    else end = writeSpecial(into, end, byte);
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
