// The bytes of stored blocks that were read last, of all traces together. Rows on screen, searches and
// folds read the same blocks line by line; what was not read for long goes.
import { readTogether, type StoredBytes } from '../../storage/block-bytes.ts';
import { BLOCK_BYTES } from '../../storage/blocks.ts';

/** Bytes kept. A block is larger only where one line is. */
const MOST = 32 * 1024 * 1024;
/** Bytes read ahead, at most and at first, for who reads one block after the other. */
const AHEAD = 4 * 1024 * 1024;
const LEAST = 512 * 1024;
/** A full block and what its last line has beyond that, mostly; others take their own. */
const ROOM = BLOCK_BYTES * 1.25;

/** Bytes of a trace behind those of the piece before. */
export interface Piece {
  /** Of all bytes of the trace. */
  readonly begin: number;
  readonly bytes: Uint8Array | StoredBytes;
}

export class BlockCache {
  readonly #most: number;
  readonly #kept = new Map<Piece['bytes'], Uint8Array>();
  #newest: StoredBytes | undefined;
  #size = 0;
  /** What blocks were made in, of which those that were forgotten are free: a comparison reads a gigabyte, and what it
   * took anew each time, browsers gave back late. */
  readonly #rooms = new WeakSet<ArrayBufferLike>();
  readonly #free: ArrayBuffer[] = [];
  /** Bytes read ahead the last time. */
  #ahead = 0;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** What the piece at this place holds, until as much again as is kept was read. Throws as its block does. */
  read(pieces: readonly Piece[], at: number): Uint8Array {
    const block = pieces[at]?.bytes ?? new Uint8Array();
    if (block instanceof Uint8Array) return block;
    if (block !== this.#newest) {
      if (!this.#kept.has(block)) this.#fetch(block, ...this.#behind(pieces, at));
      const bytes = this.#kept.get(block) ?? new Uint8Array();
      // The one that was asked for last stays longest.
      this.#kept.delete(block);
      this.#kept.set(block, bytes);
      this.#newest = block;
      this.#forget();
    }
    return this.#kept.get(block) ?? new Uint8Array();
  }

  #room = (size: number): ArrayBuffer | undefined => {
    if (size > ROOM || size * 2 < ROOM) return undefined;
    const room = this.#free.pop() ?? new ArrayBuffer(ROOM);
    this.#rooms.add(room);
    return room;
  };

  #fetch(...blocks: StoredBytes[]): void {
    for (const [at, bytes] of readTogether(blocks, this.#room).entries()) {
      const block = blocks[at];
      if (!block) continue;
      this.#kept.set(block, bytes);
      this.#size += bytes.length;
    }
  }

  /** Who came from the block before wants those behind this one, too: the more, the longer that goes on. */
  #behind(pieces: readonly Piece[], at: number): StoredBytes[] {
    const before = pieces[at - 1]?.bytes;
    const follows = before !== undefined && this.#kept.has(before);
    this.#ahead = follows ? Math.min(AHEAD, this.#ahead * 2 + LEAST) : 0;
    const behind: StoredBytes[] = [];
    let size = 0;
    for (let next = at + 1; next < pieces.length; next++) {
      const { bytes = undefined } = pieces[next] ?? {};
      if (!bytes || bytes instanceof Uint8Array || this.#kept.has(bytes)) break;
      if ((size += bytes.size) > this.#ahead) break;
      behind.push(bytes);
    }
    return behind;
  }

  #forget(): void {
    for (const [oldest, { length, buffer }] of this.#kept) {
      if (this.#size <= this.#most || oldest === this.#newest) break;
      this.#kept.delete(oldest);
      this.#size -= length;
      if (this.#rooms.has(buffer)) this.#free.push(buffer as ArrayBuffer);
    }
  }
}

/** That of this worker. */
export const BLOCKS = new BlockCache();
