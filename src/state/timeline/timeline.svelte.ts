// The timeline of the trace looked at: its rows, the follow switch, and the ways from one frame to another.
// Query, selection and what is on screen change in one step and must agree after it.
import type { EngineApi } from '../../engine/api.ts';
import type { TimelineState } from '../../engine/messages.ts';
import type { RowView } from '../../model/timeline/row-view.ts';
import type { QueryMatch } from '../../model/timeline/timeline-view.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { RestingTerm } from './query-terms.ts';
import { RowFeed, type ShownRows } from './row-feed.svelte.ts';
import { Selection } from './selection.svelte.ts';
import { findRow, lastFrameUntil } from './timeline-rows.ts';

/** A row to bring on screen: a third down and lit once, or as little as needed. */
interface ScrollTarget {
  readonly row: number;
  readonly seq: Seq;
  readonly stamp: number;
  readonly how: 'third' | 'near';
}

/** Where a person was in a trace, kept while another one is looked at. */
interface Place {
  readonly selected: Seq | undefined;
  /** The first frame on screen. */
  readonly top: Seq | undefined;
  readonly follow: boolean;
  readonly query: string;
  readonly lights: boolean;
  readonly resting: readonly RestingTerm[];
}

export class Timeline extends Selection {
  readonly #isGrowing: () => boolean;
  readonly #feed: RowFeed;
  readonly #places: Record<ConnectionId, Place> = {};
  #stamp = 0;
  /** Settles when the keys pressed so far are done. */
  #turn: Promise<unknown> = Promise.resolve();
  #sought: number | undefined;
  /** Settles when the trace that is shown is known: its rows can be selected from then on. */
  opened: Promise<void> = Promise.resolve();

  #follow = $state(true);
  #held = $state(0);
  #target = $state.raw<ScrollTarget | undefined>();

  query = $state('');
  #lights = $state(false);
  /** Terms that were taken out of the query for a moment. */
  resting = $state.raw<readonly RestingTerm[]>([]);
  /** Where a step from match to match has led. */
  match = $state.raw<QueryMatch | undefined>();
  /** What the pointer is on, lit wherever it shows: a session chip, both frames of an exchange. */
  lit = $state.raw<{ readonly session?: string; readonly exchange?: string }>({});

  /** `isGrowing`: whether frames may still come to the trace that is open. */
  constructor(engine: EngineApi, isGrowing: () => boolean, nextFrame?: (run: () => void) => void) {
    super(engine);
    this.#isGrowing = isGrowing;
    this.#feed = new RowFeed(engine, () => this.#follow, nextFrame);
  }

