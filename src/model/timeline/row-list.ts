// The order of rows over the visible events of an index: runs collapsed into their first frame,
// replay windows under a head row, and long quiet stretches of a window folded. Rows are numbers
// here; row-builder.ts makes them what is shown.
import { leading } from '../../lib/list-window.ts';
import { uint32, uint8 } from '../../lib/growable.ts';
import { EVT, FLAG, NTF, STD } from '../columns.ts';
import type { WindowRecord } from './replay-windows.ts';
import type { TraceIndex } from '../trace-index.ts';
import { isMessageKind, itemKindOf } from '../facts/variants.ts';

const FRAME_ROW = 0;
export const WINDOW_ROW = 1;
export const FOLD_ROW = 2;

/** A window longer than two screens folds its quiet stretches, but for so many rows at each end. */
const TWO_SCREENS = 60;
const KEPT_ROWS = 20;
/** A fold stands for at least so many rows: less would hide without saving space. */
const LEAST_FOLDED = 4;

export interface RowRun {
  /** First and last visible frame. */
  readonly head: number;
  readonly last: number;
  readonly count: number;
  readonly bytes: number;
  readonly open: boolean;
}

interface FoldedRows {
  readonly first: number;
  readonly last: number;
  readonly frames: number;
  readonly messages: number;
  readonly tools: number;
}

export class RowList {
  readonly #index: TraceIndex;
  /** The event a row stands for or begins with; ascending. */
  readonly #event = uint32();
  readonly #type = uint8();
  /** The window of a head row. */
  readonly #window = uint32();
  readonly #folds = new Map<number, FoldedRows>();
  /** Window heads that stand in the list. */
  readonly #heads = new Set<number>();
  #tall: number[] = [];

  /** Visible frames of each run, by the run's number. */
  readonly #runHead = uint32();
  readonly #runLast = uint32();
  readonly #runCount = uint32();
  readonly #runBytes = uint32();

  readonly #openRuns = new Set<number>();
  readonly #closedWindows = new Set<number>();
  /** Folds a person opened, and frames that were asked for, by event. */
  readonly #openFolds = new Set<number>();
  readonly #revealed = new Set<number>();

  constructor(index: TraceIndex) {
    this.#index = index;
  }

  get length(): number {
    return this.#event.length;
  }
  /** Rows that are head rows, ascending. */
  get tall(): readonly number[] {
    return this.#tall;
  }
  type(row: number): number {
    return this.#type.get(row);
  }
  event(row: number): number {
    return this.#event.get(row);
  }
  windowOf(row: number): WindowRecord | undefined {
    return this.#index.windowRecords[this.#window.get(row)];
  }
  fold(row: number): FoldedRows | undefined {
    return this.#folds.get(this.#event.get(row));
  }
  isOpen(window: WindowRecord): boolean {
    return !this.#closedWindows.has(window.id);
  }
  hasHead(window: WindowRecord): boolean {
    return this.#heads.has(window.id);
  }
  get hasFolds(): boolean {
    return this.#folds.size > 0;
  }

