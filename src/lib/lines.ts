// Framing: bytes in, exact lines out. A line is what stands between two 0x0A, whatever it holds:
// a CR stays, an empty line is a line, nothing is decoded. Chunks may be cut anywhere. The work
// grows with the bytes given, also for one line of many megabytes: only new bytes are searched,
// and a line's pieces are joined once; and what is held costs its bytes, however small the chunks.
import { joined } from './bytes.ts';

const NEWLINE = 0x0a;
/** A line that comes in many chunks is held in blocks of this size. */
const BLOCK = 64 * 1024;

export class LineSplitter {
  #pieces: Uint8Array[] = [];
  /** The piece that is being filled, from the second on. */
  #block = new Uint8Array();
  #filled = 0;
  #held = 0;

  /** Bytes of the unfinished line so far. */
  get held(): number {
    return this.#held;
  }

  /**
   * The lines this chunk completes, in order, without their 0x0A. Lines are views into the chunk
   * where possible: copy them if the chunk's memory will be reused.
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      lines.push(this.#finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  /** The stream ended: the bytes after the last 0x0A, undefined if there are none. */
  end(): Uint8Array | undefined {
    return this.#held === 0 ? undefined : this.#finish(new Uint8Array());
  }

  /** The pieces of the unfinished line, given up: it begins anew with the next chunk. */
  take(): readonly Uint8Array[] {
    const pieces = this.#pieces;
    if (this.#filled > 0) pieces.push(this.#block.subarray(0, this.#filled));
    this.#pieces = [];
    this.#block = new Uint8Array();
    this.#filled = 0;
    this.#held = 0;
    return pieces;
  }

  /** Copies: the caller may reuse its buffer before the line ends. */
  #hold(bytes: Uint8Array): void {
    this.#held += bytes.length;
    if (this.#pieces.length === 0) return void this.#pieces.push(new Uint8Array(bytes));
    for (let at = 0; at < bytes.length;) {
      if (this.#filled === this.#block.length) {
        if (this.#filled > 0) this.#pieces.push(this.#block);
        this.#block = new Uint8Array(BLOCK);
        this.#filled = 0;
      }
      const part = bytes.subarray(at, at + BLOCK - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
    }
  }

  #finish(tail: Uint8Array): Uint8Array {
    if (this.#held === 0) return tail;
    return joined([...this.take(), tail]);
  }
}
