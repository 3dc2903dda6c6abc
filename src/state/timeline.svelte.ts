// The rows of the trace looked at: a window of them, fetched by index from the engine at most once
// a frame, with the selection (a seq, not a row: it survives filters and folding) and the follow
// switch. State and rows are replaced together, so that what is on screen is always of one moment.
import type { EngineApi, FrameDetail, TimelineState } from '../engine/messages.ts';
import type { RowView } from '../model/row-view.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import { Places } from './places.ts';
import { findRow } from './timeline-rows.ts';

/** What the list draws. Rows begin at index `first`; others are empty rows of the right height. */
export interface ShownRows {
  readonly state: TimelineState;
  readonly first: number;
  readonly rows: readonly RowView[];
  /** The row now at `to` stays where the row `from` of the view before was; without it, on top. */
  readonly keep?: { readonly from?: number; readonly to: number };
}

/** A row to bring on screen: a third down and lit once, or as little as needed. */
export interface Target {
  readonly row: number;
  readonly seq: Seq;
  readonly stamp: number;
  readonly how: 'third' | 'near';
}

interface Wanted {
  readonly from: number;
  readonly to: number;
  /** The first row on screen. */
  readonly top: number;
}

const FIRST_ROWS: Wanted = { from: 0, to: 80, top: 0 };

export class Timeline {
  readonly #engine: EngineApi;
  readonly #nextFrame: (run: () => void) => void;
  readonly #places = new Places();
  #connection: ConnectionId | undefined;
  #latest: TimelineState | undefined;
  #view = $state.raw<ShownRows | undefined>();
  #rowsVersion = -1;
  #wanted = FIRST_ROWS;
  #startAt: Seq | undefined;
  #fetching = false;
  #resting = true;
  #again = false;
  #stamp = 0;
  #sought: number | undefined;

  #selected = $state.raw<Seq | undefined>();
  #selectedKey = $state.raw<string | undefined>();
  #detail = $state.raw<FrameDetail | undefined>();
  #follow = $state(true);
  #held = $state(0);
  #onScreen = $state.raw({ top: 0, last: 0 });
  #target = $state.raw<Target | undefined>();
  #hidden = $state.raw<{ readonly seq: Seq; readonly terms: readonly string[] } | undefined>();

  query = $state('');
  /** The time column shows the time since the row above. */
  showDelta = $state(false);
  /** What the pointer is on, lit wherever it shows: a session chip, both frames of an exchange. */
  lit = $state.raw<{ readonly session?: string; readonly exchange?: string }>({});

  constructor(
    engine: EngineApi,
    nextFrame: (run: () => void) => void = (run) => void requestAnimationFrame(run),
  ) {
    this.#engine = engine;
    this.#nextFrame = nextFrame;
  }