  get view(): ShownRows | undefined {
    return this.#feed.view;
  }
  get state(): TimelineState | undefined {
    return this.#feed.view?.state;
  }
  /** Undefined: not fetched yet; the list draws an empty row of the right height. */
  row(index: number): RowView | undefined {
    return this.#feed.row(index);
  }
  /** Set by a jump or a step: the list brings this row on screen. */
  get target(): ScrollTarget | undefined {
    return this.#target;
  }
  /** First and last row on screen. */
  get onScreen(): { readonly top: number; readonly last: number } {
    return this.#feed.onScreen;
  }
  get follow(): boolean {
    return this.#follow;
  }
  set follow(on: boolean) {
    if (on === this.#follow) return;
    this.#follow = on;
    if (on) this.#feed.refresh();
    else this.#held = linesIn(this.state);
  }
  /** Frames and lines of stderr that came since the list was held, or its end was last on screen. */
  fresh: number = $derived.by(() =>
    this.#follow ? 0 : Math.max(0, linesIn(this.state) - this.#held),
  );

  /**
   * Shows the trace where it was left; one that grows for the first time: at its end. A query
   * belongs to its trace: another one must not have its first frames hidden by it.
   */
  async open(connection: ConnectionId, query?: string, lights?: boolean): Promise<void> {
    this.#leave();
    const place = this.#places[connection];
    this.query = query ?? place?.query ?? '';
    this.#lights = lights ?? place?.lights ?? false;
    this.resting = place?.resting ?? [];
    const asked = this.#feed.open(connection, place?.top, this.query, this.#lights, !place);
    this.#target = this.match = undefined;
    this.#follow = place?.follow ?? true;
    this.look(connection, place?.selected);
    this.opened = asked.then((state) => {
      if (state && this.connection === connection) this.receive(state);
    });
    await this.opened;
  }

  /** It will be opened so, once it is known to be there: the worker finds it meanwhile. */
  expect(connection: ConnectionId, query = '', lights = false): void {
    this.#feed.expect(connection, query, lights);
  }

  /** Frames turn out to come still: they are followed, unless somebody looks around already. */
  grows(): void {
    if (this.selected === undefined && this.onScreen.top === 0) this.follow = true;
  }

  receive(state: TimelineState): void {
    if (!this.#feed.latest && state.connection === this.connection) {
      this.#held = linesIn(state);
      this.#follow &&= this.#isGrowing();
    }
    this.#feed.receive(state);
  }

  /** What the query does not match is shown too, and what it matches is lit. */
  get lights(): boolean {
    return this.#lights;
  }

  /** Asks for the rows of this query. The keys pressed after it are about them, and wait. */
  setQuery(query: string, lights = this.#lights): Promise<void> {
    const done = this.#ask(query, lights);
    this.#turn = Promise.allSettled([this.#turn, done]);
    return done;
  }

  async #ask(query: string, lights: boolean): Promise<void> {
    this.query = query;
    this.#lights = lights;
    this.match = undefined;
    const connection = this.connection;
    if (!connection) return;
    this.follow = false;
    this.several.rowsChange();
    const state = await this.engine.timeline.setQuery(connection, query, lights);
    if (query !== this.query || lights !== this.#lights || connection !== this.connection) return;
    this.receive(state);
    this.#held = linesIn(state);
    await this.locate(false);
  }

  /** Asks for this beside what is asked for already. */
  addTerm(term: string): Promise<void> {
    return this.setQuery(`${this.query} ${term}`.trim());
  }

  /** The list says which rows it wants, and the first and last that are on screen. */
  want(from: number, to: number, top = from, last = to): void {
    this.#feed.want(from, to, top, last);
    if (this.state && last >= this.state.rows - 1) this.#held = linesIn(this.state);
  }

  /** Selects all from where the selection began to this row, and brings that on screen. */
  async stretchTo(index: number): Promise<void> {
    const connection = this.connection;
    const rows = this.#feed.latest?.rows ?? 0;
    if (!connection || rows === 0) return;
    if (this.selected === undefined) return this.selectRow(index);
    const to = Math.max(0, Math.min(index, rows - 1));
    this.follow = false;
    this.#bring(to, this.row(to)?.seq ?? this.selected, 'near');
    await this.several.stretch(connection, Math.max(0, await this.#selectedRow()), to);
  }

  /** The same by so many rows more, from where it ends. */
  async stretch(by: number): Promise<void> {
    await this.stretchTo((this.several.end ?? (await this.#selectedRow())) + by);
  }

  /** Adds a row to the selection, or takes it away. */
  async alsoSelect(index: number): Promise<void> {
    const connection = this.connection;
    if (!connection) return;
    if (this.selected === undefined) return this.selectRow(index);
    this.follow = false;
    await this.several.toggle(connection, index, this.selected);
  }

  /** To the next frame that the query matches; after the last one to the first. */
  async jumpToMatch(direction: 1 | -1): Promise<void> {
    const connection = this.connection;
    if (!connection) return;
    const from = this.selected;
    const match = await this.engine.timeline.nextMatch(connection, from, direction);
    if (connection !== this.connection) return;
    this.match = match;
    if (match) await this.jump(match.seq);
  }

  /** Runs what a key asks for when the keys before it are done: each begins where the last one led. */
  async inTurn(run: () => unknown): Promise<void> {
    const before = this.#turn;
    const done = before.then(run);
    this.#turn = done.catch(() => undefined);
    await done;
  }

  async jump(seq: Seq): Promise<void> {
    if (!this.connection) return;
    this.follow = false;
    void this.select(seq);
    const row = await this.locate(true);
    if (row !== undefined && row >= 0) this.#bring(row, seq, 'third');
  }

  async toggle(key: string): Promise<void> {
    if (!this.connection) return;
    this.several.rowsChange();
    this.receive(await this.engine.timeline.toggle(this.connection, key));
  }

  /** Closes every turn and replay window; if all are closed, opens them. */
  async foldAll(isFolded = !(this.state?.isFolded ?? false)): Promise<void> {
    if (!this.connection) return;
    this.several.rowsChange();
    this.receive(await this.engine.timeline.foldAll(this.connection, isFolded));
  }

  /** Lists every frame on its own, greatest first; undefined: turns, in the order of the trace. */
  async sortBy(by: TimelineState['sorted']): Promise<void> {
    if (!this.connection) return;
    this.follow = false;
    this.several.rowsChange();
    this.receive(await this.engine.timeline.sort(this.connection, by));
    const row = by ? 0 : await this.#selectedRow();
    if (row >= 0) this.#bring(row, this.selected ?? seq(0), 'near');
  }

  /** Selects the row so many below the selected one; without one, the first on screen. */
  async step(by: number): Promise<void> {
    const now = await this.#selectedRow();
    await this.selectRow(now < 0 ? this.onScreen.top : now + by);
  }

  async selectRow(index: number): Promise<void> {
    const connection = this.connection;
    if (!connection || !this.#feed.latest || this.#feed.latest.rows === 0) return;
    const to = Math.max(0, Math.min(index, this.#feed.latest.rows - 1));
    const drawn = this.#feed.isOfNow ? this.row(to) : undefined;
    const row = drawn ?? (await this.engine.timeline.rows(connection, to, to + 1)).rows[0];
    if (!row || connection !== this.connection) return;
    this.follow = false;
    void this.select(row.seq, row.key);
    this.#bring(to, row.seq, 'near');
  }

  /** Selects the last frame at or before this moment, in the order of the trace. One search at a time, the last one wins. */
  async jumpToTime(at: number): Promise<void> {
    const searching = this.#sought !== undefined;
    this.#sought = at;
    if (searching) return;
    if (this.state?.sorted) await this.sortBy(undefined);
    while (this.#sought !== undefined) {
      const sought: number = this.#sought;
      const seq = await this.#frameAt(sought);
      if (seq !== undefined) await this.jump(seq);
      if (this.#sought === sought) this.#sought = undefined;
    }
  }

  async #frameAt(at: number): Promise<Seq | undefined> {
    const connection = this.connection;
    const { rows = 0 } = this.#feed.latest ?? {};
    if (!connection) return undefined;
    return lastFrameUntil(at, rows, async (from, to) => {
      return (await this.engine.timeline.rows(connection, from, to)).rows;
    });
  }

  /** The other frame of the selected exchange. */
  async jumpToPartner(): Promise<void> {
    const { selected: seq, detail } = this;
    if (seq === undefined) return;
    const { exchange } = (detail?.seq === seq ? detail : await this.frame(seq)) ?? {};
    const other = exchange?.request === seq ? exchange?.answer : exchange?.request;
    if (other !== undefined) await this.jump(other);
  }

  async jumpToWindow(direction: 1 | -1): Promise<void> {
    if (!this.connection) return;
    const from = this.selected ?? this.#feed.topSeq;
    if (from === undefined) return;
    const seq = await this.engine.timeline.nextWindow(this.connection, from, direction);
    if (seq !== undefined) await this.jump(seq);
  }

  /** The selected row if it is among the fetched ones. */
  selectedView(): { readonly index: number; readonly row: RowView } | undefined {
    const { view } = this.#feed;
    if (!view || this.selected === undefined) return undefined;
    const found = findRow(view.rows, this.selected, this.selectedKey);
    const row = view.rows[found];
    return row && { index: view.first + found, row };
  }

  async #selectedRow(): Promise<number> {
    const near = this.#feed.isOfNow ? this.selectedView() : undefined;
    if (near) return near.index;
    if (!this.connection || this.selected === undefined) return -1;
    return (await this.engine.timeline.locate(this.connection, this.selected, false)).row;
  }

  #bring(row: number, seq: Seq, how: ScrollTarget['how']): void {
    this.#target = { row, seq, how, stamp: ++this.#stamp };
  }

  #leave(): void {
    if (!this.connection) return;
    this.#places[this.connection] = {
      selected: this.selected,
      top: this.#feed.topSeq,
      follow: this.#follow,
      query: this.query,
      lights: this.#lights,
      resting: this.resting,
    };
  }
}

/** Frames and lines of stderr that are shown. */
const linesIn = (state: TimelineState | undefined): number =>
  state ? state.counts.shown + state.counts.stderr : 0;
