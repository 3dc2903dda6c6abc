// The order of rows over the visible events of an index: runs collapsed into their first frame, turns and
// replay windows under a head row, which closes over them, and long quiet stretches of a window folded. Rows
// are numbers here, of those that show; row-builder.ts makes them what is shown.
import { leading } from '../../lib/list-window.ts';
import { uint32, uint8 } from '../../lib/growable.ts';
import { BETWEEN, NO_END, Stretches } from './stretches.ts';
import { EVT, FLAG, NTF, STD } from '../columns.ts';
import type { WindowRecord } from './replay-windows.ts';
import type { TraceIndex } from '../trace-index.ts';
import { foldOf, type FoldedRows, type RowRun } from './row-folds.ts';
import { turnShownAt } from './turn-book.ts';

const FRAME_ROW = 0;
export const WINDOW_ROW = 1;
export const FOLD_ROW = 2;
export const TURN_ROW = 3;

/** A window longer than two screens folds its quiet stretches, but for so many rows at each end. */
const TWO_SCREENS = 60;
const KEPT_ROWS = 20;
/** A fold stands for at least so many rows: less would hide without saving space. */
const LEAST_FOLDED = 4;

/** Whom rows stand under: a turn, a replay window or nobody. */
type Owner = number;
export function ownerOfTurn(turn: number): Owner {
  return 2 * turn;
}
export function ownerOfWindow({ id }: Pick<WindowRecord, 'id'>): Owner {
  return 2 * id + 1;
}

export class RowList {
  readonly #index: TraceIndex;
  /** The event a row stands for or begins with; ascending. */
  readonly #event = uint32();
  readonly #type = uint8();
  /** Of a head row: whose head it is. */
  readonly #headOf = uint32();
  /** Which of these rows show. */
  readonly #places = new Stretches();
  readonly #folds = new Map<number, FoldedRows>();
  /** The head and the last row of each owner that has any, by the owner. */
  readonly #heads: (number | undefined)[] = [];
  readonly #ends: number[] = [];
  /** The rows that are heads, ascending. */
  #tall: number[] = [];
  /** Matching frames, by turn. */
  readonly #matches: number[] = [];

  /** Visible frames of each run, by the run's number. */
  readonly #runHead = uint32();
  readonly #runLast = uint32();
  readonly #runCount = uint32();
  readonly #runBytes = uint32();

  readonly #openRuns = new Set<number>();
  /** Folds a person opened, and frames that were asked for, by event. */
  readonly #openFolds = new Set<number>();
  readonly #revealed = new Set<number>();

  /** True if each event has a row of its own, under no head. Rows change with the next `clear`. */
  isFlat = false;

  constructor(index: TraceIndex) {
    this.#index = index;
  }

