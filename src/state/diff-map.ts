// Both traces drawn small, each from its first row to its last: where they differ, and which places
// belong together. All places are parts of the whole, 0 to 1.
import type { RowMark } from '../diff/traces/report.ts';
import { MARKS } from './diff-lines.ts';

export interface MapBlock {
  readonly from: number;
  readonly to: number;
  readonly mark: Exclude<RowMark, 'equal'>;
}

export interface DiffMap {
  readonly left: readonly MapBlock[];
  readonly right: readonly MapBlock[];
  /** Places of rows that stand on both sides. */
  readonly links: readonly (readonly [left: number, right: number])[];
}

/** So many steps high: finer is not seen. */
const STEPS = 400;
const LINKS = 24;
/** What says more stands over what says less. */
const RANK: readonly number[] = [0, 3, 4, 2, 1];

export class MapPlaces {
  /** How many rows before each have a left side, and a right one. */
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #marks: Uint8Array;

  constructor(marks: Uint8Array) {
    this.#marks = marks;
    this.#left = new Int32Array(marks.length + 1);
    this.#right = new Int32Array(marks.length + 1);
    for (let row = 0; row < marks.length; row++) {
      this.#left[row + 1] = (this.#left[row] ?? 0) + (hasLeft(marks[row]) ? 1 : 0);
      this.#right[row + 1] = (this.#right[row] ?? 0) + (hasRight(marks[row]) ? 1 : 0);
    }
  }

  /** Where a row begins on each side. */
  of(row: number): readonly [left: number, right: number] {
    const end = this.#marks.length;
    const at = Math.max(0, Math.min(row, end));
    const part = (side: Int32Array) => (side[at] ?? 0) / Math.max(1, side[end] ?? 1);
    return [part(this.#left), part(this.#right)];
  }

  /** The row at a place of the side that has more. */
  rowAt(place: number): number {
    const end = this.#marks.length;
    const side = (this.#left[end] ?? 0) >= (this.#right[end] ?? 0) ? this.#left : this.#right;
    const wanted = place * (side[end] ?? 0);
    let [low, high] = [0, Math.max(0, end - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((side[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  map(): DiffMap {
    return { left: this.#blocks(0), right: this.#blocks(1), links: this.#links() };
  }

  #blocks(side: 0 | 1): MapBlock[] {
    const steps = new Uint8Array(STEPS);
    const has = side === 0 ? hasLeft : hasRight;
    for (let row = 0; row < this.#marks.length; row++) {
      const mark = this.#marks[row] ?? 0;
      if (mark === 0 || !has(mark)) continue;
      const step = Math.min(STEPS - 1, Math.floor(this.of(row)[side] * STEPS));
      if ((RANK[mark] ?? 0) > (RANK[steps[step] ?? 0] ?? 0)) steps[step] = mark;
    }
    const blocks: MapBlock[] = [];
    for (let from = 0; from < STEPS;) {
      let to = from + 1;
      while (to < STEPS && steps[to] === steps[from]) to++;
      const mark = MARKS[steps[from] ?? 0];
      if (mark !== undefined && mark !== 'equal')
        blocks.push({ from: from / STEPS, to: to / STEPS, mark });
      from = to;
    }
    return blocks;
  }

  #links(): (readonly [number, number])[] {
    const links: (readonly [number, number])[] = [];
    const step = Math.max(1, Math.floor(this.#marks.length / LINKS));
    for (let from = 0; from < this.#marks.length; from += step) {
      let row = from;
      while (row < from + step && (this.#marks[row] ?? 2) > 1) row++;
      if (row < from + step && row < this.#marks.length) links.push(this.of(row));
    }
    return links;
  }
}

/** Not of what is only right. */
function hasLeft(mark: number | undefined): boolean {
  return mark !== 3;
}
/** What was moved stands at its left place; where it is on the right, others are. */
function hasRight(mark: number | undefined): boolean {
  return mark !== 2 && mark !== 4;
}
