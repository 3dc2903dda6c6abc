// Which events findings stand on. The checker runs behind the timeline and writes here; rows, query,
// strip and ruler read. An event costs four bytes, however many findings name it.
import { defined } from '../../lib/defined.ts';
import { narrow } from '../../lib/growable.ts';
import type { Columns } from '../columns.ts';

/** Worst first. */
export const MARK_SEVERITIES = ['error', 'warning', 'hint'] as const;
export type MarkSeverity = (typeof MARK_SEVERITIES)[number];

export function worseMark(a: MarkSeverity, b: MarkSeverity | undefined): MarkSeverity {
  return b !== undefined && rank(b) < rank(a) ? b : a;
}

function rank(severity: MarkSeverity): number {
  return MARK_SEVERITIES.indexOf(severity);
}

/** One finding as its frames are marked: what it counts as, now. */
export interface FindingMark {
  readonly rule: string;
  /** The fault in a few words; undefined: nobody reads it. */
  readonly title?: string;
  /** `off`: the edition of the protocol that was chosen does not know the rule. */
  readonly counts: MarkSeverity | 'suppressed' | 'undecidable' | 'off';
}

export interface RowFindings {
  readonly worst: MarkSeverity;
  readonly count: number;
  /** The fault of the worst in a few words. */
  readonly title?: string;
}

const NO_MARKS: readonly FindingMark[] = [];

export class FindingMarks {
  readonly #columns: Columns;
  /** The set of marks of each event; 0 is none. */
  readonly #set = narrow();
  readonly #marks: FindingMark[] = [];
  /** Numbers of marks, by the number of the set. */
  #sets: (readonly number[])[] = [[]];
  /** The set that a set becomes with one mark more. */
  #grown = new Map<string, number>();
  #rows: (RowFindings | undefined)[] = [];
  /** Events of each set. */
  #events: number[] = [];
  /** Sets that stand in a run, and in a replay window. */
  readonly #inRun = new Map<number, Set<number>>();
  readonly #inWindow = new Map<number, Set<number>>();
  readonly #inTurn = new Map<number, Set<number>>();
  #fresh: number[] = [];

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  define(mark: number, says: FindingMark): void {
    this.#marks[mark] = says;
    this.#rows = [];
  }

  /** The event at this place has a mark more. */
  add(place: number, mark: number): void {
    while (this.#set.length <= place) this.#set.push(0);
    const before = this.#set.get(place);
    const known = this.#sets[before] ?? [];
    if (known.includes(mark)) return;
    const way = `${before} ${mark}`;
    let set = this.#grown.get(way);
    if (set === undefined) {
      set = this.#sets.push([...known, mark]) - 1;
      this.#grown.set(way, set);
    }
    this.#set.set(place, set);
    if (before > 0) this.#events[before] = (this.#events[before] ?? 0) - 1;
    this.#events[set] = (this.#events[set] ?? 0) + 1;
    enter(this.#inRun, this.#columns.run.get(place), set);
    enter(this.#inWindow, this.#columns.window.get(place), set);
    enter(this.#inTurn, this.#columns.turn.get(place), set);
    this.#fresh.push(place);
  }

  clear(): void {
    this.#set.truncate(0);
    this.#marks.length = 0;
    this.#sets = [[]];
    this.#events = [];
    this.#grown.clear();
    this.#rows = [];
    this.#inRun.clear();
    this.#inWindow.clear();
    this.#inTurn.clear();
    this.#fresh = [];
  }

  /** Places that were marked since this was last asked. */
  takeFresh(): readonly number[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** No event from this place on is marked. */
  get end(): number {
    return this.#set.length;
  }

  /** Events of the same set have the same marks. */
  setOf(place: number): number {
    return this.#set.get(place);
  }
  /** The numbers of the marks on an event. */
  numbersAt(place: number): readonly number[] {
    return this.#sets[this.#set.get(place)] ?? [];
  }
  marksOf(set: number): readonly FindingMark[] {
    return (this.#sets[set] ?? []).flatMap((mark) => this.#marks[mark] ?? NO_MARKS);
  }

  /** Those that were ever marked, each once or more often. */
  rules(): readonly string[] {
    return this.#marks.flatMap(({ rule }) => rule);
  }

  /** What counts on an event; undefined: nothing does. */
  at(place: number): RowFindings | undefined {
    const set = this.#set.get(place);
    if (set === 0) return undefined;
    if (!(set in this.#rows)) this.#rows[set] = this.#sum([set]);
    return this.#rows[set];
  }
  /** How many events have a finding that counts. */
  get counted(): number {
    return this.#events.reduce((sum, events, set) => {
      return events > 0 && this.#sum([set]) !== undefined ? sum + events : sum;
    }, 0);
  }
  ofRun(run: number): RowFindings | undefined {
    return this.#sum(this.#inRun.get(run) ?? []);
  }
  /** `window`: as in the column of that name. */
  ofWindow(window: number): RowFindings | undefined {
    return this.#sum(this.#inWindow.get(window) ?? []);
  }

  ofTurn(turn: number): RowFindings | undefined {
    return this.#sum(this.#inTurn.get(turn) ?? []);
  }

  /** The next marked place that fits, behind `from` or before it; -1: none. */
  next(from: number, direction: 1 | -1, fits: (place: number) => boolean): number {
    const { end } = this;
    for (let at = Math.min(from, end) + direction; at >= 0 && at < end; at += direction)
      if (this.#set.get(at) > 0 && fits(at)) return at;
    return -1;
  }

  #sum(sets: Iterable<number>): RowFindings | undefined {
    const marks = new Set<number>();
    for (const set of sets) for (const mark of this.#sets[set] ?? []) marks.add(mark);
    let least: number = MARK_SEVERITIES.length;
    let count = 0;
    let title: string | undefined;
    for (const mark of marks) {
      const rank = MARK_SEVERITIES.findIndex((one) => one === this.#marks[mark]?.counts);
      if (rank < 0) continue;
      count++;
      if (rank >= least) continue;
      least = rank;
      title = this.#marks[mark]?.title;
    }
    const worst = MARK_SEVERITIES[least];
    return worst && defined({ worst, count, title });
  }
}

function enter(places: Map<number, Set<number>>, number: number, set: number): void {
  if (number === 0) return;
  const known = places.get(number);
  if (known) known.add(set);
  else places.set(number, new Set([set]));
}
