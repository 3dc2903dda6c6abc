// Frames over time for the strip, asked for at most four times a second, and the way between a
// moment and a place in the strip: silence is folded, so it is not a straight line.
import type { DensityView } from '../model/density.ts';
import type { App } from './app.svelte.ts';
import { Paced } from './paced.ts';

const PAUSE_MS = 250;

export class Density {
  readonly #app: App;
  #facts = $state.raw<DensityView | undefined>();
  readonly #paced = new Paced(() => this.#load(), PAUSE_MS);
  #buckets = 0;
  #asked = '';

  constructor(app: App) {
    this.#app = app;
  }

  get facts(): DensityView | undefined {
    return this.#facts;
  }

  /** Call when the trace has grown or the strip has another width. */
  watch(buckets: number): void {
    this.#buckets = buckets;
    if (this.#wanted() !== this.#asked) this.#paced.poke();
  }

  /** Names what is to be drawn now; empty: nothing. */
  #wanted(): string {
    const { state } = this.#app.timeline;
    return state && this.#buckets > 0 ? `${state.connection} ${state.last} ${this.#buckets}` : '';
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    const connection = this.#app.timeline.state?.connection;
    const facts =
      connection && wanted !== ''
        ? await this.#app.engine.density(connection, this.#buckets)
        : undefined;
    if (connection === this.#app.timeline.state?.connection) this.#facts = facts;
  }
}

/** Place of a moment, in buckets and parts of them. */
export function bucketAt({ starts, to }: DensityView, at: number): number {
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
export function momentAt({ starts, to }: DensityView, bucket: number): number {
  const low = Math.min(starts.length - 1, Math.max(0, Math.floor(bucket)));
  const begin = starts[low] ?? 0;
  const end = starts[low + 1] ?? to;
  return begin + (end - begin) * Math.min(1, Math.max(0, bucket - low));
}
