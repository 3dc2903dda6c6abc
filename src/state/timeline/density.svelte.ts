// Frames over time for the strip, asked for at most four times a second, and the way between a
// moment and a place in the strip: silence is folded, so it is not a straight line.
import { leading } from '../../lib/list-window.ts';
import { known } from '../../lib/time.ts';
import type { DensityView } from '../../model/timeline/density.ts';
import type { TimeSpan } from '../../model/query/numbers.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { Throttled } from '../throttled.ts';

const PAUSE_MS = 250;
/** The strip shows no less time than this. */
const LEAST_MS = 5;

export class Density {
  readonly #app: App;
  facts = $state.raw<DensityView | undefined>();
  readonly #throttled = new Throttled(() => this.#load(), PAUSE_MS);
  #buckets = 0;
  #asked = '';
  #connection: ConnectionId | undefined;
  /** The part of the time that the strip shows; undefined: all. */
  #span = $state.raw<TimeSpan | undefined>();
  /** How far the whole trace reaches. */
  #whole: TimeSpan = { from: 0, to: 0 };

  constructor(app: App) {
    this.#app = app;
  }

  /** The trace has no times: there is nothing to draw over them. */
  get isUntimed(): boolean {
    return this.facts !== undefined && known(this.facts.from) === undefined;
  }

  get isZoomed(): boolean {
    return this.#span !== undefined;
  }

  /** Shows `by` times as much time, with what is at this place of the strip kept there. */
  zoom(place: number, by: number): void {
    const facts = this.facts;
    if (!facts) return;
    const at = momentAt(facts, place);
    this.#show({ from: at - (at - facts.from) * by, to: at + (facts.to - at) * by });
  }

  /** Moves by so much of what is shown. */
  pan(part: number): void {
    const facts = this.facts;
    if (!facts || !this.#span) return;
    const length = facts.to - facts.from;
    const { from, to } = this.#whole;
    const start = Math.max(from, Math.min(facts.from + length * part, to - length));
    this.#show({ from: start, to: start + length });
  }

  showAll(): void {
    this.#span = undefined;
    this.watch(this.#buckets);
  }

  #show({ from, to }: TimeSpan): void {
    const whole = this.#whole;
    const span = { from: Math.max(whole.from, from), to: Math.min(whole.to, to) };
    if (!(span.to - span.from >= LEAST_MS)) return;
    const isAll = span.from <= whole.from && span.to >= whole.to;
    this.#span = isAll ? undefined : span;
    this.watch(this.#buckets);
  }

  /** Returns what the row of this frame says; undefined: there is none. */
  async wordsAt(seq: Seq): Promise<string | undefined> {
    const connection = this.#app.timeline.state?.connection;
    return connection && (await this.#app.engine.timeline.wordsAt(connection, seq));
  }

  /** Call when the trace has grown or the strip has another width. */
  watch(buckets: number): void {
    this.#buckets = buckets;
    const { state } = this.#app.timeline;
    if (state?.connection !== this.#connection) {
      this.#connection = state?.connection;
      this.#span = undefined;
    }
    if (this.#wanted() !== this.#asked) this.#throttled.poke();
  }

  /** Names what is to be drawn now; empty: nothing. */
  #wanted(): string {
    const { state } = this.#app.timeline;
    if (!state || this.#buckets === 0) return '';
    const span = this.#span ? `${this.#span.from} ${this.#span.to}` : '';
    const { version = 0 } = this.#app.findings.state ?? {};
    const { version: marked } = this.#app.marks;
    return `${state.connection} ${state.last} ${version} ${marked} ${this.#buckets} ${span}`;
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    const connection = this.#app.timeline.state?.connection;
    const facts =
      connection && wanted !== ''
        ? await this.#app.engine.timeline.density(connection, this.#buckets, this.#span)
        : undefined;
    if (connection !== this.#app.timeline.state?.connection) return;
    this.facts = facts;
    if (facts && !this.#span) this.#whole = { from: facts.from, to: facts.to };
  }
}

/** Place of a moment, in buckets and parts of them. */
export function bucketAt({ starts, to }: Pick<DensityView, 'starts' | 'to'>, at: number): number {
  const low = Math.max(0, leading(starts.length, (bucket) => (starts[bucket] ?? 0) <= at) - 1);
  const begin = starts[low] ?? 0;
  const end = starts[low + 1] ?? to;
  const part = end > begin ? (at - begin) / (end - begin) : 0;
  return low + Math.min(1, Math.max(0, part));
}

export function momentAt({ starts, to }: DensityView, bucket: number): number {
  const low = Math.min(starts.length - 1, Math.max(0, Math.floor(bucket)));
  const begin = starts[low] ?? 0;
  const end = starts[low + 1] ?? to;
  return begin + (end - begin) * Math.min(1, Math.max(0, bucket - low));
}
