// The timeline of one trace under a query. Growing costs a constant per event; a new query or fold, one pass.
import { defined } from '../../lib/defined.ts';
import { millis } from '../../lib/time.ts';
import type { Seq, TraceEvent } from '../../trace/event.ts';
import { EVT } from '../columns.ts';
import { nextFinding, worstFindingRows, type FindingRow } from './density.ts';
import { IN_PLACE, type Finder } from '../query/find.ts';
import { searchedBy, type Searched } from '../query/match.ts';
import { ChipCounter } from '../query/chip-counter.ts';
import { asks, type QueryPart } from '../query/query.ts';
import { Search } from '../query/search.ts';
import { StandingQuery } from '../query/standing-query.ts';
import { rowBuilder } from './row-builder.ts';
import { ownerOfTurn, ownerOfWindow, RowList } from './row-list.ts';
import { RowOrder, type SortKey } from './row-order.ts';
import { ShownHeads } from './shown-heads.ts';
import type { TimelineFacts } from './timeline-facts.ts';
import { ToolFailures } from './tool-failures.ts';
import { TurnBook } from './turn-book.ts';
import type { RowView } from './row-view.ts';
import { placeOf } from '../indexed-trace.ts';
import type { TraceIndex } from '../trace-index.ts';
import { Verdicts } from '../query/verdicts.ts';
import { nothingFound, type NothingFound } from '../query/vocabulary.ts';

/** As long as `session/request_permission`. */
const WIDEST_METHOD = 26;
const WIDEST_ID = 8;

/** An event that the query matches, and which of them it is, from 1. */
export interface QueryMatch {
  readonly seq: Seq;
  readonly place: number;
  readonly of: number;
}

interface TimelineOptions {
  /** A faster way to events with a text. */
  readonly searched?: Searched;
  /** Looks for what a query asks of lines. Default: here, and no patterns. */
  readonly finder?: Finder;
  /** Called where `state` has become another by itself. */
  readonly changed?: () => void;
}

export class TimelineView {
  readonly #index: TraceIndex;
  readonly #eventAt: (index: number) => TraceEvent;
  readonly #query: StandingQuery;
  readonly #rows: RowList;
  readonly #order: RowOrder;
  /** The heads of turns and replay windows among the rows. */
  readonly heads: ShownHeads;
  readonly #failures: ToolFailures;
  readonly #turns: TurnBook;
  /** Events of the index that the facts beside it were given. */
  #learnt = 0;
  readonly #rowAt: (row: number) => RowView;
  readonly #verdicts: Verdicts;
  readonly #chips: ChipCounter;
  #lights = false;
  #version = 0;
  #nothing: { part?: QueryPart; length: number; found?: NothingFound | undefined } = { length: 0 };

