// The rows of a comparison as lines of a list: heads of sections, rows with their fields, and what is in
// order folded away. Typed arrays, because there may be hundreds of thousands of them.
import { leading } from '../../lib/list-window.ts';

/** In a section: all its rows, those that are shown, and those that are in order. */
export interface HeadLine {
  readonly type: 'head';
  readonly section: number;
  readonly rows: number;
  readonly shown: number;
  readonly quiet: number;
}
/** `row`: the first of it; `end`: the one after its last. */
export interface FoldLine {
  readonly type: 'fold';
  readonly row: number;
  readonly end: number;
  readonly rows: number;
  readonly open: boolean;
}
export type CompareLine =
  | HeadLine
  | FoldLine
  | { readonly type: 'row'; readonly row: number; readonly open: boolean; readonly opens: boolean }
  | { readonly type: 'field'; readonly row: number; readonly nth: number }
  /** So many fields of the row are not shown. */
  | { readonly type: 'more'; readonly row: number; readonly fields: number };

/** What there is to list. Rows are named by their place. */
export interface CompareRows {
  readonly count: number;
  /** Of each row, those of a section one after the other; absent: there are no heads. */
  readonly sections?: ArrayLike<number>;
  /** `quiet`: in order, many in a row are one line. `fault`: to be stopped at. */
  stateOf(row: number): 'quiet' | 'noted' | 'fault';
  isHidden(row: number): boolean;
  /** How many fields of it can be shown. */
  fieldsOf(row: number): number;
  /** They are, unless somebody closes them. */
  opensItself(row: number): boolean;
  /** So many quiet rows in a row are one line. */
  readonly folded: number;
  /** So many of them stay in sight before and after others. */
  readonly near?: number;
}

export interface LineLooks {
  /** First rows of folds that are open. */
  readonly opened: readonly number[];
  /** Rows whose fields are shown or hidden, against what is shown by itself. */
  readonly toggled: readonly number[];
  /** Rows with all of their fields. */
  readonly whole: readonly number[];
}

type Sets = { readonly [K in keyof LineLooks]: ReadonlySet<number> };

const [HEAD, ROW, FOLD, FIELD, MORE] = [0, 1, 2, 3, 4];
const MOST_FIELDS = 12;

export class CompareLines {
  readonly length: number;
  /** Lines that are heads, ascending. */
  readonly heads: readonly number[];
  /** Lines that are rows with a fault, ascending. */
  readonly faults: readonly number[];
  readonly #types: Uint8Array;
  readonly #rows: Int32Array;
  /** Of a head its place in `#sections`, of a fold in `#folds`; of a field its number. */
  readonly #more: Int32Array;
  readonly #made: Maker;
  /** Of the rows, hidden ones too. */
  readonly #count: number;

  constructor(rows: CompareRows, { opened, toggled, whole }: LineLooks) {
    const how = { opened: new Set(opened), toggled: new Set(toggled), whole: new Set(whole) };
    this.#made = new Maker(rows, how);
    this.#count = rows.count;
    this.#types = Uint8Array.from(this.#made.types);
    this.#rows = Int32Array.from(this.#made.rows);
    this.#more = Int32Array.from(this.#made.more);
    this.length = this.#types.length;
    this.heads = this.#made.heads;
    this.faults = this.#made.faults;
  }

