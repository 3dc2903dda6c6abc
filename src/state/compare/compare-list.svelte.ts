// A comparison as it is looked at: which marks are shown, what is open, and the line that keys act on.
import { leading } from '../../lib/list-window.ts';
import { CompareLines, type CompareRows } from './compare-lines.ts';

export type CompareSide = 'left' | 'right';
/** How a row is laid out: both sides beside or below each other, both as one text, or one alone. */
export type RowLayout = 'beside' | 'stacked' | 'unified' | CompareSide;

export class CompareList<Mark extends string = string> {
  readonly #rows: (hidden: readonly Mark[]) => CompareRows | undefined;
  readonly #faultsOf: (lines: CompareLines) => readonly number[];
  hidden = $state.raw<readonly Mark[]>([]);
  #opened = $state.raw<readonly number[]>([]);
  #toggled = $state.raw<readonly number[]>([]);
  #whole = $state.raw<readonly number[]>([]);
  #at = $state(0);

  /** `rows`: undefined, there is nothing to list yet. `faultsOf`: lines to stop at, where it is not all. */
  constructor(
    rows: (hidden: readonly Mark[]) => CompareRows | undefined,
    faultsOf = ({ faults }: CompareLines): readonly number[] => faults,
  ) {
    this.#rows = rows;
    this.#faultsOf = faultsOf;
  }

  lines: CompareLines | undefined = $derived.by(() => {
    const rows = this.#rows(this.hidden);
    const how = { opened: this.#opened, toggled: this.#toggled, whole: this.#whole };
    return rows && new CompareLines(rows, how);
  });
  /** Lines to stop at, ascending. */
  faults: readonly number[] = $derived.by(() => (this.lines ? this.#faultsOf(this.lines) : []));
  at: number = $derived.by(() => Math.max(0, Math.min(this.#at, (this.lines?.length ?? 1) - 1)));
  /** Of the faults, the one looked at or before it, from 1; 0: before the first. */
  nth: number = $derived.by(() => countUpTo(this.faults, this.at));

  /** The row of the line looked at. */
  get row(): number {
    return this.lines?.rowAt(this.at) ?? 0;
  }

  select(at: number): void {
    this.#at = Math.max(0, Math.min(at, (this.lines?.length ?? 1) - 1));
  }
  /** The row, or the fold it is in. */
  selectRow(row: number): void {
    if (this.lines) this.select(this.lines.lineOf(row));
  }
  /** The next line to stop at, or the one before; stays at the ends. */
  stepFault(by: 1 | -1): void {
    const before = countUpTo(this.faults, by > 0 ? this.at : this.at - 1);
    const next = this.faults[by > 0 ? before : before - 1];
    if (next !== undefined) this.#at = next;
  }

  /** Shows or hides the rows of a mark. */
  showMark(mark: Mark, shown: boolean): void {
    const others = this.hidden.filter((other) => other !== mark);
    this.keepRow(() => (this.hidden = shown ? others : [...others, mark]));
  }
  showAllMarks(): void {
    this.hidden = [];
  }

  /** Opens or closes a fold, or the fields of a row. */
  toggle(at: number, open?: boolean): void {
    const line = this.lines?.line(at);
    if (line?.type === 'more') this.#whole = [...this.#whole, line.row];
    if (line?.type !== 'fold' && line?.type !== 'row') return;
    if (open === line.open || (line.type === 'row' && !line.opens)) return;
    if (line.type === 'fold') this.#opened = flipped(this.#opened, line.row);
    else this.#toggled = flipped(this.#toggled, line.row);
  }
  /** Opens all that is folded, or closes it again. */
  toggleFolds(): void {
    const folds = this.lines?.folds() ?? [];
    this.keepRow(() => (this.#opened = this.#opened.length > 0 ? [] : folds));
  }

  /** What is listed becomes another thing: the row looked at stays so, or the head above it. */
  keepRow(change: () => void): void {
    const { row } = this;
    const isHead = (at: number) => this.lines?.line(at)?.type === 'head';
    const wasHead = isHead(this.at);
    change();
    this.selectRow(row);
    if (wasHead && isHead(this.at - 1)) this.#at = this.at - 1;
  }
  /** Another comparison: nothing is opened, and its first line is looked at. */
  reset(): void {
    this.#opened = this.#toggled = this.#whole = [];
    this.#at = 0;
  }
}

/** In if it was out, and out if it was in. */
function flipped(list: readonly number[], value: number): readonly number[] {
  return list.includes(value) ? list.filter((other) => other !== value) : [...list, value];
}

function countUpTo(ascending: readonly number[], most: number): number {
  return leading(ascending.length, (at) => (ascending[at] ?? Infinity) <= most);
}