  /** The run of an event, if more than one frame of it is visible. */
  run(event: number): RowRun | undefined {
    const run = this.#index.columns.run.get(event);
    if (run === 0 || this.#runCount.get(run) < 2) return undefined;
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
    this.#event.truncate(0);
    this.#type.truncate(0);
    this.#window.truncate(0);
    this.#runHead.truncate(0);
    this.#runLast.truncate(0);
    this.#runCount.truncate(0);
    this.#runBytes.truncate(0);
    this.#folds.clear();
    this.#heads.clear();
    this.#tall = [];
  }

  /** The next visible event. */
  add(event: number): void {
    const { columns } = this.#index;
    const window = columns.window.get(event) === 0 ? undefined : this.#index.window(event);
    if (window !== undefined && !columns.has(event, FLAG.late)) {
      if (!this.#heads.has(window.id)) {
        this.#heads.add(window.id);
        this.#tall.push(this.length);
        this.#push(event, WINDOW_ROW, window.id);
      }
      if (this.#closedWindows.has(window.id)) return;
    }
    const run = columns.run.get(event);
    if (run > 0 && this.#join(run, event) > 1 && !this.#openRuns.has(run)) return;
    this.#push(event, FRAME_ROW, 0);
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

  /** The row that shows an event: its own, its run's or the fold over it. -1: it has none. */
  rowOf(event: number): number {
    const run = this.run(event);
    // A run that goes on behind a closed window begins there: what the window hides of it is not in its row.
    const shown = run === undefined || run.open || event < run.head ? event : run.head;
    const row = this.#lastRowUpTo(shown);
    if (row < 0) return -1;
    if (this.#event.get(row) === shown && this.#type.get(row) !== WINDOW_ROW) return row;
    if (this.#type.get(row) !== FOLD_ROW) return -1;
    return (this.fold(row)?.last ?? -1) >= shown ? row : -1;
  }

  /** The same, or the head of the closed window that the event is in. */
  shownIn(event: number): number {
    const row = this.rowOf(event);
    const window = row < 0 ? this.#index.window(event) : undefined;
    return window === undefined ? row : this.headRow(window);
  }

  /** Every event a row stands for, visible or not: a run's, a fold's, those of a closed window. */
  *eventsOf(row: number): Iterable<number> {
    const event = this.#event.get(row);
    const { columns } = this.#index;
    const window = this.#type.get(row) === WINDOW_ROW ? this.windowOf(row) : undefined;
    if (window !== undefined) {
      if (this.isOpen(window)) return;
      const end = window.end < 0 ? this.#index.length - 1 : window.end;
      for (let at = window.request; at <= end; at++)
        if (columns.window.get(at) === window.id + 1) yield at;
      return;
    }
    const fold = this.#type.get(row) === FOLD_ROW ? this.fold(row) : undefined;
    const run = fold ?? this.run(event);
    if (run === undefined || ('open' in run && run.open)) return yield event;
    // Between the ends of a run, and so of a fold, other frames may stand, in rows of their own.
    const number = columns.run.get(event);
    for (let at = event; at <= run.last; at++)
      if (fold ? this.rowOf(at) === row : columns.run.get(at) === number) yield at;
  }

  headRow(window: WindowRecord): number {
    return this.#tall.find((row) => this.#window.get(row) === window.id) ?? -1;
  }

  isFolded(event: number): boolean {
    const row = this.rowOf(event);
    return row >= 0 && this.#type.get(row) === FOLD_ROW;
  }

  toggleRun(event: number): boolean {
    if (this.run(event) === undefined) return false;
    flip(this.#openRuns, this.#index.columns.run.get(event));
    return true;
  }

  /** Closing a window also closes what was opened inside. */
  toggleWindow(window: WindowRecord): void {
    flip(this.#closedWindows, window.id);
    const end = window.end < 0 ? this.#index.length : window.end;
    for (const opened of [this.#openFolds, this.#revealed])
      for (const event of opened) if (event >= window.request && event <= end) opened.delete(event);
  }

  openFold(event: number): void {
    this.#openFolds.add(event);
  }

  /** From the next clearing on, no fold hides this event. */
  reveal(event: number): void {
    this.#revealed.add(this.run(event)?.head ?? event);
  }

  #push(event: number, type: number, window: number): void {
    this.#event.push(event);
    this.#type.push(type);
    this.#window.push(window);
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
    return leading(this.length, (row) => this.#event.get(row) <= event) - 1;
  }

  /** Folds the quiet stretches of a window that has just ended: its rows are the last ones. */
  #foldWindow(window: WindowRecord): void {
    if (window.lane === 2 || this.#closedWindows.has(window.id)) return;
    let first = this.#lastRowUpTo(window.request - 1) + 1;
    if (this.#type.get(first) === WINDOW_ROW) first++;
    const length = this.length;
    if (length - first <= TWO_SCREENS) return;
    const tail = length - KEPT_ROWS;
    let write = first + KEPT_ROWS;
    let quietFrom = write;
    this.#tall = this.#tall.filter((row) => row < write);
    const keep = (row: number): void => {
      if (this.#type.get(row) === WINDOW_ROW) this.#tall.push(write);
      this.#event.set(write, this.#event.get(row));
      this.#type.set(write, this.#type.get(row));
      this.#window.set(write++, this.#window.get(row));
    };
    const flush = (to: number): void => {
      const event = this.#event.get(quietFrom);
      if (to - quietFrom < LEAST_FOLDED || this.#openFolds.has(event)) {
        for (let row = quietFrom; row < to; row++) keep(row);
        return;
      }
      this.#folds.set(event, this.#foldOf(quietFrom, to));
      this.#event.set(write, event);
      this.#type.set(write++, FOLD_ROW);
    };
    for (let row = quietFrom; row < tail; row++) {
      if (this.#isQuiet(row, window)) continue;
      flush(row);
      keep(row);
      quietFrom = row + 1;
    }
    flush(tail);
    for (let row = tail; row < length; row++) keep(row);
    this.#event.truncate(write);
    this.#type.truncate(write);
    this.#window.truncate(write);
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

  #foldOf(from: number, to: number): FoldedRows {
    const { columns } = this.#index;
    const messages = new Set<number>();
    const tools = new Set<number>();
    let frames = 0;
    let last = 0;
    for (let row = from; row < to; row++) {
      const event = this.#event.get(row);
      const run = this.run(event);
      frames += run?.count ?? 1;
      last = Math.max(last, run?.last ?? event);
      if (!columns.has(event, FLAG.update)) continue;
      const kind = itemKindOf(columns.nameOf(event));
      const item = columns.item.get(event);
      if (isMessageKind(kind)) messages.add(item === 0 ? -event : item);
      else if (kind === 'tool') tools.add(item === 0 ? -event : item);
    }
    const first = this.#event.get(from);
    return { first, last, frames, messages: messages.size, tools: tools.size };
  }
}

function flip(set: Set<number>, value: number): void {
  if (!set.delete(value)) set.add(value);
}
