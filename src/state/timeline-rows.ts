// Which of the rows at hand stands for a frame.
import type { RowView } from '../model/row-view.ts';
import type { Seq } from '../trace/event.ts';

/** Whether the frame is shown by this row: it is the row's, or collapsed or folded into it. */
export function holds(row: RowView, seq: Seq): boolean {
  if (row.seq === seq) return row.type !== 'window';
  const last = row.type === 'fold' ? row.last : row.type === 'frame' ? closedEnd(row) : undefined;
  return last !== undefined && row.seq < seq && seq <= last;
}

function closedEnd(row: RowView & { type: 'frame' }): Seq | undefined {
  return row.run && !row.run.open ? row.run.last : undefined;
}

/** Index of the frame's row: the very row, else its own, else the one it is collapsed into; or -1. */
export function findRow(rows: readonly RowView[], seq: Seq, key?: string): number {
  const very = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
  if (very >= 0) return very;
  const own = rows.findIndex((row) => row.type !== 'window' && row.seq === seq);
  return own >= 0 ? own : rows.findIndex((row) => holds(row, seq));
}
