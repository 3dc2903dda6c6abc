// Several frames selected at once: a stretch of rows, or one row after the other. What is kept are
// the frames, so they stay what they are when rows change.
import { leading } from '../../lib/list-window.ts';
import type { EngineApi } from '../../engine/api.ts';
import type { SelectionSum } from '../../model/timeline/frame-detail.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

type Frames = Pick<EngineApi['timeline'], 'framesIn' | 'sum' | 'lines'>;

export class Several {
  readonly #frames: Frames;
  #connection: ConnectionId | undefined;
  /** Ascending; empty unless there is more than one. */
  seqs = $state.raw<readonly Seq[]>([]);
  /** Undefined until it is known. */
  sum = $state.raw<SelectionSum | undefined>();
  /** The row a stretch begins at, and the one it ends at; undefined: where the selected frame is. */
  #anchor: number | undefined;
  /** The row that the stretch was last drawn to. */
  end: number | undefined;
  #asked = 0;

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  has(seq: Seq): boolean {
    return this.seqs[leading(this.seqs.length, (at) => (this.seqs[at] ?? seq) < seq)] === seq;
  }

  clear(): void {
    this.#asked++;
    this.rowsChange();
    if (this.seqs.length > 0) this.seqs = [];
    this.sum = undefined;
  }

  /** Other rows have these numbers now. */
  rowsChange(): void {
    this.#anchor = this.end = undefined;
  }

  /** All from where the stretch began, at first `from`, to a row. */
  async stretch(connection: ConnectionId, from: number, to: number): Promise<void> {
    this.#anchor ??= from;
    this.end = to;
    const asked = ++this.#asked;
    const [first, last] = [Math.min(this.#anchor, to), Math.max(this.#anchor, to)];
    const seqs = await this.#frames.framesIn(connection, first, last + 1);
    if (asked === this.#asked) await this.#take(connection, seqs);
  }

  /** Adds what a row stands for, or takes it away. `alone`: the frame selected until now. */
  async toggle(connection: ConnectionId, row: number, alone: Seq): Promise<void> {
    this.#anchor = this.end = row;
    const asked = ++this.#asked;
    const found = await this.#frames.framesIn(connection, row, row + 1);
    if (asked !== this.#asked) return;
    const before = this.seqs.length > 0 ? this.seqs : [alone];
    const rest = before.filter((seq) => !found.includes(seq));
    const isIn = before.length - rest.length === found.length;
    await this.#take(connection, isIn ? rest : [...rest, ...found].sort((a, b) => a - b));
  }

  /** Their lines, one below the other; `lossy`: not all of them are UTF-8. */
  lines(): Promise<{ readonly text: string; readonly lossy: boolean }> {
    return this.#connection === undefined
      ? Promise.resolve({ text: '', lossy: false })
      : this.#frames.lines(this.#connection, this.seqs);
  }

  async #take(connection: ConnectionId, seqs: readonly Seq[]): Promise<void> {
    const asked = this.#asked;
    this.#connection = connection;
    this.seqs = seqs.length > 1 ? seqs : [];
    this.sum = undefined;
    if (seqs.length < 2) return;
    const sum = await this.#frames.sum(connection, seqs);
    if (asked === this.#asked) this.sum = sum;
  }
}
