// Both traces drawn small, each from its first row to its last: where they differ, and which places
// belong together. All places are parts of the whole, 0 to 1.
import { leading } from '../../lib/list-window.ts';
import type { FidelityWindow } from '../../model/fidelity/report/report.ts';
import type { RowMark } from '../../diff/traces/report/report.ts';
import type { AnyMark } from './marks.ts';

/** As a number says them: its place is the number. */
export const ROW_MARKS: readonly RowMark[] = ['equal', 'changed', 'missing', 'extra', 'moved'];

/** What a map draws, likewise: of a replay also what came after the answer. */
export const MAP_MARKS = [...ROW_MARKS, 'late'] as const satisfies readonly AnyMark[];
type MapMark = (typeof MAP_MARKS)[number];

type ReplayRow = FidelityWindow['groups'][number]['rows'][number];

/** Of each row of a replay what a map draws: what is lost or false stands on one side alone, came late, or differs. */
export function mapMarks(rows: readonly { readonly row: ReplayRow }[]): Uint8Array {
  return Uint8Array.from(rows, ({ row }) => MAP_MARKS.indexOf(mapMark(row)));
}

function mapMark(row: ReplayRow): MapMark {
  if (row.of === 'aside' || !['lossy', 'corrupt'].includes(row.verdict)) return 'equal';
  if (row.mark === 'late' || row.mark === 'moved') return row.mark;
  return row.live && row.replayed ? 'changed' : row.live ? 'missing' : 'extra';
}

interface MapBlock {
  readonly from: number;
  readonly to: number;
  /** The most frequent one there. */
  readonly mark: Exclude<MapMark, 'equal'>;
  /** How much of it differs: a quarter, a half, three quarters, all. */
  readonly share: 0.25 | 0.5 | 0.75 | 1;
}

interface DiffMap {
  readonly left: readonly MapBlock[];
  readonly right: readonly MapBlock[];
  /** Places of rows that stand on both sides. */
  readonly links: readonly (readonly [left: number, right: number])[];
}

/** So many steps high: finer is not seen. */
const STEPS = 400;
const LINKS = 24;

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
    return Math.max(0, leading(end, (row) => (side[row] ?? 0) <= wanted) - 1);
  }

  map(): DiffMap {
    return { left: this.#blocks(0), right: this.#blocks(1), links: this.#links() };
  }

  #blocks(side: 0 | 1): MapBlock[] {
    const kinds = MAP_MARKS.length;
    /** How many rows of each mark begin in each step. */
    const found = new Uint32Array(STEPS * kinds);
    const [has, before] = side === 0 ? [hasLeft, this.#left] : [hasRight, this.#right];
    const marks = this.#marks;
    const all = Math.max(1, before[marks.length] ?? 1);
    for (let row = 0; row < marks.length; row++) {
      const mark = marks[row] ?? 0;
      if (!has(mark)) continue;
      const step = Math.min(STEPS - 1, Math.floor(((before[row] ?? 0) / all) * STEPS));
      const at = step * kinds + mark;
      found[at] = (found[at] ?? 0) + 1;
    }
    const blocks: MapBlock[] = [];
    for (let step = 0; step < STEPS; step++) {
      const block = blockOf(found.subarray(step * kinds, (step + 1) * kinds));
      if (!block) continue;
      const [from, to] = [step / STEPS, (step + 1) / STEPS];
      const last = blocks.at(-1);
      if (last?.to === from && last.mark === block.mark && last.share === block.share)
        blocks[blocks.length - 1] = { ...last, to };
      else blocks.push({ from, to, ...block });
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

function blockOf(counts: Uint32Array): Pick<MapBlock, 'mark' | 'share'> | undefined {
  let [differing, most, mark]: [number, number, MapMark | undefined] = [0, 0, undefined];
  for (let at = 1; at < counts.length; at++) {
    const count = counts[at] ?? 0;
    differing += count;
    if (count < most) continue;
    most = count;
    mark = MAP_MARKS[at];
  }
  if (differing === 0 || mark === undefined || mark === 'equal') return undefined;
  const share = Math.ceil((4 * differing) / (differing + (counts[0] ?? 0)));
  return { mark, share: share <= 1 ? 0.25 : share === 2 ? 0.5 : share === 3 ? 0.75 : 1 };
}

/** Not of what is only right. */
function hasLeft(mark: number | undefined): boolean {
  return mark !== 3;
}
/** What was moved stands at its left place; where it is on the right, others are. */
function hasRight(mark: number | undefined): boolean {
  return mark !== 2 && mark !== 4;
}