  get length(): number {
    return this.#places.shown;
  }
  /** Rows that are head rows, ascending. */
  get tall(): readonly number[] {
    return this.#tall.map((row) => this.#places.shownBefore(row));
  }
  type(row: number): number {
    return this.#type.get(this.#places.rowAt(row));
  }
  event(row: number): number {
    return this.#event.get(this.#places.rowAt(row));
  }
  /** Whose head the row is, or 0. */
  headOf(row: number): Owner {
    return this.#headOf.get(this.#places.rowAt(row));
  }
  /** Whose the row is, unless it is a head; 0: nobody's. */
  ownerOf(row: number): Owner {
    const owner = this.#places.ownerOf(this.#places.rowAt(row));
    return owner === BETWEEN ? NO_END : owner;
  }
  windowOf(row: number): WindowRecord | undefined {
    return this.#index.windowRecords[(this.headOf(row) - 1) / 2];
  }
  fold(row: number): FoldedRows | undefined {
    return this.#folds.get(this.event(row));
  }
  isOpen(owner: Owner): boolean {
    return !this.#places.isClosed(owner);
  }
  hasHead(owner: Owner): boolean {
    return this.#heads[owner] !== undefined;
  }
  /** True if there are heads, and all of them are closed. */
  get isAllClosed(): boolean {
    return this.#tall.length > 0 && this.#tall.every((row) => !this.isOpen(this.#headOf.get(row)));
  }
  /** Frames of a turn that the query matches. */
  matchesIn(turn: number): number {
    return this.#matches[turn] ?? 0;
  }
  /** The rows of the head and of the last row under it; of one that is closed, the head alone. */
  extentOf(owner: Owner): { readonly from: number; readonly to: number } {
    const from = this.headRow(owner);
    const end = this.#ends[owner];
    const isOpen = end !== undefined && this.isOpen(owner);
    return { from, to: isOpen ? Math.max(from, this.#places.shownBefore(end)) : from };
  }
  get hasFolds(): boolean {
    return this.#folds.size > 0;
  }

  /** The run of an event, if more than one frame of it is visible. */
  run(event: number): RowRun | undefined {
    const run = this.#index.columns.run.get(event);
    if (this.isFlat || run === 0 || this.#runCount.get(run) < 2) return undefined;
    return {
      head: this.#runHead.get(run),
      last: this.#runLast.get(run),
      count: this.#runCount.get(run),
      bytes: this.#runBytes.get(run),
      open: this.#openRuns.has(run),
    };
  }

  /** Forgets all rows, but not what a person opened and closed. */
  clear(): void {
    this.#truncate(0);
    this.#matches.length = 0;
    this.#runHead.truncate(0);
    this.#runLast.truncate(0);
    this.#runCount.truncate(0);
    this.#runBytes.truncate(0);
    this.#folds.clear();
  }

  /** The next visible event; `isMatch`: the query matches it. */
  add(event: number, isMatch: boolean): void {
    if (this.isFlat) return this.#push(event, FRAME_ROW, NO_END);
    const { columns } = this.#index;
    const owner = this.#ownerOf(event);
    if (owner !== NO_END && owner !== BETWEEN) {
      const turn = owner % 2 === 0 ? owner / 2 : 0;
      if (isMatch && turn > 0 && !columns.has(event, FLAG.member))
        this.#matches[turn] = this.matchesIn(turn) + 1;
      if (!this.hasHead(owner)) this.#push(event, turn > 0 ? TURN_ROW : WINDOW_ROW, owner);
    }
    const run = columns.run.get(event);
    if (run > 0 && this.#join(run, event) > 1 && !this.#openRuns.has(run)) return;
    this.#push(event, FRAME_ROW, owner);
  }

  /** The turn or replay window that an event stands under. What is no frame may stand between frames of one. */
  #ownerOf(event: number): Owner {
    const { columns } = this.#index;
    const kind = columns.kind.get(event);
    if (kind === STD || kind === EVT) return BETWEEN;
    const window = columns.window.get(event);
    if (window > 0 && !columns.has(event, FLAG.late)) return ownerOfWindow({ id: window - 1 });
    return ownerOfTurn(turnShownAt(this.#index, event));
  }

  /** Every event, visible or not, in order: one that ends a window folds it. */
  pass(event: number): void {
    const { columns } = this.#index;
    if (columns.window.get(event) > 0) {
      const window = this.#index.window(event);
      if (window?.end === event) this.#foldWindow(window);
      return;
    }
    if (columns.kind.get(event) !== EVT || columns.nameOf(event) !== 'exit') return;
    for (const other of this.#index.windowRecords) if (other.end === event) this.#foldWindow(other);
  }

  /** The row that shows an event: its own, its run's or the fold over it. -1: it has none, or it is closed. */
  rowOf(event: number): number {
    const row = this.#rowOf(event);
    return row < 0 || this.#places.isHidden(row) ? -1 : this.#places.shownBefore(row);
  }

  /** The same, or the head of what is closed over it. */
  shownIn(event: number): number {
    const row = this.#rowOf(event);
    if (row < 0) return -1;
    return this.#places.isHidden(row)
      ? this.headRow(this.#places.ownerOf(row))
      : this.#places.shownBefore(row);
  }

  #rowOf(event: number): number {
    const run = this.run(event);
    const shown = run === undefined || run.open ? event : run.head;
    const row = this.#lastRowUpTo(shown);
    if (row < 0) return -1;
    if (this.#event.get(row) === shown && this.#headOf.get(row) === NO_END) return row;
    if (this.#type.get(row) !== FOLD_ROW) return -1;
    return (this.#folds.get(this.#event.get(row))?.last ?? -1) >= shown ? row : -1;
  }

  /** Every event a row stands for, visible or not: a run's, a fold's, those that a head is closed over. */
  *eventsOf(row: number): Iterable<number> {
    const event = this.event(row);
    const { columns } = this.#index;
    const head = this.headOf(row);
    if (head !== NO_END) {
      if (this.isOpen(head)) return;
      const last = this.#event.get(this.#ends[head] ?? 0);
      const end = this.run(last)?.last ?? last;
      for (let at = event; at <= end; at++) if (this.#ownerOf(at) === head) yield at;
      return;
    }
    const fold = this.type(row) === FOLD_ROW ? this.fold(row) : undefined;
    const run = fold ?? this.run(event);
    if (run === undefined || ('open' in run && run.open)) return yield event;
    // Between the ends of a run, and so of a fold, other frames may stand, in rows of their own.
    const number = columns.run.get(event);
    for (let at = event; at <= run.last; at++)
      if (fold ? this.rowOf(at) === row : columns.run.get(at) === number) yield at;
  }

  headRow(owner: Owner): number {
    const row = this.#heads[owner];
    return row === undefined ? -1 : this.#places.shownBefore(row);
  }

  isFolded(event: number): boolean {
    const row = this.#rowOf(event);
    return row >= 0 && this.#type.get(row) === FOLD_ROW;
  }

  toggleRun(event: number): boolean {
    if (this.run(event) === undefined) return false;
    flip(this.#openRuns, this.#index.columns.run.get(event));
    return true;
  }

  toggle(owner: Owner): void {
    this.#places.close(owner, this.isOpen(owner));
    this.#places.settle();
  }
  /** Closes every turn and replay window, or opens all. */
  closeAll(isClosed: boolean): void {
    for (const row of this.#tall) this.#places.close(this.#headOf.get(row), isClosed);
    this.#places.settle();
  }
  /** Opens what is closed over an event; false: nothing is. */
  uncover(event: number): boolean {
    const row = this.#rowOf(event);
    if (row < 0 || !this.#places.isHidden(row)) return false;
    this.toggle(this.#places.ownerOf(row));
    return true;
  }

  /** Closes the folds that were opened inside a window; false: none was. */
  foldAgain(window: WindowRecord): boolean {
    const end = window.end < 0 ? this.#index.length : window.end;
    let had = false;
    for (const opened of [this.#openFolds, this.#revealed])
      for (const event of opened)
        if (event >= window.request && event <= end) had = opened.delete(event);
    return had;
  }

  openFold(event: number): void {
    this.#openFolds.add(event);
  }

  /** From the next clearing on, no fold hides this event. */
  reveal(event: number): void {
    this.#revealed.add(this.run(event)?.head ?? event);
  }

  #push(event: number, type: number, owner: Owner): void {
    const row = this.#event.length;
    const isHead = type === WINDOW_ROW || type === TURN_ROW;
    this.#event.push(event);
    this.#type.push(type);
    this.#headOf.push(isHead ? owner : NO_END);
    this.#places.push(isHead ? NO_END : owner);
    if (isHead) {
      this.#heads[owner] = row;
      this.#tall.push(row);
    } else if (owner !== NO_END && owner !== BETWEEN) this.#ends[owner] = row;
  }

  /** Forgets the rows from `length` on. */
  #truncate(length: number): void {
    while ((this.#tall.at(-1) ?? -1) >= length) {
      const owner = this.#headOf.get(this.#tall.pop() ?? 0);
      this.#heads[owner] = undefined;
    }
    this.#event.truncate(length);
    this.#type.truncate(length);
    this.#headOf.truncate(length);
    this.#places.truncate(length);
  }

  /** Counts a visible frame of a run; how many there are now. */
  #join(run: number, event: number): number {
    while (this.#runCount.length <= run) {
      this.#runHead.push(0);
      this.#runLast.push(0);
      this.#runCount.push(0);
      this.#runBytes.push(0);
    }
    if (this.#runCount.get(run) === 0) this.#runHead.set(run, event);
    this.#runLast.set(run, event);
    this.#runCount.add(run, 1);
    this.#runBytes.add(run, this.#index.columns.size.get(event));
    return this.#runCount.get(run);
  }

  /** The last row that stands for this event or an earlier one. */
  #lastRowUpTo(event: number): number {
    return leading(this.#event.length, (row) => this.#event.get(row) <= event) - 1;
  }

  /** Folds the quiet stretches of a window that has just ended: its rows are the last ones. */
  #foldWindow(window: WindowRecord): void {
    if (this.isFlat || window.lane === 2) return;
    let first = this.#lastRowUpTo(window.request - 1) + 1;
    if (this.#type.get(first) === WINDOW_ROW) first++;
    const { length } = this.#event;
    if (length - first <= TWO_SCREENS) return;
    const tail = length - KEPT_ROWS;
    let quietFrom = first + KEPT_ROWS;
    const begin = quietFrom;
    const rows: [event: number, type: number, owner: Owner][] = [];
    const keep = (row: number): void => {
      const event = this.#event.get(row);
      const owner = this.#headOf.get(row) || this.#ownerOf(event);
      rows.push([event, this.#type.get(row), owner]);
    };
    const flush = (to: number): void => {
      const event = this.#event.get(quietFrom);
      if (to - quietFrom < LEAST_FOLDED || this.#openFolds.has(event)) {
        for (let row = quietFrom; row < to; row++) keep(row);
        return;
      }
      const events = Array.from({ length: to - quietFrom }, (_, i) =>
        this.#event.get(quietFrom + i),
      );
      this.#folds.set(
        event,
        foldOf(this.#index, events, (one) => this.run(one)),
      );
      rows.push([event, FOLD_ROW, ownerOfWindow(window)]);
    };
    for (let row = quietFrom; row < tail; row++) {
      if (this.#isQuiet(row, window)) continue;
      flush(row);
      keep(row);
      quietFrom = row + 1;
    }
    flush(tail);
    for (let row = tail; row < length; row++) keep(row);
    this.#truncate(begin);
    for (const row of rows) this.#push(...row);
  }

  /** Replayed updates of the window itself, and stderr. All else has something to say. */
  #isQuiet(row: number, window: WindowRecord): boolean {
    const event = this.#event.get(row);
    const { annotations, columns } = this.#index;
    if (this.#type.get(row) !== FRAME_ROW || columns.has(event, FLAG.cut)) return false;
    if (annotations.mark(columns.seq.get(event)) !== undefined || this.#revealed.has(event))
      return false;
    if (this.#hasFinding(event)) return false;
    const kind = columns.kind.get(event);
    if (kind === STD) return true;
    return (
      kind === NTF &&
      columns.window.get(event) === window.id + 1 &&
      this.#index.pinsFrom(event).length === 0 &&
      !this.#openRuns.has(columns.run.get(event))
    );
  }

  #hasFinding(event: number): boolean {
    const { columns, findings } = this.#index;
    if (findings.end === 0) return false;
    const run = columns.run.get(event);
    return (run === 0 ? findings.at(event) : findings.ofRun(run)) !== undefined;
  }
}

function flip(set: Set<number>, value: number): void {
  if (!set.delete(value)) set.add(value);
}
