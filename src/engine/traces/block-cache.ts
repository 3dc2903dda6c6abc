// The bytes of stored blocks that were read last, of all traces together. Rows on screen, searches and
// folds read the same blocks line by line; what was not read for long goes.
import { readTogether, type StoredBytes } from '../../storage/block-bytes.ts';

/** Bytes kept. A block is larger only where one line is. */
const MOST = 32 * 1024 * 1024;

export class BlockCache {
  readonly #most: number;
  readonly #kept = new Map<StoredBytes, Uint8Array>();
  #newest: StoredBytes | undefined;
  #size = 0;

  constructor(most = MOST) {
    this.#most = most;
  }

  has(block: StoredBytes): boolean {
    return this.#kept.has(block);
  }

  /** `ahead`: those behind it that are wanted next, if it must be read. Throws as the block does. */
  read(block: StoredBytes, ahead: () => readonly StoredBytes[]): Uint8Array {
    if (block !== this.#newest) this.#renew(block, ahead);
    return this.#kept.get(block) ?? new Uint8Array();
  }

  #renew(block: StoredBytes, ahead: () => readonly StoredBytes[]): void {
    const known = this.#kept.get(block);
    if (known) {
      this.#kept.delete(block);
      this.#kept.set(block, known);
    } else {
      const blocks = [block, ...ahead()];
      // The one that was asked for last: it stays longest.
      for (const [at, bytes] of [...readTogether(blocks).entries()].reverse()) {
        const one = blocks[at];
        if (!one || this.#kept.has(one)) continue;
        this.#kept.set(one, bytes);
        this.#size += bytes.length;
      }
    }
    this.#newest = block;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= this.#most || oldest === block) break;
      this.#kept.delete(oldest);
      this.#size -= length;
    }
  }
}

/** That of this worker. */
export const BLOCKS = new BlockCache();
