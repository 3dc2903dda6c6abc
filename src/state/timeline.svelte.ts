// The rows of the trace looked at: a window of them, fetched by index from the engine, with the
// selection (a seq, not a row: it survives filters and folding) and the follow switch.
import type { EngineApi, FrameDetail, TimelineState } from '../engine/messages.ts';
import type { RowView } from '../model/row-view.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';

export class Timeline {
  readonly #engine: EngineApi;
  #state = $state.raw<TimelineState | undefined>();
  #rows = $state.raw<ReadonlyMap<number, RowView>>(new Map());
  #rowsVersion = -1;
  #wanted: { from: number; to: number } = { from: 0, to: 60 };
  #fetching = false;
  #connection: ConnectionId | undefined;
  #detail = $state.raw<FrameDetail | undefined>();

  /** The selected frame. */
  selected = $state.raw<Seq | undefined>();
  follow = $state(true);
  query = $state('');
  /** Set by a jump: the list scrolls this row into view, a third down, and lights it once. */
  target = $state.raw<
    { readonly row: number; readonly seq: Seq; readonly stamp: number } | undefined
  >();

  constructor(engine: EngineApi) {
    this.#engine = engine;
  }

  get state(): TimelineState | undefined {
    return this.#state;
  }
  get detail(): FrameDetail | undefined {
    return this.#detail;
  }
  /** Undefined: not fetched yet; the list draws an empty row of the right height. */
  row(index: number): RowView | undefined {
    return this.#rows.get(index);
  }

  async open(connection: ConnectionId): Promise<void> {
    this.#connection = connection;
    this.#state = undefined;
    this.#rows = new Map();
    this.#rowsVersion = -1;
    this.selected = undefined;
    this.#detail = undefined;
    this.follow = true;
    const state = await this.#engine.open(connection, this.query);
    if (state && this.#connection === connection) this.receive(state);
  }

  receive(state: TimelineState): void {
    if (state.connection !== this.#connection) return;
    if (this.#state && state.version < this.#state.version) return;
    this.#state = state;
    void this.#fetch();
  }

  async setQuery(query: string): Promise<void> {
    this.query = query;
    if (!this.#connection) return;
    this.receive(await this.#engine.setQuery(this.#connection, query));
  }

  /** The list says which rows are on screen, with some more on both sides. */
  want(from: number, to: number): void {
    this.#wanted = { from, to };
    void this.#fetch();
  }

  async select(seq: Seq | undefined): Promise<void> {
    this.selected = seq;
    if (seq === undefined || !this.#connection) {
      this.#detail = undefined;
      return;
    }
    const detail = await this.#engine.frame(this.#connection, seq);
    if (this.selected === seq) this.#detail = detail;
  }

  async jump(seq: Seq): Promise<void> {
    if (!this.#connection) return;
    this.follow = false;
    void this.select(seq);
    const { row } = await this.#engine.locate(this.#connection, seq);
    if (row >= 0) this.target = { row, seq, stamp: performance.now() };
  }

  async toggle(key: string): Promise<void> {
    if (!this.#connection) return;
    this.receive(await this.#engine.toggle(this.#connection, key));
  }

  /** One fetch at a time; what was wanted meanwhile is fetched after it. */
  async #fetch(): Promise<void> {
    if (this.#fetching || !this.#connection || !this.#state) return;
    const { from, to } = this.#wanted;
    if (this.#rowsVersion === this.#state.version && this.#has(from, to)) return;
    this.#fetching = true;
    const connection = this.#connection;
    const { version, rows } = await this.#engine.rows(connection, from, to);
    this.#fetching = false;
    if (connection === this.#connection) {
      this.#rowsVersion = version;
      this.#rows = new Map(rows.map((row, i) => [from + i, row]));
    }
    void this.#fetch();
  }

  #has(from: number, to: number): boolean {
    const end = Math.min(to, this.#state?.rows ?? 0);
    for (let i = from; i < end; i++) if (!this.#rows.has(i)) return false;
    return true;
  }
}
