// Bytes as they come, of which the last so many are kept. A value: pushing gives another, which
// shares the pieces it has.
import { PersistentList } from '../../lib/persistent-list.ts';

/** Dropped pieces are let go of when they are so many, and more than are kept. */
const DROPPED = 256;

export class TailBytes {
  readonly #cap: number;
  readonly #pieces: PersistentList<Uint8Array>;
  /** Pieces before this one are dropped. */
  readonly #from: number;
  /** Of the pieces that are kept: the cap, and what is over of the first of them. */
  readonly #size: number;
  /** All that ever came. */
  readonly total: number;

  private constructor(
    cap: number,
    pieces: PersistentList<Uint8Array>,
    from: number,
    size: number,
    total: number,
  ) {
    this.#cap = cap;
    this.#pieces = pieces;
    this.#from = from;
    this.#size = size;
    this.total = total;
  }

  static of(cap: number, bytes: Uint8Array = new Uint8Array()): TailBytes {
    return new TailBytes(cap, PersistentList.empty(), 0, 0, 0).push(bytes);
  }

  /** How many bytes are kept. */
  get length(): number {
    return Math.min(this.#size, this.#cap);
  }

  push(bytes: Uint8Array): TailBytes {
    if (bytes.length === 0) return this;
    const piece = bytes.length > this.#cap ? bytes.subarray(-this.#cap) : bytes;
    let pieces = this.#pieces.push(piece);
    let from = this.#from;
    let size = this.#size + piece.length;
    for (let first = pieces.get(from); first && size - first.length >= this.#cap;) {
      size -= first.length;
      first = pieces.get(++from);
    }
    if (from > DROPPED && from > pieces.length / 2) {
      pieces = pieces
        .slice(from, pieces.length)
        .reduce<PersistentList<Uint8Array>>((list, one) => list.push(one), PersistentList.empty());
      from = 0;
    }
    return new TailBytes(this.#cap, pieces, from, size, this.total + bytes.length);
  }

  /** The last bytes, at most so many. */
  bytes(most: number = this.#cap): Uint8Array<ArrayBuffer> {
    const wanted = Math.min(most, this.length);
    const bytes = new Uint8Array(wanted);
    let end = wanted;
    for (let at = this.#pieces.length - 1; end > 0 && at >= 0; at--) {
      const piece = this.#pieces.get(at) ?? new Uint8Array();
      const part = piece.subarray(Math.max(0, piece.length - end));
      end -= part.length;
      bytes.set(part, end);
    }
    return bytes;
  }
}
