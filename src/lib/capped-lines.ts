// Framing with a bound on memory: lines like LineSplitter's, but of a line longer than the cap only
// its head, its tail, its length and its hash are kept. What is read goes on being read: a peer
// that never writes a 0x0A costs no more than the cap.
import { LineSplitter } from './lines.ts';

export interface Caps {
  /** Bytes of the longest line that is kept whole. */
  readonly whole: number;
  /** Bytes kept of the beginning and of the end of a longer one. */
  readonly head: number;
  readonly tail: number;
}

/** 128 MiB is far above what agents send in one line; a lower cap would lose real tool results. */
export const LINE_CAPS: Caps = { whole: 128 << 20, head: 1 << 20, tail: 64 << 10 };

export interface Hasher {
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

export type CappedLine = { readonly kind: 'whole'; readonly line: Uint8Array } | LongLine;

const NEWLINE = 0x0a;

export class CappedLines {
  readonly #lines = new LineSplitter();
  readonly #sha256: () => Hasher;
  readonly #caps: Caps;
  /** The line that passed the cap and has not ended. */
  #long: Long | undefined;

  /** `sha256` makes a fresh hasher; this folder has none of its own. */
  constructor(sha256: () => Hasher, caps = LINE_CAPS) {
    this.#sha256 = sha256;
    this.#caps = caps;
  }

  /** The lines this chunk completes, in order. Whole ones may be views into the chunk. */
  push(chunk: Uint8Array): CappedLine[] {
    const done: CappedLine[] = [];
    let rest = chunk;
    if (this.#long) {
      const end = chunk.indexOf(NEWLINE);
      this.#long.add(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return done;
      done.push(this.#long.end());
      this.#long = undefined;
      rest = chunk.subarray(end + 1);
    }
    for (const line of this.#lines.push(rest)) done.push(this.#fit(line));
    if (this.#lines.held > this.#caps.whole) {
      this.#long = new Long(this.#sha256(), this.#caps);
      for (const piece of this.#lines.take()) this.#long.add(piece);
    }
    return done;
  }

  /** The stream ended: what stands after the last 0x0A, undefined if nothing does. */
  end(): CappedLine | undefined {
    const long = this.#long?.end();
    this.#long = undefined;
    if (long) return long;
    const line = this.#lines.end();
    return line && this.#fit(line);
  }

  #fit(line: Uint8Array): CappedLine {
    if (line.length <= this.#caps.whole) return { kind: 'whole', line };
    const long = new Long(this.#sha256(), this.#caps);
    long.add(line);
    return long.end();
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
      this.#head = join(this.#head, bytes.subarray(0, head - this.#head.length));
    this.#tail =
      bytes.length >= tail
        ? bytes.slice(bytes.length - tail)
        : join(this.#tail.subarray(Math.max(0, this.#tail.length + bytes.length - tail)), bytes);
  }

  end(): LongLine {
    const sha256 = this.#hash.digest('hex');
    return { kind: 'long', bytes: this.#bytes, sha256, head: this.#head, tail: this.#tail };
  }
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
