// The bytes of stored blocks that were read last, of all traces together. Rows on screen, searches and
// folds read the same blocks line by line; what was not read for long goes.
import type { StoredBytes } from '../../storage/block-bytes.ts';

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

  /** Throws as the block does. */
  read(block: StoredBytes): Uint8Array {
    const known = this.#kept.get(block);
    if (known && block === this.#newest) return known;
    const bytes = known ?? block.read();
    if (known) this.#kept.delete(block);
    else this.#size += bytes.length;
    this.#kept.set(block, bytes);
    this.#newest = block;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= this.#most || oldest === block) break;
      this.#kept.delete(oldest);
      this.#size -= length;
    }
    return bytes;
  }
}

/** That of this worker. */
export const BLOCKS = new BlockCache();
