// The rows of a table of comparisons as lines of a list, under the heads of their sections.
import type { RowMark } from '../../diff/traces/report/report.ts';
import type { TableLook } from '../../engine/diff/diff-table-messages.ts';
import { MARKS } from './diff-lines.ts';

export type TableLine =
  | { readonly type: 'head'; readonly section: number; readonly rows: number }
  | { readonly type: 'row'; readonly row: number };

/** Of `TableLook.marks`: it has no more of it than the first. */
const ABSENT = 5;

type LooksOf = Pick<TableLook, 'marks' | 'rowSections' | 'columns'>;

export class TableLines {
  /** Lines that are heads, ascending. */
  readonly heads: readonly number[];
  /** Rows by line; of a head the first under it. */
  readonly #rows: readonly number[];
  readonly #sections: readonly number[];
  /** Of a head: how many rows are under it; of a row 0. */
  readonly #under: readonly number[];
  readonly #looks: LooksOf;

  /** Rows that have only hidden marks are left out. */
  constructor(looks: LooksOf, hidden: readonly RowMark[]) {
    this.#looks = looks;
    const rows: number[] = [];
    const sections: number[] = [];
    const under: number[] = [];
    const heads: number[] = [];
    const hides = new Set(hidden.map((mark) => MARKS.indexOf(mark)));
    const width = looks.columns.length;
    let head = -1;
    for (let row = 0; row < looks.rowSections.length; row++) {
      const marks = looks.marks.subarray(row * width, (row + 1) * width);
      if (!marks.some((mark) => isDifference(mark) && !hides.has(mark))) continue;
      const section = looks.rowSections[row] ?? 0;
      if (head < 0 || sections[head] !== section) {
        head = rows.length;
        heads.push(head);
        rows.push(row);
        sections.push(section);
        under.push(0);
      }
      under[head] = (under[head] ?? 0) + 1;
      rows.push(row);
      sections.push(section);
      under.push(0);
    }
    this.#rows = rows;
    this.#sections = sections;
    this.#under = under;
    this.heads = heads;
  }

  get length(): number {
    return this.#rows.length;
  }

  line(at: number): TableLine | undefined {
    const row = this.#rows[at];
    if (row === undefined) return undefined;
    const rows = this.#under[at] ?? 0;
    if (rows > 0) return { type: 'head', section: this.#sections[at] ?? 0, rows };
    return { type: 'row', row };
  }

  /** Of a head, the first row under it. */
  rowAt(at: number): number {
    return this.#rows[at] ?? 0;
  }

  lineOf(row: number): number {
    const at = this.#rows.lastIndexOf(row);
    if (at >= 0) return at;
    const after = this.#rows.findIndex((other) => other > row);
    return after < 0 ? Math.max(0, this.length - 1) : after;
  }

  /**
   * Lines of rows that differ in this column of the others; without one, in any. Ascending.
   */
  differing(column: number | undefined): readonly number[] {
    const { marks, columns } = this.#looks;
    return this.#rows.flatMap((row, at) => {
      if ((this.#under[at] ?? 0) > 0) return [];
      if (column === undefined) return [at];
      return isDifference(marks[row * columns.length + column] ?? 0) ? [at] : [];
    });
  }
}

function isDifference(mark: number): boolean {
  return mark !== 0 && mark !== ABSENT;
}

/** How many cells have each mark, of those that differ. */
export function cellCounts({ marks }: LooksOf): readonly (readonly [RowMark, number])[] {
  const counts = new Uint32Array(ABSENT + 1);
  for (const mark of marks) counts[mark] = (counts[mark] ?? 0) + 1;
  return MARKS.flatMap((mark, at) => {
    const count = counts[at] ?? 0;
    return at > 0 && count > 0 ? [[mark, count] as const] : [];
  });
}
