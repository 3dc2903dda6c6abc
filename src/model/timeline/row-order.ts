// The order of the rows of a timeline: the order of the trace, or by size or latency, greatest value first.
import type { TraceIndex } from '../trace-index.ts';
import type { RowList } from './row-list.ts';
import type { RowView } from './row-view.ts';

export type SortKey = 'size' | 'latency';

export class RowOrder {
  readonly #index: TraceIndex;
  readonly #rows: RowList;
  readonly #version: () => number;
  /** The version of the timeline at the last sort; -1: never sorted. */
  #sortedAt = -1;
  /** The rows in sorted order. `#places`: for each row its place in that order. */
  #order: number[] = [];
  #places = new Uint32Array();
  /** The sort key of the rows; undefined: the rows are in the order of the trace. */
  by: SortKey | undefined;

  /** `version` returns another number whenever rows may have changed. */
  constructor(index: TraceIndex, rows: RowList, version: () => number) {
    this.#index = index;
    this.#rows = rows;
    this.#version = version;
  }

  /** Returns the row of `rows` that is shown at this place. */
  at(place: number): number {
    if (this.by === undefined) return place;
    this.#sort(this.by);
    return this.#order[place] ?? place;
  }

  /** Returns the place of a row in the list; -1 for -1. */
  placeOf(row: number): number {
    if (this.by === undefined || row < 0) return row;
    this.#sort(this.by);
    return this.#places[row] ?? -1;
  }

  /** Returns the row without what joins it to the rows before and after it in the trace. */
  alone(row: RowView): RowView {
    if (this.by === undefined) return row;
    const { leader: _, ...rest } = row;
    return { ...rest, tapes: [] };
  }

  /** Sorts the rows anew if they changed. The sort begins with the previous order, which is almost right. */
  #sort(by: SortKey): void {
    if (this.#sortedAt === this.#version()) return;
    this.#sortedAt = this.#version();
    const { columns } = this.#index;
    const { length } = this.#rows;
    if (length < this.#order.length) this.#order.length = 0;
    for (let row = this.#order.length; row < length; row++) this.#order.push(row);
    const keys = Float64Array.from({ length }, (_, row) => {
      const event = this.#rows.event(row);
      return by === 'size' ? columns.size.get(event) : (columns.latencyOf(event) ?? -1);
    });
    this.#order.sort((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b);
    this.#places = new Uint32Array(length);
    for (const [place, row] of this.#order.entries()) this.#places[row] = place;
  }
}
