// Which events of a stream that is opened again came before it was: by their ids and their bytes.
import { createHash } from 'node:crypto';
import type { SseEvent } from '../../lib/net/sse.ts';

/** Ids that a repeat is told by. */
const MOST_SEEN = 1024;

export class Repeats {
  /** Digests of events by id, with the opening in which they came. */
  readonly #seen = new Map<string, { readonly digest: string; readonly opening: number }>();
  #opening = 0;

  /** The stream is opened, or opened again. */
  opened(): void {
    this.#opening++;
  }

  /** Came before the stream was opened again, byte for byte the same. */
  has({ id, data }: SseEvent): boolean {
    if (id === undefined) return false;
    const hash = createHash('sha256');
    for (const piece of data) hash.update(piece);
    const digest = hash.digest('base64');
    const before = this.#seen.get(id);
    if (before && before.opening < this.#opening && before.digest === digest) return true;
    this.#seen.delete(id);
    this.#seen.set(id, { digest, opening: this.#opening });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }
}
