// Framing for who stands between two peers: exact lines, and of each the bytes that have not gone
// on yet. Of a line that has not ended, what is there may go on before its end comes.
import { joined } from './bytes.ts';

export interface HeldLine {
  /** Without its 0x0A; undefined where it was too long to keep. */
  readonly line: Uint8Array | undefined;
  /** What of it has not gone on, with its 0x0A. */
  readonly rest: Uint8Array;
  /** Its beginning has gone on. */
  readonly isGone: boolean;
}

const NEWLINE = 0x0a;

export class HeldLines {
  readonly #most: number;
  /** The unfinished line: what is kept of it, and what of it has not gone on. */
  #pieces: Uint8Array[] = [];
  #fresh: Uint8Array[] = [];
  #length = 0;
  #held = 0;

  /** `most`: bytes of the longest line that is kept. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes of the unfinished line that have not gone on. */
  get held(): number {
    return this.#held;
  }

  /** The lines this chunk completes. They may be views into it. */
  push(chunk: Uint8Array): HeldLine[] {
    const lines: HeldLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.#finish(chunk.subarray(start, end), chunk.subarray(start, end + 1)));
      start = end + 1;
    }
    // A copy: the caller may reuse its buffer before the line ends.
    if (start < chunk.length) this.#keep(chunk.slice(start));
    return lines;
  }

  /** What has not gone on of the unfinished line; it counts as gone now. */
  letGo(): readonly Uint8Array[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    this.#held = 0;
    return fresh;
  }

  /** The stream ended: what stands after the last 0x0A. Its `rest` has no 0x0A either. */
  end(): HeldLine | undefined {
    const none = new Uint8Array();
    return this.#length === 0 ? undefined : this.#finish(none, none);
  }

  #keep(bytes: Uint8Array): void {
    this.#fresh.push(bytes);
    this.#held += bytes.length;
    this.#length += bytes.length;
    if (this.#length > this.#most) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  #finish(tail: Uint8Array, tailWithEnd: Uint8Array): HeldLine {
    const isKept = this.#length + tail.length <= this.#most;
    const line = isKept ? whole([...this.#pieces, tail]) : undefined;
    const rest = whole([...this.#fresh, tailWithEnd]);
    const isGone = this.#held < this.#length;
    this.#pieces = [];
    this.#fresh = [];
    this.#length = this.#held = 0;
    return { line, rest, isGone };
  }
}

function whole(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only ? only : joined(pieces);
}