  /** `eventAt`: the event at this place of the index. */
  constructor(
    index: TraceIndex,
    eventAt: (index: number) => TraceEvent,
    { searched, finder = IN_PLACE, changed = () => undefined }: TimelineOptions = {},
  ) {
    this.#index = index;
    this.#eventAt = eventAt;
    const where = searched ?? searchedBy(eventAt, () => index.length);
    this.#query = new StandingQuery((query) => new Search(query, index, where, finder), {
      holds: (search) => this.#run(search),
      reaches: () => this.grow(),
      changed: (what) => {
        if (what === 'rows') this.#version++;
        changed();
      },
    });
    this.#verdicts = new Verdicts(index, this.#query.search);
    this.#chips = new ChipCounter(index);
    this.#rows = new RowList(index);
    this.#failures = new ToolFailures(index);
    this.#turns = new TurnBook(index);
    this.#rowAt = rowBuilder(index, this.#rows, eventAt, {
      failures: this.#failures,
      turns: this.#turns,
      isVisible: (at) => this.#isVisible(at),
      isMatch: (at) => this.#isMatch(at),
    });
    this.#order = new RowOrder(index, this.#rows, () => this.#version);
    this.heads = new ShownHeads(index, this.#rows, this.#rowAt);
    this.grow();
  }

  /** Another number whenever rows may have changed. */
  get version(): number {
    return this.#version;
  }

  /** All rows are shown, in the order of the trace, and none is highlighted. */
  get isPlain(): boolean {
    return this.#query.text === '' && !this.#lights && this.#order.by === undefined;
  }

  /**
   * A broken query is told in `state`, and leaves the rows as they are; so does one that
   * takes too long. It holds at once, and of lines that are searched as they are; this resolves at
   * the end.
   */
  setQuery(query: string): Promise<void> {
    if (query !== this.#query.text) this.#version++;
    return this.#query.set(query);
  }

  /** Whether what the query does not match is shown too, and what it matches lit. */
  light(lights: boolean): void {
    if (lights === this.#lights) return;
    this.#lights = lights;
    this.#rebuild();
  }

  /** Lists every event on its own, the greatest first; undefined: turns, in the order of the trace. */
  sort(by: SortKey | undefined): void {
    this.#order.by = by;
    this.#rows.isFlat = by !== undefined;
    this.#rebuild();
  }

  /** Marks are others now: rows show them, folds spare them, and the query may ask for them. */
  annotated(): void {
    if (!this.#verdicts.asksFor('marked')) return this.#rebuild();
    this.#version++;
    this.#retest();
  }

  /** Findings stand on these events now; `undefined`: they count differently, wherever they are. */
  found(events: readonly number[] | undefined): void {
    this.grow();
    this.#version++;
    if (asks(this.#query.search.query, 'finding', 'sev')) this.#retest();
    else if (events ? events.some((event) => this.#rows.isFolded(event)) : this.#rows.hasFolds)
      this.#rebuild();
  }

  /** The next event, before or after, that a finding counts on and the query lets through. */
  nextFinding(seq: Seq, direction: 1 | -1): Seq | undefined {
    return nextFinding(this.#index, seq, direction, (at) => this.#isVisible(at));
  }

  /**
   * The next event, before or after, that the query matches: after the last comes the first, and that
   * is also the one where nothing is selected.
   */
  nextMatch(seq: Seq | undefined, direction: 1 | -1): QueryMatch | undefined {
    const { columns } = this.#index;
    const here = seq === undefined ? -1 : columns.placeFrom(seq);
    const isThere = here >= 0 && here < columns.length && columns.seq.get(here) === seq;
    const from = direction === 1 && !isThere ? Math.max(0, here) : here + direction;
    const around = direction === 1 ? 0 : this.#verdicts.length - 1;
    const on = this.#verdicts.next(from, direction);
    const next = on < 0 ? this.#verdicts.next(around, direction) : on;
    return next < 0 ? undefined : { seq: columns.seqOf(next), ...this.#verdicts.placeOf(next) };
  }

  /** Rows with findings, ascending: the worst of each of about so many parts; then those of crashes. */
  findingRows(parts: number): readonly FindingRow[] {
    const shownIn = (at: number) =>
      this.#isVisible(at) ? this.#order.placeOf(this.#rows.shownIn(at)) : -1;
    const list = { shownIn, rows: this.#rows.length, parts };
    return worstFindingRows(this.#index.findings, list, this.#turns.crashes(this.#eventAt));
  }

  /** What the query asks for stands on other events now. */
  #retest(): void {
    const { search } = this.#query;
    search.retest();
    this.#run(search);
  }

  /** Shows what a search lets through. */
  #run(search: Search): void {
    this.#verdicts.begin(search);
    this.#rows.clear();
    this.grow();
  }

  #isVisible(event: number): boolean {
    return this.#lights ? event < this.#verdicts.length : this.#verdicts.passes(event);
  }

  /** Undefined: what does not match is not shown, or nothing is asked for. */
  #isMatch(event: number): boolean | undefined {
    if (!this.#lights || this.#verdicts.parts.length === 0) return undefined;
    return this.#verdicts.passes(event);
  }

  /** Takes in what the index has learnt since, as far as lines were asked. */
  grow(): void {
    for (; this.#learnt < this.#index.length; this.#learnt++) {
      this.#failures.take(this.#learnt);
      this.#turns.take(this.#learnt);
    }
    this.#query.catchUp();
    const verdicts = this.#verdicts;
    const length = this.#query.search.end;
    const from = verdicts.length;
    if (from === length) return;
    this.#version++;
    if (from > 0 && verdicts.isStale(length)) return this.#retest();
    const { columns } = this.#index;
    const [kind, window] = [columns.kind.values(), columns.window.values()];
    let opens = false;
    let marks = false;
    verdicts.takeTo(length);
    for (let event = from; event < length; event++) {
      const isMatch = verdicts.passes(event);
      if (this.#lights || isMatch) this.#rows.add(event, isMatch);
      // Only these end a window, or make a fold open.
      if (window[event] === 0 && kind[event] !== EVT) continue;
      this.#rows.pass(event);
      opens ||= this.#unfolds(event);
      marks ||= this.#isMark(event);
    }
    const moves = verdicts.judgeAnswered(from);
    // What was judged before its mark came is judged again.
    if (marks && from > 0) this.annotated();
    else if (moves || opens) this.#rebuild();
  }

  /** Rows from `from` up to, not with, `to`. */
  rows(from: number, to: number): RowView[] {
    const rows: RowView[] = [];
    const end = Math.min(to, this.#rows.length);
    for (let row = Math.max(0, from); row < end; row++)
      rows.push(this.#order.alone(this.#rowAt(this.#order.at(row))));
    return rows;
  }

  /** The frames, and other events, that rows from `from` up to, not with, `to` stand for. */
  framesIn(from: number, to: number): Seq[] {
    const { columns } = this.#index;
    const found = new Set<number>();
    const end = Math.min(to, this.#rows.length);
    for (let row = Math.max(0, from); row < end; row++)
      for (const event of this.#rows.eventsOf(this.#order.at(row)))
        if (this.#isVisible(event)) found.add(event);
    return [...found].sort((a, b) => a - b).map((event) => columns.seqOf(event));
  }

  /** Opens or closes a turn, a window, a run or a fold by the key of its row; other keys do nothing. */
  toggle(key: string): void {
    const [number = -1, member] = key.slice(1).split('/').map(Number);
    switch (key[0]) {
      case 'w': {
        const window = this.#index.windowRecords[number];
        if (window === undefined) return;
        this.#rows.toggle(ownerOfWindow(window));
        return this.#rows.foldAgain(window) ? this.#rebuild() : void this.#version++;
      }
      case 't':
        this.#rows.toggle(ownerOfTurn(number));
        return void this.#version++;
      case 'd':
        this.#rows.openFold(this.#index.indexOf(number));
        return this.#rebuild();
      case 'f':
        if (
          this.#rows.toggleRun(
            placeOf({ index: this.#index, eventAt: this.#eventAt }, number, member),
          )
        )
          this.#rebuild();
        return;
    }
  }

  /** Closes every turn and replay window, or opens all. */
  foldAll(isFolded: boolean): void {
    this.#rows.closeAll(isFolded);
    this.#version++;
  }

  /**
   * The row of an event, or of the head that is closed over it. `reveals`: what is closed or folded over it is
   * opened (`version` changes then). Row -1: the query hides it, by these terms, or there is no such event.
   */
  locate(seq: Seq, reveals = true): { readonly row: number; readonly hiddenBy: readonly string[] } {
    const event = this.#index.indexOf(seq);
    if (event < 0) return { row: -1, hiddenBy: [] };
    const window = this.#index.window(event);
    const isVisible = this.#isVisible(event);
    if (!isVisible && window?.request === event && this.#rows.hasHead(ownerOfWindow(window)))
      return { row: this.#rows.headRow(ownerOfWindow(window)), hiddenBy: [] };
    if (!isVisible) {
      if (event >= this.#verdicts.length) return { row: -1, hiddenBy: [] };
      return { row: -1, hiddenBy: this.#verdicts.hiding(event).map(({ source }) => source) };
    }
    // A head stands for its first frame too.
    const shownIn = this.#rows.shownIn(event);
    const isHeads =
      shownIn >= 0 && this.#rows.headOf(shownIn) > 0 && this.#rows.event(shownIn) === event;
    if (!reveals || isHeads) return { row: this.#order.placeOf(shownIn), hiddenBy: [] };
    if (this.#rows.isFolded(event)) {
      this.#rows.reveal(event);
      this.#rebuild();
    }
    if (this.#rows.uncover(event)) this.#version++;
    return { row: this.#order.placeOf(this.#rows.rowOf(event)), hiddenBy: [] };
  }

  state(): TimelineFacts {
    const { columns } = this.#index;
    const last = this.#index.length - 1;
    return defined({
      rows: this.#rows.length,
      tall: [...this.#rows.tall],
      counts: this.#verdicts.counts,
      parts: this.#verdicts.parts.map(({ part: { source }, matches, hides, stderr }) => ({
        ...{ source, matches, hides, stderr },
      })),
      isFolded: this.#rows.isAllClosed,
      lights: this.#lights,
      sorted: this.#order.by,
      sessionless: this.#verdicts.sessionless,
      query: this.#query.text,
      chips: { ...this.#chips.counts(), all: this.#index.length },
      queryProblem: this.#query.problem,
      nothing: this.#query.problem ? undefined : this.#nothingFound(),
      searching: this.#query.searching,
      last: columns.seqOf(last),
      duration: millis(Math.max(0, columns.at.get(last) - columns.at.get(0))),
      widest: {
        method: columns.names.longest.slice(0, WIDEST_METHOD),
        id: columns.ids.longest.slice(0, WIDEST_ID),
      },
    });
  }

  /** Whether an event makes a folded frame worth seeing: a mark on it, or a cursor taken from it. */
  #unfolds(event: number): boolean {
    const { columns } = this.#index;
    if (columns.window.get(event) > 0) {
      const window = this.#index.window(event);
      const source = window?.request === event ? (window.pin?.source ?? -1) : -1;
      return source >= 0 && this.#rows.isFolded(source);
    }
    if (!this.#isMark(event)) return false;
    const mark = this.#eventAt(event);
    const target = mark.type === 'mark' ? this.#index.indexOf(mark.target) : -1;
    return target >= 0 && this.#rows.isFolded(target);
  }

  #isMark(event: number): boolean {
    const { columns } = this.#index;
    return columns.kind.get(event) === EVT && columns.nameOf(event) === 'mark';
  }

  #rebuild(): void {
    this.#version++;
    this.#rows.clear();
    for (let event = 0; event < this.#verdicts.length; event++) {
      if (this.#isVisible(event)) this.#rows.add(event, this.#verdicts.passes(event));
      this.#rows.pass(event);
    }
  }

  /** Looked up again once the trace has grown by a quarter. */
  #nothingFound(): NothingFound | undefined {
    const { length } = this.#index;
    const { parts, counts } = this.#verdicts;
    const part = parts.find(({ matches }) => matches === 0)?.part;
    if (part === undefined || counts.all === 0 || this.#query.searching !== undefined)
      return undefined;
    if (this.#nothing.part !== part || length > this.#nothing.length * 1.25)
      this.#nothing = { part, length, found: nothingFound(part, this.#index) };
    return this.#nothing.found;
  }
}
