// Tool calls whose last live status is `failed`, so that a replay that completes them is seen at once.
import { FLAG } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';

export class ToolFailures {
  readonly #index: TraceIndex;
  /** The event that reported the failure, by the item. */
  readonly #failed = new Map<number, number>();

  constructor(index: TraceIndex) {
    this.#index = index;
  }

  /** Every event, in order. */
  take(event: number): void {
    const { columns } = this.#index;
    const status = columns.status.get(event);
    if (status === 0 || columns.has(event, FLAG.replay | FLAG.late)) return;
    const item = columns.item.get(event);
    if (item === 0) return;
    if (columns.statuses.text(status) === 'failed') this.#failed.set(item, event);
    else if (this.#failed.size > 0) this.#failed.delete(item);
  }

  /** The live failure of the tool call that this event replays as completed; undefined: it has none. */
  contradicted(event: number): number | undefined {
    const { columns } = this.#index;
    if (this.#failed.size === 0 || !columns.has(event, FLAG.replay | FLAG.late)) return undefined;
    if (columns.statuses.text(columns.status.get(event)) !== 'completed') return undefined;
    const failed = this.#failed.get(columns.item.get(event));
    return failed === undefined || failed > event ? undefined : failed;
  }
}