  line(at: number): CompareLine | undefined {
    const [row = 0, more = 0] = [this.#rows[at], this.#more[at]];
    switch (this.#types[at]) {
      case HEAD:
        return this.#made.sections[more];
      case ROW:
        return { type: 'row', row, open: this.#made.isOpen(row), opens: more > 0 };
      case FOLD:
        return this.#made.folds[more];
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

  /** The rows from one line to another, all of a fold among them: the first, and that behind the last. */
  span(top: number, last: number): readonly [from: number, end: number] {
    return [this.rowAt(top), Math.max(this.rowAt(last) + 1, this.#rows[last + 1] ?? this.#count)];
  }

  /** The rows of these lines. */
  rowsIn(from: number, to: number): readonly number[] {
    return Array.from(this.#rows.subarray(from, to));
  }

  /** First rows of all that is folded. */
  folds(): readonly number[] {
    return this.#made.folds.map(({ row }) => row);
  }

  /** Lines with a left and a right side, ascending. */
  pairs(): readonly number[] {
    const found: number[] = [];
    this.#types.forEach((type, at) => {
      if (type === ROW || type === FIELD) found.push(at);
    });
    return found;
  }

  lineOf(row: number): number {
    let low = Math.max(0, leading(this.length, (line) => (this.#rows[line] ?? 0) <= row) - 1);
    while (low > 0 && this.#types[low] !== ROW && this.#rows[low - 1] === this.#rows[low]) low--;
    const isHead = this.#types[low] === HEAD && low + 1 < this.length;
    return isHead && this.#rows[low + 1] === this.#rows[low] ? low + 1 : low;
  }
}

class Maker {
  readonly types: number[] = [];
  readonly rows: number[] = [];
  readonly more: number[] = [];
  readonly heads: number[] = [];
  readonly faults: number[] = [];
  readonly sections: HeadLine[] = [];
  readonly folds: FoldLine[] = [];
  readonly #of: CompareRows;
  readonly #how: Sets;

  constructor(of: CompareRows, how: Sets) {
    this.#of = of;
    this.#how = how;
    const { count, sections } = of;
    for (let from = 0; from < count;) {
      let to = sections ? from + 1 : count;
      while (sections && to < count && sections[to] === sections[from]) to++;
      this.#section(from, to, sections?.[from]);
      from = to;
    }
  }

  isOpen(row: number): boolean {
    const { toggled } = this.#how;
    return this.#of.fieldsOf(row) > 0 && this.#of.opensItself(row) !== toggled.has(row);
  }

  #section(from: number, to: number, section: number | undefined): void {
    const head = this.types.length;
    if (section !== undefined) this.#put(HEAD, from, this.sections.length);
    let [quiet, shown] = [0, 0];
    for (let row = from; row < to;) {
      const run: number[] = [];
      let end = row;
      for (; end < to; end++) {
        const isQuiet = this.#of.stateOf(end) === 'quiet';
        const isHidden = this.#of.isHidden(end);
        if (isQuiet) quiet++;
        if (isQuiet && !isHidden) run.push(end);
        else if (!isHidden) break;
      }
      shown += run.length + (end < to ? 1 : 0);
      this.#quiet(run, row > from, end < to);
      if (end < to) this.#row(end);
      row = end + 1;
    }
    if (section === undefined) return;
    if (shown === 0) {
      for (const list of [this.types, this.rows, this.more]) list.pop();
      return;
    }
    this.heads.push(head);
    this.sections.push({ type: 'head', section, rows: to - from, shown, quiet });
  }

  /** `after`, `before`: other rows stand next to it. */
  #quiet(run: readonly number[], after: boolean, before: boolean): void {
    const { folded, near = 0 } = this.#of;
    const from = after ? near : 0;
    const to = run.length - (before ? near : 0);
    const [first, last] = [run[from], run[to - 1]];
    if (to - from < folded || first === undefined || last === undefined) {
      for (const row of run) this.#row(row);
      return;
    }
    const open = this.#how.opened.has(first);
    for (const row of run.slice(0, from)) this.#row(row);
    this.#put(FOLD, first, this.folds.length);
    this.folds.push({ type: 'fold', row: first, end: last + 1, rows: to - from, open });
    if (open) for (const row of run.slice(from, to)) this.#row(row);
    for (const row of run.slice(to)) this.#row(row);
  }

  #row(row: number): void {
    if (this.#of.stateOf(row) === 'fault') this.faults.push(this.types.length);
    const fields = this.#of.fieldsOf(row);
    this.#put(ROW, row, fields);
    if (!this.isOpen(row)) return;
    const isAll = this.#how.whole.has(row) || fields <= MOST_FIELDS + 1;
    const shown = isAll ? fields : MOST_FIELDS;
    for (let nth = 0; nth < shown; nth++) this.#put(FIELD, row, nth);
    if (shown < fields) this.#put(MORE, row, fields - shown);
  }

  #put(type: number, row: number, more: number): void {
    this.types.push(type);
    this.rows.push(row);
    this.more.push(more);
  }
}
