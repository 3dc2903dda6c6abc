// The rows of a comparison as lines of a list: heads of sections, rows with their fields, and what is
// equal folded away. Typed arrays, because there may be hundreds of thousands of them.
import type { RowMark } from '../../diff/traces/report/report.ts';
import type { DiffLook } from '../../engine/diff/diff-messages.ts';

export type DiffLine =
  | {
      readonly type: 'head';
      readonly section: number;
      readonly rows: number;
      readonly equal: number;
    }
  | { readonly type: 'row'; readonly row: number; readonly open: boolean; readonly opens: boolean }
  /** `row`: the first of it. */
  | {
      readonly type: 'fold';
      readonly row: number;
      readonly rows: number;
      readonly open: boolean;
    }
  | { readonly type: 'field'; readonly row: number; readonly nth: number }
  /** So many fields of the row are not shown. */
  | { readonly type: 'more'; readonly row: number; readonly fields: number };

export type LooksOf = Pick<DiffLook, 'marks' | 'rowSections' | 'fields' | 'told'>;

export interface LineLooks {
  /** First rows of folds that are open. */
  readonly opened: readonly number[];
  /** Rows whose fields are shown or hidden, against what is shown by itself. */
  readonly toggled: readonly number[];
  /** Rows with all of their fields. */
  readonly whole: readonly number[];
  /** Marks of rows that are hidden. */
  readonly hidden: readonly RowMark[];
}

type Sets = { readonly [K in keyof LineLooks]: ReadonlySet<LineLooks[K][number]> };

export const MARKS: readonly RowMark[] = ['equal', 'changed', 'missing', 'extra', 'moved'];

const [HEAD, ROW, FOLD, FIELD, MORE] = [0, 1, 2, 3, 4];
/** So many equal rows in a row are one line. */
const FOLDED = 3;
const MOST_FIELDS = 12;
/** A row with more fields that differ is opened by hand. */
const OPEN = 4;

export class DiffLines {
  readonly length: number;
  /** Lines that are heads, ascending. */
  readonly heads: readonly number[];
  /** Lines that are rows which differ, ascending. */
  readonly differing: readonly number[];
  readonly #types: Uint8Array;
  readonly #rows: Int32Array;
  readonly #more: Int32Array;
  readonly #equal: Int32Array;
  readonly #looks: LooksOf;
  readonly #how: Sets;

  constructor(looks: LooksOf, how: LineLooks) {
    this.#looks = looks;
    this.#how = {
      opened: new Set(how.opened),
      toggled: new Set(how.toggled),
      whole: new Set(how.whole),
      hidden: new Set(how.hidden),
    };
    const made = new Maker(looks, this.#how);
    made.all();
    this.#types = Uint8Array.from(made.types);
    this.#rows = Int32Array.from(made.rows);
    this.#more = Int32Array.from(made.more);
    this.#equal = Int32Array.from(made.equal);
    this.length = made.types.length;
    this.heads = made.heads;
    this.differing = made.differing;
  }

  line(at: number): DiffLine | undefined {
    const [row = 0, more = 0] = [this.#rows[at], this.#more[at]];
    switch (this.#types[at]) {
      case HEAD:
        return {
          type: 'head',
          section: this.#looks.rowSections[row] ?? 0,
          rows: more,
          equal: this.#equal[at] ?? 0,
        };
      case ROW:
        return {
          type: 'row',
          row,
          open: isOpen(this.#looks, this.#how, row),
          opens: (this.#looks.fields[row] ?? 0) > 0,
        };
      case FOLD:
        return { type: 'fold', row, rows: more, open: this.#how.opened.has(row) };
      case FIELD:
        return { type: 'field', row, nth: more };
      case MORE:
        return { type: 'more', row, fields: more };
      default:
        return undefined;
    }
  }

  /** The row that a line is about: of a head or a fold, its first. */
  rowAt(at: number): number {
    return this.#rows[at] ?? 0;
  }

  /** First rows of all that is folded. */
  folds(): readonly number[] {
    const found: number[] = [];
    this.#types.forEach((type, at) => {
      if (type === FOLD) found.push(this.rowAt(at));
    });
    return found;
  }

  /** The line of a row, or of the fold it is in. */
  lineOf(row: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#rows[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    while (low > 0 && this.#types[low] !== ROW && this.#rows[low - 1] === this.#rows[low]) low--;
    const isHead = this.#types[low] === HEAD && low + 1 < this.length;
    return isHead && this.#rows[low + 1] === this.#rows[low] ? low + 1 : low;
  }
}

function isOpen({ fields, told }: LooksOf, { toggled }: Sets, row: number): boolean {
  const number = fields[row] ?? 0;
  const isShut = told[row] === 1 || number > OPEN;
  return number > 0 && isShut === toggled.has(row);
}

class Maker {
  readonly types: number[] = [];
  readonly rows: number[] = [];
  readonly more: number[] = [];
  readonly equal: number[] = [];
  readonly heads: number[] = [];
  readonly differing: number[] = [];
  readonly #looks: LooksOf;
  readonly #how: Sets;

  constructor(looks: LooksOf, how: Sets) {
    this.#looks = looks;
    this.#how = how;
  }

  all(): void {
    const { rowSections } = this.#looks;
    for (let from = 0; from < rowSections.length;) {
      let to = from + 1;
      while (to < rowSections.length && rowSections[to] === rowSections[from]) to++;
      this.#section(from, to);
      from = to;
    }
  }

  #section(from: number, to: number): void {
    const { marks } = this.#looks;
    const head = this.types.length;
    let equal = 0;
    this.#put(HEAD, from, to - from);
    for (let row = from; row < to;) {
      if (marks[row] !== 0) {
        this.#row(row++);
        continue;
      }
      let end = row;
      while (end < to && marks[end] === 0) end++;
      equal += end - row;
      this.#same(row, end);
      row = end;
    }
    this.equal[head] = equal;
    if (this.types.length === head + 1 && this.#how.hidden.size > 0) this.#drop();
    else this.heads.push(head);
  }

  #same(from: number, to: number): void {
    const { hidden, opened } = this.#how;
    if (hidden.has('equal')) return;
    const isFold = to - from >= FOLDED;
    if (isFold) this.#put(FOLD, from, to - from);
    if (!isFold || opened.has(from)) for (let row = from; row < to; row++) this.#put(ROW, row, 0);
  }

  #row(row: number): void {
    const { hidden, whole } = this.#how;
    if (hidden.has(MARKS[this.#looks.marks[row] ?? 0] ?? 'equal')) return;
    this.differing.push(this.types.length);
    this.#put(ROW, row, 0);
    if (!isOpen(this.#looks, this.#how, row)) return;
    const fields = this.#looks.fields[row] ?? 0;
    const shown = whole.has(row) || fields <= MOST_FIELDS + 1 ? fields : MOST_FIELDS;
    for (let nth = 0; nth < shown; nth++) this.#put(FIELD, row, nth);
    if (shown < fields) this.#put(MORE, row, fields - shown);
  }

  #put(type: number, row: number, more: number): void {
    this.types.push(type);
    this.rows.push(row);
    this.more.push(more);
    this.equal.push(0);
  }

  #drop(): void {
    for (const list of [this.types, this.rows, this.more, this.equal]) list.pop();
  }
}
