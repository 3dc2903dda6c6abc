// The rows the list draws, fetched by index from the engine, at most once a frame. State and rows
// are replaced together, so that what is on screen is always of one moment; where the order of the
// rows changes, the row on top of the screen keeps its place.
import type { EngineApi } from '../../engine/api.ts';
import type { TimelineRows, TimelineState } from '../../engine/messages.ts';
import type { RowView } from '../../model/timeline/row-view.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { keepKnown } from './timeline-rows.ts';

/** What the list draws. Rows begin at index `first`; others are empty rows of the right height. */
export interface ShownRows {
  readonly state: TimelineState;
  /** The version of the timeline that the rows are of: that of the state, or a later one. */
  readonly version: number;
  readonly first: number;
  readonly rows: readonly RowView[];
  /** The open turns and replay windows that the rows stand under. */
  readonly heads: TimelineRows['heads'];
  /** The row now at `to` stays where the row `from` of the view before was; without it, on top. */
  readonly keep?: { readonly from?: number; readonly to: number };
}

interface Wanted {
  readonly from: number;
  readonly to: number;
  /** The first row on screen. */
  readonly top: number;
}

/** What the worker was asked for when a trace was opened, or will be. */
interface Asked {
  readonly connection: ConnectionId;
  readonly query: string;
  readonly lights: boolean;
  /** The first ones, asked for before the state is known: of a long trace what comes then would keep them waiting. */
  readonly rows: Promise<TimelineRows | undefined> | undefined;
  readonly state: Promise<TimelineState | undefined>;
}

const FIRST_ROWS: Wanted = { from: 0, to: 80, top: 0 };
/** Rows from the top of the screen on, one of which is looked for after a change of order. */
const ANCHORS = 8;

export class RowFeed {
  readonly #engine: EngineApi;
  readonly #follows: () => boolean;
  readonly #nextFrame: (run: () => void) => void;
  #connection: ConnectionId | undefined;
  /** The newest state, whose rows may still be on their way. */
  latest: TimelineState | undefined;
  #view = $state.raw<ShownRows | undefined>();
  #onScreen = $state.raw({ top: 0, last: 0 });
  #wanted = FIRST_ROWS;
  #startAt: Seq | undefined;
  #expected: Asked | undefined;
  #ahead: Asked['rows'];
  #fetching = false;
  #resting = true;
  #again = false;

  /** `follows`: whether the end of the list is wanted, wherever it is. */
  constructor(
    engine: EngineApi,
    follows: () => boolean,
    nextFrame: (run: () => void) => void = (run) => void requestAnimationFrame(run),
  ) {
    this.#engine = engine;
    this.#follows = follows;
    this.#nextFrame = nextFrame;
  }

