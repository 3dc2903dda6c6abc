// Texts that wait to be written together, kept as bytes: as strings, all that wait would be copied by
// one collection of garbage after another, which cost a flooded relay more than the writing.
import { encodeUtf8 } from '../../lib/utf8.ts';
import { aroundText } from '../../trace/format.ts';
import { escapedSize, writeEscaped } from './json-bytes.ts';

/** Bytes of a block: each may be twice what the one before took, so that only a flood has large ones. */
const SMALLEST = 64 * 1024;
const LARGEST = 2 * 1024 * 1024;
/**
 * Memory of blocks that are written, for those to come, the smallest first: to be given it anew, and to
 * have it collected, costs a flooded tap as much as all it writes there.
 */
const SPARE: Buffer[] = [];
const MOST_SPARE = 3;
const ZERO = 0x30;

/** Bytes that stand around a number and a text behind it: the same for many. */
export interface Around {
  readonly number: Uint8Array;
  readonly text: Uint8Array;
  readonly end: Uint8Array;
}

/** A text of which the middle is UTF-8 that stands inside a JSON string and is not escaped yet. */
export interface Quoting {
  readonly around: Around;
  /** Whole, and not below 0. */
  readonly number: number;
  readonly utf8: Uint8Array;
  /** Where in `utf8` it starts and stops. */
  readonly start: number;
  readonly stop: number;
}

/** Of a frame's line, around its seq and its own text. */
export function aroundBytes(...facts: Parameters<typeof aroundText>): Around {
  const [number, text, end] = aroundText(...facts);
  return { number: encodeUtf8(number), text: encodeUtf8(text), end: encodeUtf8(`${end}\n`) };
}

/** Digits of the greatest safe integer. */
const MOST_DIGITS = 16;
/** What is escaped makes few texts longer than this. */
const LIKELY_GROWTH = 1.25;

/** Bytes that a text takes if this is what its middle does. */
function sizeWith(text: string | Quoting, middle: (quoting: Quoting) => number): number {
  if (typeof text === 'string') return Buffer.byteLength(text);
  const { number, text: front, end } = text.around;
  return number.length + MOST_DIGITS + front.length + Math.ceil(middle(text)) + end.length;
}

const likely = ({ start, stop }: Quoting) => (stop - start) * LIKELY_GROWTH;
const exact = ({ utf8, start, stop }: Quoting) => escapedSize(utf8, start, stop);

function memoryOf(size: number): Buffer {
  const at = SPARE.findIndex(({ length }) => length >= size);
  return (at < 0 ? undefined : SPARE.splice(at, 1)[0]) ?? Buffer.allocUnsafeSlow(size);
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

  private constructor(size: number) {
    this.#bytes = memoryOf(size);
  }

  /** One that begins with the text. `before`: the block that had no room for it. */
  static of(text: string | Quoting, first: number, last: number, before?: TextBlock): TextBlock {
    const due = Math.min(LARGEST, Math.max(SMALLEST, 2 * (before ? before.size : 0)));
    const block = new TextBlock(Math.max(due, sizeWith(text, likely)));
    if (block.add(text, first, last) !== undefined) return block;
    block.release();
    const roomy = new TextBlock(sizeWith(text, exact));
    roomy.add(text, first, last);
    return roomy;
  }

  /** All of it is written, and nobody reads it any more. */
  release(): void {
    if (this.#bytes.length > LARGEST) return;
    SPARE.push(this.#bytes);
    SPARE.sort((a, b) => a.length - b.length);
    if (SPARE.length > MOST_SPARE) SPARE.shift();
  }

  /** The bytes it took; undefined: it has no room, or is being written. */
  add(text: string | Quoting, first: number, last: number): number | undefined {
    const at = this.size;
    const end = this.#isFull ? undefined : this.#write(text, at);
    if (end === undefined) return undefined;
    this.#firsts.push(first);
    this.#lasts.push(last);
    this.#ends.push(end);
    return end - at;
  }

  /** Where it ends; undefined: there is no room for it. */
  #write(text: string | Quoting, at: number): number | undefined {
    const into = this.#bytes;
    const room = into.length - at;
    if (typeof text === 'string') {
      // No unit takes more than three bytes.
      const fits = text.length * 3 <= room || Buffer.byteLength(text) <= room;
      return fits ? at + into.write(text, at) : undefined;
    }
    const { around, number, utf8, start, stop } = text;
    const beside = around.number.length + MOST_DIGITS + around.text.length + around.end.length;
    if (beside + stop - start > room) return undefined;
    let end = writeBytes(into, at, around.number);
    end = writeNumber(into, end, number);
    end = writeBytes(into, end, around.text);
    const behind = writeEscaped(into, end, utf8, start, stop);
    if (behind === undefined || behind + around.end.length > into.length) return undefined;
    return writeBytes(into, behind, around.end);
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
    return this.#bytes.subarray(this.#start(this.#written), this.size);
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
  get size(): number {
    return this.#start(this.#ends.length);
  }

  #start(at: number): number {
    return this.#ends[at - 1] ?? 0;
  }
}

function writeBytes(into: Uint8Array, at: number, bytes: Uint8Array): number {
  into.set(bytes, at);
  return at + bytes.length;
}

/** In digits, without a text between. */
function writeNumber(into: Uint8Array, at: number, number: number): number {
  let end = at + 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) end++;
  for (let i = end - 1, rest = number; i >= at; i--, rest = Math.floor(rest / 10))
    into[i] = ZERO + (rest % 10);
  return end;
}
