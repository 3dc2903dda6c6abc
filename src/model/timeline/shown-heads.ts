// The heads of turns and replay windows among the rows of a timeline.
import type { Seq } from '../../trace/event.ts';
import type { TraceIndex } from '../trace-index.ts';
import { ownerOfWindow, type RowList } from './row-list.ts';
import type { RowView, ShownHead } from './row-view.ts';

export class ShownHeads {
  readonly #index: TraceIndex;
  readonly #rows: RowList;
  readonly #rowAt: (row: number) => RowView;

  constructor(index: TraceIndex, rows: RowList, rowAt: (row: number) => RowView) {
    this.#index = index;
    this.#rows = rows;
    this.#rowAt = rowAt;
  }

  /** The last `most` replay windows among the rows. */
  windows(most: number): readonly ShownHead[] {
    return this.#index.windowRecords
      .map(ownerOfWindow)
      .filter((owner) => this.#rows.hasHead(owner))
      .slice(-most)
      .map((owner) => this.#of(owner));
  }

  /** The open turns and replay windows that rows from `from` up to, not with, `to` are under. */
  over(from: number, to: number): readonly ShownHead[] {
    const owners = new Set<number>();
    const end = Math.min(to, this.#rows.length);
    for (let row = Math.max(0, from - 1); row < end; row++) owners.add(this.#rows.ownerOf(row));
    return [...owners]
      .filter((owner) => this.#rows.hasHead(owner))
      .map((owner) => this.#of(owner))
      .sort((a, b) => a.from - b.from);
  }

  #of(owner: number): ShownHead {
    const { from, to } = this.#rows.extentOf(owner);
    const row = this.#rowAt(from);
    if (row.type !== 'window' && row.type !== 'turn') throw new Error(`Row ${from} is no head`);
    return { row, from, to };
  }

  /** The request of the next replay window in the list, after or before this seq. */
  nextWindow(seq: Seq, direction: 1 | -1): Seq | undefined {
    const requests = this.#index.windowRecords
      .filter((window) => this.#rows.hasHead(ownerOfWindow(window)))
      .map((window) => this.#index.columns.seqOf(window.request));
    return direction === 1
      ? requests.find((request) => request > seq)
      : requests.findLast((request) => request < seq);
  }
}