  get view(): ShownRows | undefined {
    return this.#view;
  }
  get onScreen(): { readonly top: number; readonly last: number } {
    return this.#onScreen;
  }
  row(index: number): RowView | undefined {
    return this.#view?.rows[index - this.#view.first];
  }
  /** Whether the rows that are drawn are those of the newest state. */
  get isOfNow(): boolean {
    return (this.#view?.version ?? -1) >= (this.latest?.version ?? 0);
  }
  /** The frame on top of the screen. */
  get topSeq(): Seq | undefined {
    return this.row(this.#wanted.top)?.seq;
  }

  /** This trace will be opened so, if it is there: what is asked for then is asked for now. */
  expect(connection: ConnectionId, query: string, lights: boolean): void {
    this.#expected = this.#ask(connection, query, lights, true);
    // Who opens it hears of a failure.
    this.#expected.state.catch(() => undefined);
  }

  /** `startAt`: the frame that goes on top of the screen. `fromTop`: the rows do, if nothing is asked of them. */
  open(
    connection: ConnectionId,
    startAt: Seq | undefined,
    query: string,
    lights: boolean,
    fromTop: boolean,
  ): Asked['state'] {
    const expected = this.#expected;
    const isSo =
      expected?.connection === connection && expected.query === query && expected.lights === lights;
    const asked = isSo ? expected : this.#ask(connection, query, lights, fromTop);
    this.#expected = undefined;
    this.#connection = connection;
    this.latest = this.#view = undefined;
    this.#wanted = FIRST_ROWS;
    this.#startAt = startAt;
    this.#ahead = asked.rows;
    return asked.state;
  }

  #ask(connection: ConnectionId, query: string, lights: boolean, fromTop: boolean): Asked {
    const { timeline } = this.#engine;
    const isFirst = fromTop && query === '';
    const rows = isFirst ? timeline.rows(connection, 0, FIRST_ROWS.to) : undefined;
    return {
      ...{ connection, query, lights },
      rows: rows?.catch(() => undefined),
      state: timeline.open(connection, query, lights),
    };
  }

  /** False: of another trace, or older than what is known. */
  receive(state: TimelineState): boolean {
    if (state.connection !== this.#connection) {
      const expected = this.#expected;
      if (expected?.connection === state.connection)
        this.#expected = { ...expected, state: Promise.resolve(state) };
      return false;
    }
    if (this.latest && state.version < this.latest.version) return false;
    this.latest = state;
    this.refresh();
    return true;
  }

  want(from: number, to: number, top: number, last: number): void {
    this.#wanted = { from, to, top };
    if (top !== this.#onScreen.top || last !== this.#onScreen.last) this.#onScreen = { top, last };
    this.refresh();
  }

  /** Fetches now if this frame has not fetched yet, else with the next one. */
  refresh(): void {
    if (this.#fetching || !this.#resting) {
      this.#again = true;
      return;
    }
    this.#again = false;
    if (this.#isFresh()) {
      // The rows were already of this moment or a later one.
      if (this.#view && this.latest && this.#view.state !== this.latest)
        this.#view = { ...this.#view, state: this.latest };
      return;
    }
    this.#resting = false;
    this.#nextFrame(() => {
      this.#resting = true;
      if (this.#again) this.refresh();
    });
    void this.#fetch();
  }

  #isFresh(): boolean {
    const latest = this.latest;
    if (!latest) return true;
    if (!this.#view || !this.isOfNow) return false;
    const { from, to } = this.#range(latest);
    const end = this.#view.first + this.#view.rows.length;
    return from >= this.#view.first && Math.min(to, latest.rows) <= end;
  }

  #range(state: TimelineState): { readonly from: number; readonly to: number } {
    const { from, to } = this.#wanted;
    if (!this.#follows()) return { from, to };
    return { from: Math.max(0, state.rows - (to - from)), to: state.rows };
  }

  async #fetch(): Promise<void> {
    const connection = this.#connection;
    const latest = this.latest;
    if (!connection || !latest) return;
    this.#fetching = true;
    try {
      const range = this.#range(latest);
      const view = await this.#load(connection, latest, range.from, range.to);
      if (connection === this.#connection && view) this.#view = view;
    } finally {
      this.#fetching = false;
    }
    if (this.#again || !this.#isFresh()) this.refresh();
  }

  /** Rows of the range; where the order has changed, of the range that keeps the place. */
  async #load(
    connection: ConnectionId,
    state: TimelineState,
    from: number,
    to: number,
  ): Promise<ShownRows | undefined> {
    const before = this.#view;
    if (!before && this.#startAt !== undefined && !this.#follows()) {
      const { row } = await this.#engine.timeline.locate(connection, this.#startAt, false);
      this.#startAt = undefined;
      if (row >= 0) return this.#loadAround(connection, state, row, undefined);
    }
    let found = from === 0 ? await this.#ahead : undefined;
    this.#ahead = undefined;
    if (!found || found.version < state.version)
      found = await this.#engine.timeline.rows(connection, from, to);
    const { version, rows, heads } = found;
    const view = {
      state,
      version,
      heads,
      first: from,
      rows: before ? keepKnown(before.rows, rows) : rows,
    };
    const isOtherOrder = before?.state.sorted !== state.sorted;
    if (!before || isOtherOrder || this.#follows() || before.state.version === state.version)
      return view;

    const { top } = this.#wanted;
    // Who has jumped meanwhile stands above all that was fetched: nothing there holds the place.
    const at = top - before.first;
    const old = at < 0 ? [] : before.rows.slice(at, at + ANCHORS);
    for (const [i, row] of old.entries()) {
      const index = rows.findIndex((other) => other.key === row.key);
      if (index >= 0) return { ...view, keep: { from: top + i, to: from + index } };
    }
    for (const [i, row] of old.entries()) {
      const located = await this.#engine.timeline.locate(connection, row.seq, false);
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
    const { version, rows, heads } = await this.#engine.timeline.rows(
      connection,
      first,
      first + (to - from),
    );
    const keep = was === undefined ? { to: row } : { from: was, to: row };
    return { state, version, first, rows, heads, keep };
  }
}
