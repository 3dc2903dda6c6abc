// Frames over time for the strip, asked for at most four times a second, and the way between a
// moment and a place in the strip: silence is folded, so it is not a straight line.
import type { Density as DensityFacts } from '../engine/messages.ts';
import type { App } from './app.svelte.ts';

const PAUSE_MS = 250;

export class Density {
  readonly #app: App;
  #facts = $state.raw<DensityFacts | undefined>();
  #wanted = '';
  #asked = '';
  #busy = false;

  constructor(app: App) {
    this.#app = app;
  }

  get facts(): DensityFacts | undefined {
    return this.#facts;
  }

  /** Call when the trace has grown or the strip has another width. */
  watch(buckets: number): void {
    const { state } = this.#app.timeline;
    this.#wanted = state && buckets > 0 ? `${state.connection} ${state.last} ${buckets}` : '';
    if (!this.#busy) void this.#load(buckets);
  }

  async #load(buckets: number): Promise<void> {
    if (this.#wanted === this.#asked) return;
    const wanted = (this.#asked = this.#wanted);
    const connection = this.#app.timeline.state?.connection;
    this.#busy = true;
    try {
      const facts =
        connection && wanted !== ''
          ? await this.#app.engine.density(connection, buckets)
          : undefined;
      if (connection === this.#app.timeline.state?.connection) this.#facts = facts;
    } finally {
      setTimeout(() => {
        this.#busy = false;
        void this.#load(Number(this.#wanted.split(' ').at(-1)));
      }, PAUSE_MS);
    }
  }
}

/** Place of a moment, in buckets and parts of them. */
export function bucketAt({ starts, to }: DensityFacts, at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const begin = starts[low] ?? 0;
  const end = starts[low + 1] ?? to;
  const part = end > begin ? (at - begin) / (end - begin) : 0;
  return low + Math.min(1, Math.max(0, part));
}

/** The moment at a place. */
export function momentAt({ starts, to }: DensityFacts, bucket: number): number {
  const low = Math.min(starts.length - 1, Math.max(0, Math.floor(bucket)));
  const begin = starts[low] ?? 0;
  const end = starts[low + 1] ?? to;
  return begin + (end - begin) * Math.min(1, Math.max(0, bucket - low));
}