  get view(): ShownRows | undefined {
    return this.#view;
  }
  get state(): TimelineState | undefined {
    return this.#view?.state;
  }
  /** Undefined: not fetched yet; the list draws an empty row of the right height. */
  row(index: number): RowView | undefined {
    return this.#view?.rows[index - this.#view.first];
  }
  /** The selected frame. */
  get selected(): Seq | undefined {
    return this.#selected;
  }
  /** The row it was selected in: a window's head and its request have one seq. */
  get selectedKey(): string | undefined {
    return this.#selectedKey;
  }
  get detail(): FrameDetail | undefined {
    return this.#detail;
  }
  /** Set by a jump or a step: the list brings this row on screen. */
  get target(): Target | undefined {
    return this.#target;
  }
  /** First and last row on screen. */
  get onScreen(): { readonly top: number; readonly last: number } {
    return this.#onScreen;
  }
  /** The selected frame, where the query hides it, and the terms that do. */
  get hidden() {
    return this.#hidden;
  }
  get follow(): boolean {
    return this.#follow;
  }
  set follow(on: boolean) {
    if (on === this.#follow) return;
    this.#follow = on;
    if (on) this.#refresh();
    else this.#held = this.state?.counts.shown ?? 0;
  }
  /** Frames that came since the list was held. */
  fresh: number = $derived.by(() =>
    this.#follow ? 0 : Math.max(0, (this.state?.counts.shown ?? 0) - this.#held),
  );

  /** `live`: the trace grows, so the list follows its end. */
  async open(connection: ConnectionId, live = true): Promise<void> {
    this.#leave();
    const place = this.#places.of(connection);
    this.#connection = connection;
    this.#latest = this.#view = undefined;
    this.#rowsVersion = -1;
    this.#wanted = FIRST_ROWS;
    this.#startAt = place?.top;
    this.#detail = this.#hidden = this.#target = undefined;
    this.#follow = place?.follow ?? live;
    this.#held = 0;
    void this.select(place?.selected);
    const state = await this.#engine.open(connection, this.query);
    if (state && this.#connection === connection) this.receive(state);
  }

  receive(state: TimelineState): void {
    if (state.connection !== this.#connection) return;
    if (this.#latest && state.version < this.#latest.version) return;
    if (!this.#latest) this.#held = state.counts.shown;
    this.#latest = state;
    this.#refresh();
  }

  async setQuery(query: string): Promise<void> {
    this.query = query;
    const connection = this.#connection;
    if (!connection) return;
    this.follow = false;
    const state = await this.#engine.setQuery(connection, query);
    if (query !== this.query || connection !== this.#connection) return;
    this.receive(state);
    this.#held = state.counts.shown;
    await this.#checkHidden();
  }

  /** The list says which rows it wants, and the first and last that are on screen. */
  want(from: number, to: number, top = from, last = to): void {
    this.#wanted = { from, to, top };
    if (top !== this.#onScreen.top || last !== this.#onScreen.last) this.#onScreen = { top, last };
    this.#refresh();
  }

  /** Selects a frame; `key` where it was selected by its row. Holds the list where it is. */
  async select(seq: Seq | undefined, key?: string): Promise<void> {
    this.#selected = seq;
    this.#selectedKey = key;
    this.#hidden = undefined;
    const connection = this.#connection;
    if (seq === undefined || !connection) {
      this.#detail = undefined;
      return;
    }
    const detail = await this.#engine.frame(connection, seq);
    if (this.#selected === seq && this.#connection === connection) this.#detail = detail;
  }

  async jump(seq: Seq): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    this.follow = false;
    void this.select(seq);
    const { row, hiddenBy } = await this.#engine.locate(connection, seq);
    if (this.#selected !== seq) return;
    if (row >= 0) this.#bring(row, seq, 'third');
    else this.#hidden = { seq, terms: hiddenBy };
  }

  async toggle(key: string): Promise<void> {
    if (!this.#connection) return;
    this.receive(await this.#engine.toggle(this.#connection, key));
  }

  /** Selects the row so many below the selected one; without one, the first on screen. */
  async step(by: number): Promise<void> {
    const now = await this.#selectedRow();
    await this.selectRow(now < 0 ? this.#wanted.top : now + by);
  }

  async selectRow(index: number): Promise<void> {
    const connection = this.#connection;
    if (!connection || !this.#latest || this.#latest.rows === 0) return;
    const to = Math.max(0, Math.min(index, this.#latest.rows - 1));
    const row = this.row(to) ?? (await this.#engine.rows(connection, to, to + 1)).rows[0];
    if (!row || connection !== this.#connection) return;
    this.follow = false;
    void this.select(row.seq, row.key);
    this.#bring(to, row.seq, 'near');
  }

  /** Selects the last frame at or before this moment. One search at a time, the last one wins. */
  async jumpToTime(at: number): Promise<void> {
    const searching = this.#sought !== undefined;
    this.#sought = at;
    if (searching) return;
    while (this.#sought !== undefined) {
      const sought: number = this.#sought;
      const seq = await this.#frameAt(sought);
      if (seq !== undefined) await this.jump(seq);
      if (this.#sought === sought) this.#sought = undefined;
    }
  }

  async #frameAt(at: number): Promise<Seq | undefined> {
    const connection = this.#connection;
    if (!connection || !this.#latest) return undefined;
    let low = 0;
    let high = this.#latest.rows - 1;
    let found: Seq | undefined;
    while (low <= high) {
      const middle = (low + high) >> 1;
      // Heads and folds have no time of their own: the frame after them has.
      const { rows } = await this.#engine.rows(connection, middle, middle + 3);
      const row = rows.find((row) => row.type === 'frame');
      if (!row || row.at > at) high = middle - 1;
      else {
        found = row.seq;
        low = middle + 1;
      }
    }
    return found;
  }

  /** The other frame of the selected exchange. */
  async jumpToPartner(): Promise<void> {
    const seq = this.#selected;
    if (!this.#connection || seq === undefined) return;
    const detail =
      this.#detail?.seq === seq ? this.#detail : await this.#engine.frame(this.#connection, seq);
    const other =
      detail?.exchange?.request === seq ? detail.exchange.answer : detail?.exchange?.request;
    if (other !== undefined) await this.jump(other);
  }

  async jumpToWindow(direction: 1 | -1): Promise<void> {
    if (!this.#connection) return;
    const from = this.#selected ?? this.row(this.#wanted.top)?.seq;
    if (from === undefined) return;
    const seq = await this.#engine.nextWindow(this.#connection, from, direction);
    if (seq !== undefined) await this.jump(seq);
  }

  /** The selected row if it is among the fetched ones. */
  selectedView(): { readonly index: number; readonly row: RowView } | undefined {
    if (!this.#view || this.#selected === undefined) return undefined;
    const found = findRow(this.#view.rows, this.#selected, this.#selectedKey);
    const row = this.#view.rows[found];
    return row && { index: this.#view.first + found, row };
  }

  async #selectedRow(): Promise<number> {
    const near = this.selectedView();
    if (near) return near.index;
    if (!this.#connection || this.#selected === undefined) return -1;
    return (await this.#engine.locate(this.#connection, this.#selected)).row;
  }

  #bring(row: number, seq: Seq, how: Target['how']): void {
    this.#target = { row, seq, how, stamp: ++this.#stamp };
  }

  #leave(): void {
    if (!this.#connection || !this.#view) return;
    this.#places.keep(this.#connection, {
      selected: this.#selected,
      top: this.row(this.#wanted.top)?.seq,
      follow: this.#follow,
    });
  }

  async #checkHidden(): Promise<void> {
    const seq = this.#selected;
    const connection = this.#connection;
    if (seq === undefined || !connection) return;
    const { row, hiddenBy } = await this.#engine.locate(connection, seq);
    if (this.#selected === seq) this.#hidden = row < 0 ? { seq, terms: hiddenBy } : undefined;
  }

  /** Fetches now if this frame has not fetched yet, else with the next one. */
  #refresh(): void {
    if (this.#fetching || !this.#resting) {
      this.#again = true;
      return;
    }
    this.#again = false;
    if (this.#isFresh()) {
      // The rows were already of this moment or a later one.
      if (this.#view && this.#latest && this.#view.state !== this.#latest)
        this.#view = { ...this.#view, state: this.#latest };
      return;
    }
    this.#resting = false;
    this.#nextFrame(() => {
      this.#resting = true;
      if (this.#again) this.#refresh();
    });
    void this.#fetch();
  }

  #isFresh(): boolean {
    const latest = this.#latest;
    if (!latest) return true;
    if (!this.#view || this.#rowsVersion < latest.version) return false;
    const { from, to } = this.#range(latest);
    const end = this.#view.first + this.#view.rows.length;
    return from >= this.#view.first && Math.min(to, latest.rows) <= end;
  }

  #range(state: TimelineState): { readonly from: number; readonly to: number } {
    const { from, to } = this.#wanted;
    if (!this.#follow) return { from, to };
    return { from: Math.max(0, state.rows - (to - from)), to: state.rows };
  }

  async #fetch(): Promise<void> {
    const connection = this.#connection;
    const latest = this.#latest;
    if (!connection || !latest) return;
    this.#fetching = true;
    try {
      const range = this.#range(latest);
      const view = await this.#load(connection, latest, range.from, range.to);
      if (connection === this.#connection && view) this.#view = view;
    } finally {
      this.#fetching = false;
    }
    if (this.#again || !this.#isFresh()) this.#refresh();
  }

  /** Rows of the range; where the order has changed, of the range that keeps the place. */
  async #load(
    connection: ConnectionId,
    state: TimelineState,
    from: number,
    to: number,
  ): Promise<ShownRows | undefined> {
    const before = this.#view;
    if (!before && this.#startAt !== undefined && !this.#follow) {
      const { row } = await this.#engine.locate(connection, this.#startAt);
      this.#startAt = undefined;
      if (row >= 0) return this.#loadAround(connection, state, row, undefined);
    }
    const { version, rows } = await this.#engine.rows(connection, from, to);
    this.#rowsVersion = version;
    const view = { state, first: from, rows };
    if (!before || this.#follow || before.state.version === state.version) return view;

    const { top } = this.#wanted;
    const old = before.rows.slice(top - before.first, top - before.first + 8);
    for (const [i, row] of old.entries()) {
      const index = rows.findIndex((other) => other.key === row.key);
      if (index >= 0) return { ...view, keep: { from: top + i, to: from + index } };
    }
    for (const [i, row] of old.entries()) {
      const located = await this.#engine.locate(connection, row.seq);
      if (located.row >= 0) return this.#loadAround(connection, state, located.row, top + i);
    }
    return view;
  }

  async #loadAround(
    connection: ConnectionId,
    state: TimelineState,
    row: number,
    was: number | undefined,
  ): Promise<ShownRows> {
    const { from, to, top } = this.#wanted;
    const first = Math.max(0, row - (top - from) - (was === undefined ? 0 : was - top));
    this.#wanted = { from: first, to: first + (to - from), top: first + (top - from) };
    const { version, rows } = await this.#engine.rows(connection, first, first + (to - from));
    this.#rowsVersion = version;
    const keep = was === undefined ? { to: row } : { from: was, to: row };
    return { state, first, rows, keep };
  }
}
