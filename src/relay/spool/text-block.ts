// Texts that wait to be written together, kept as bytes: as strings, all that wait would be copied by
// one collection of garbage after another, which cost a flooded relay more than the writing.
import { escapedSize, MOST_ESCAPED, writeEscaped } from './json-bytes.ts';

/** Bytes of a block: each may be twice what the one before took, so that only a flood has large ones. */
const SMALLEST = 64 * 1024;
const LARGEST = 1024 * 1024;

/** A text of which the middle is UTF-8 that stands inside a JSON string and is not escaped yet. */
export interface Quoting {
  readonly before: string;
  readonly utf8: Uint8Array;
  readonly after: string;
}

/** Bytes that a text takes. */
export function textSize(text: string | Quoting): number {
  if (typeof text === 'string') return Buffer.byteLength(text);
  return Buffer.byteLength(text.before) + escapedSize(text.utf8) + Buffer.byteLength(text.after);
}

/** No unit of a text takes more than three bytes. */
function mostSize(text: string | Quoting): number {
  if (typeof text === 'string') return text.length * 3;
  const { before, utf8, after } = text;
  return (before.length + after.length) * 3 + utf8.length * MOST_ESCAPED;
}

/** A text in a block, and the events it stands for; none where `first` is past `last`. */
interface TextEntry {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly last: number;
}

export class TextBlock {
  readonly #bytes: Buffer;
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  readonly #ends: number[] = [];
  #isFull = false;
  /** Entries that are in the file. */
  #written = 0;

  /** Has room for the text. `before`: the block that had none. */
  constructor(text: string | Quoting, before?: TextBlock) {
    const due = Math.min(LARGEST, Math.max(SMALLEST, 2 * (before ? before.#taken : 0)));
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(due, textSize(text)));
  }

  /** The bytes it took; undefined: it has no room, or is being written. */
  add(text: string | Quoting, first: number, last: number): number | undefined {
    const at = this.#taken;
    const room = this.#bytes.length - at;
    if (this.#isFull || (mostSize(text) > room && textSize(text) > room)) return undefined;
    const end = this.#write(text, at);
    this.#firsts.push(first);
    this.#lasts.push(last);
    this.#ends.push(end);
    return end - at;
  }

  #write(text: string | Quoting, at: number): number {
    const into = this.#bytes;
    if (typeof text === 'string') return at + into.write(text, at);
    const middle = writeShort(into, at, text.before);
    return writeShort(into, writeEscaped(into, middle, text.utf8), text.after);
  }

  /** Entries that wait. */
  get length(): number {
    return this.#ends.length - this.#written;
  }

  /** It stands for no event. */
  get isOpening(): boolean {
    return (this.#firsts[0] ?? 0) > (this.#lasts[0] ?? 0);
  }

  /** What waits, from the first entry on; nothing is added to it any more. */
  close(): Uint8Array {
    this.#isFull = true;
    return this.#bytes.subarray(this.#start(this.#written), this.#taken);
  }

  /** Those that wait and end within so many bytes of them, and the bytes they have. */
  wholeIn(size: number): { readonly count: number; readonly bytes: number } {
    const start = this.#start(this.#written);
    const past = this.#ends.findIndex((end, at) => at >= this.#written && end > start + size);
    const to = past < 0 ? this.#ends.length : past;
    return { count: to - this.#written, bytes: this.#start(to) - start };
  }

  /** The first of those that wait are in the file: the bytes of all, and the newest of them. */
  drop(count: number, most: number): { readonly bytes: number; readonly newest: TextEntry[] } {
    const [from, to] = [this.#written, this.#written + count];
    this.#written = to;
    return {
      bytes: this.#start(to) - this.#start(from),
      newest: [...this.#entries(Math.max(from, to - most), to)],
    };
  }

  [Symbol.iterator](): Generator<TextEntry> {
    return this.#entries(this.#written, this.#ends.length);
  }

  *#entries(from: number, to: number): Generator<TextEntry> {
    for (let at = from; at < to; at++)
      yield {
        bytes: this.#bytes.subarray(this.#start(at), this.#start(at + 1)),
        first: this.#firsts[at] ?? 0,
        last: this.#lasts[at] ?? 0,
      };
  }

  /** Bytes that are in use. */
  get #taken(): number {
    return this.#start(this.#ends.length);
  }

  #start(at: number): number {
    return this.#ends[at - 1] ?? 0;
  }
}

/** A call of `write` costs more than a loop over a hundred units of ASCII. */
function writeShort(into: Buffer, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return at + into.write(text, at);
    into[at + i] = unit;
  }
  return at + text.length;
}
