// The frames of one session as moments to stop at: by number, by item, by time.
import { leading } from '../../lib/list-window.ts';
import { uint32 } from '../../lib/growable.ts';
import type { Millis } from '../../lib/time.ts';
import type { Seq } from '../../trace/event.ts';
import type { Columns } from '../columns.ts';

/** Where to go; `from`: where one is, absent at the live end. */
export type PlayheadMove =
  | { readonly to: 'seq'; readonly seq: Seq }
  | { readonly to: 'time'; readonly at: number }
  | { readonly to: 'frame'; readonly from?: Seq; readonly by: number }
  | { readonly to: 'item'; readonly from?: Seq; readonly by: 1 | -1 };

export interface Moment {
  readonly seq: Seq;
  readonly at: Millis;
  /** Its number among the frames of the session, from 1, and how many these are. */
  readonly nth: number;
  readonly of: number;
  /** When the next frame comes; absent for the last. */
  readonly next?: Millis;
}

export class Moments {
  readonly #columns: Columns;
  /** Places of the session's frames, ascending. */
  readonly #places = uint32();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  push(place: number): void {
    this.#places.push(place);
  }

  /** Stops at the ends. Undefined: the session has no frames. */
  find(walk: PlayheadMove): Moment | undefined {
    const last = this.#places.length - 1;
    if (last < 0) return undefined;
    switch (walk.to) {
      case 'seq':
        return this.#moment(this.#lastNotAfter(walk.seq, (place) => this.#columns.seq.get(place)));
      case 'time':
        return this.#moment(this.#lastNotAfter(walk.at, (place) => this.#columns.at.get(place)));
      case 'frame':
        return this.#moment(this.#index(walk.from) + walk.by);
      case 'item':
        return this.#moment(this.#byItem(this.#index(walk.from), walk.by));
    }
  }

  #index(from: Seq | undefined): number {
    if (from === undefined) return this.#places.length - 1;
    return this.#lastNotAfter(from, (place) => this.#columns.seq.get(place));
  }

  /** The last frame of the next item: what belongs together is seen together. */
  #byItem(from: number, by: 1 | -1): number {
    const { length } = this.#places;
    let at = from + by;
    if (by > 0) {
      while (at < length - 1 && this.#item(at) === this.#item(at + 1)) at++;
      return at;
    }
    while (at > 0 && this.#item(at) === this.#item(from)) at--;
    return at;
  }

  /** What a frame adds to: an item, a run of chunks, or nothing but itself. */
  #item(index: number): number {
    const place = this.#places.get(index);
    const run = this.#columns.run.get(place);
    const item = this.#columns.item.get(place);
    return item > 0 ? item : run > 0 ? -run : 2 ** 32 + place;
  }

  #lastNotAfter(wanted: number, value: (place: number) => number): number {
    const { length } = this.#places;
    return Math.max(0, leading(length, (at) => value(this.#places.get(at)) <= wanted) - 1);
  }

  #moment(index: number): Moment {
    const { length } = this.#places;
    const nth = Math.max(0, Math.min(index, length - 1));
    const place = this.#places.get(nth);
    const columns = this.#columns;
    const isLast = nth === length - 1;
    return {
      seq: columns.seqOf(place),
      at: columns.timeOf(place),
      nth: nth + 1,
      of: length,
      ...(isLast ? {} : { next: columns.timeOf(this.#places.get(nth + 1)) }),
    };
  }
}
