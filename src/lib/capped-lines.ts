// Framing with a bound on memory: lines like LineSplitter's, but long ones stay in the pieces they
// came in, and of a line longer than the cap only its head, its tail, its length and its hash are
// kept. What is read goes on being read: a peer that never writes a 0x0A costs no more than the cap.
import { joined, sizeOf } from './bytes.ts';
import { LineSplitter } from './lines.ts';

interface Caps {
  /** Bytes of the longest line that is kept whole. */
  readonly whole: number;
  /** Bytes kept of the beginning and of the end of a longer one. */
  readonly head: number;
  readonly tail: number;
}

/** 128 MiB is far above what agents send in one line; a lower cap would lose real tool results. */
export const LINE_CAPS: Caps = { whole: 128 << 20, head: 1 << 20, tail: 64 << 10 };

interface Hasher {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex'): string;
}

/** What is kept of a line longer than the cap. */
export interface LongLine {
  readonly kind: 'long';
  /** Of the whole line, without its 0x0A. */
  readonly bytes: number;
  readonly sha256: string;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** A line without its 0x0A, in one piece or several. */
export interface WholeLine {
  readonly kind: 'whole';
  readonly pieces: readonly Uint8Array[];
}

export type CappedLine = WholeLine | LongLine;

/** What a chunk completes, in order. */
interface CutChunk {
  /** The line that an earlier chunk began. */
  readonly begun: CappedLine | undefined;
  /** Those that stand in the chunk whole, each with its 0x0A: a view into it. */
  readonly whole: Uint8Array;
}

const NEWLINE = 0x0a;
/** A chunk of this size is held as it is. */
const LARGE = 16 * 1024;

/** Its bytes in one piece, if need be put together in `memory`; of one too long to keep, its head. */
export function bytesOf(line: CappedLine, memory?: Uint8Array<ArrayBuffer>): Uint8Array {
  if (line.kind === 'long') return line.head;
  const { pieces } = line;
  if (pieces.length === 1 && pieces[0]) return pieces[0];
  return joined(pieces, memory);
}

/** What is kept of a line that is too long, from all of its pieces. */
export function cutDown(
  pieces: Iterable<Uint8Array>,
  sha256: () => Hasher,
  caps = LINE_CAPS,
): LongLine {
  const long = new Long(sha256(), caps);
  for (const piece of pieces) long.add(piece);
  return long.end();
}

export class CappedLines {
  readonly #lines = new LineSplitter();
  /** Of the line that has not ended, what stands before that in `#lines`; and the bytes of both. */
  #pieces: Uint8Array[] = [];
  #held = 0;
  readonly #sha256: () => Hasher;
  readonly #caps: Caps;
  /** The line that passed the cap and has not ended. */
  #long: Long | undefined;

  /** `sha256` makes a fresh hasher; this folder has none of its own. Nobody writes into a chunk again. */
  constructor(sha256: () => Hasher, caps = LINE_CAPS) {
    this.#sha256 = sha256;
    this.#caps = caps;
  }

  /** A line has begun and not ended. */
  get isInside(): boolean {
    return this.#long !== undefined || this.#held > 0;
  }

  /** The lines this chunk completes, in order. Short ones may be views into the chunk. */
  push(chunk: Uint8Array): CappedLine[] {
    const { begun, whole } = this.cut(chunk);
    const done = begun ? [begun] : [];
    for (const line of new LineSplitter().push(whole)) done.push(this.#fit([line]));
    return done;
  }

  /** The same, and those that came together stay together: to tell them apart costs more than to cut them. */
  cut(chunk: Uint8Array): CutChunk {
    const first = this.isInside ? chunk.indexOf(NEWLINE) + 1 : 0;
    const begun = first > 0 ? this.#finish(chunk.subarray(0, first - 1)) : undefined;
    const last = this.isInside ? 0 : chunk.lastIndexOf(NEWLINE) + 1;
    if (last < chunk.length) this.#hold(chunk.subarray(last));
    return { begun, whole: chunk.subarray(first, Math.max(first, last)) };
  }

  /** The stream ended: what stands after the last 0x0A, undefined if nothing does. */
  end(): CappedLine | undefined {
    return this.isInside ? this.#finish(new Uint8Array()) : undefined;
  }

  #hold(rest: Uint8Array): void {
    if (this.#long) return this.#long.add(rest);
    // What is held costs its bytes: a small part of a buffer must not keep all of it.
    const isLarge = rest.length >= LARGE && 2 * rest.length >= rest.buffer.byteLength;
    if (isLarge) this.#pieces.push(...this.#lines.take(), rest);
    else this.#lines.push(rest);
    this.#held += rest.length;
    if (this.#held <= this.#caps.whole) return;
    this.#long = new Long(this.#sha256(), this.#caps);
    for (const piece of this.#take()) this.#long.add(piece);
  }

  #take(): Uint8Array[] {
    const pieces = [...this.#pieces, ...this.#lines.take()];
    this.#pieces = [];
    this.#held = 0;
    return pieces;
  }

  #finish(tail: Uint8Array): CappedLine {
    const long = this.#long;
    this.#long = undefined;
    if (long) {
      long.add(tail);
      return long.end();
    }
    // A copy of the tail: a view would keep the whole chunk as long as the line waits.
    return this.#fit([...this.#take(), new Uint8Array(tail)]);
  }

  #fit(pieces: readonly Uint8Array[]): CappedLine {
    if (sizeOf(pieces) <= this.#caps.whole) return { kind: 'whole', pieces };
    return cutDown(pieces, this.#sha256, this.#caps);
  }
}

class Long {
  readonly #hash: Hasher;
  readonly #caps: Caps;
  #bytes = 0;
  #head = new Uint8Array();
  #tail = new Uint8Array();

  constructor(hash: Hasher, caps: Caps) {
    this.#hash = hash;
    this.#caps = caps;
  }

  add(bytes: Uint8Array): void {
    const { head, tail } = this.#caps;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    if (this.#head.length < head)
      this.#head = joined([this.#head, bytes.subarray(0, head - this.#head.length)]);
    this.#tail =
      bytes.length >= tail
        ? bytes.slice(bytes.length - tail)
        : joined([
            this.#tail.subarray(Math.max(0, this.#tail.length + bytes.length - tail)),
            bytes,
          ]);
  }

  end(): LongLine {
    const sha256 = this.#hash.digest('hex');
    return { kind: 'long', bytes: this.#bytes, sha256, head: this.#head, tail: this.#tail };
  }
}
