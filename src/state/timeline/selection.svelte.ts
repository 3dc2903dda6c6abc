// The frame that is selected in the trace looked at (by its seq, not its row: it survives filters and folding),
// what is known of it, and what else is asked of a frame by its seq.
import type { EngineApi } from '../../engine/api.ts';
import type { FrameDetail } from '../../engine/messages.ts';
import type { FieldWithValue, Vocabulary } from '../../model/query/vocabulary.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { Several } from './several.svelte.ts';

export abstract class Selection {
  protected readonly engine: EngineApi;
  /** The trace looked at; undefined: none yet. */
  protected connection: ConnectionId | undefined;
  /** More than one frame, where a person selected so many. */
  readonly several: Several;
  #selected = $state.raw<Seq | undefined>();
  #selectedKey = $state.raw<string | undefined>();
  #detail = $state.raw<FrameDetail | undefined>();
  #hidden = $state.raw<{ readonly seq: Seq; readonly terms: readonly string[] } | undefined>();

  constructor(engine: EngineApi) {
    this.engine = engine;
    this.several = new Several(engine.timeline);
  }

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
  /** The selected frame, where the query hides it, and the terms that do. */
  get hidden() {
    return this.#hidden;
  }

  /** Selects a frame; `key` where it was selected by its row. Holds the list where it is. */
  async select(seq: Seq | undefined, key?: string): Promise<void> {
    this.#selected = seq;
    this.#selectedKey = key;
    this.#hidden = undefined;
    this.several.clear();
    if (seq === undefined || !this.connection) this.#detail = undefined;
    else await this.readDetail();
  }

  /** Reads the detail of the selected frame anew: what is said of it may be another now. */
  async readDetail(): Promise<void> {
    const [seq, connection] = [this.#selected, this.connection];
    if (seq === undefined || !connection) return;
    const key = this.#selectedKey;
    const member = key?.includes('/') === true ? Number(key.split('/')[1]) : undefined;
    const detail = await this.engine.timeline.frame(connection, seq, false, member);
    if (this.#selectedKey !== key) return;
    if (this.#selected === seq && this.connection === connection) this.#detail = detail;
  }

  /** Another trace is looked at. */
  protected look(connection: ConnectionId, selected: Seq | undefined): void {
    this.connection = connection;
    this.#detail = undefined;
    void this.select(selected);
  }

  /** The row of the selected frame, or of the head closed over it, which `reveals` opens. The frame is said to be hidden where it has none. Undefined: another one is selected by now. */
  protected async locate(reveals: boolean): Promise<number | undefined> {
    const [seq, connection] = [this.#selected, this.connection];
    if (seq === undefined || !connection) return undefined;
    const { row, hiddenBy } = await this.engine.timeline.locate(connection, seq, reveals);
    if (this.#selected !== seq || this.connection !== connection) return undefined;
    this.#hidden = row < 0 ? { seq, terms: hiddenBy } : undefined;
    return row;
  }

  /** A frame of the open trace, selected or not. `member`: one message of its array. */
  async frame(seq: Seq, member?: number): Promise<FrameDetail | undefined> {
    return this.connection && this.engine.timeline.frame(this.connection, seq, false, member);
  }

  /** Of the line of a frame, in hex. */
  async sha256(seq: Seq): Promise<string> {
    return this.connection ? this.engine.timeline.sha256(this.connection, seq) : '';
  }

  /** By which fields and values a query finds a frame. */
  async valuesOf(seq: Seq): Promise<readonly FieldWithValue[]> {
    return this.connection ? this.engine.timeline.valuesOf(this.connection, seq) : [];
  }

  /** What the trace holds, for completing a query. */
  async vocabulary(): Promise<Vocabulary> {
    return this.connection ? this.engine.timeline.vocabulary(this.connection) : {};
  }
}
