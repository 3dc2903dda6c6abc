// Which of the rows at hand stands for a frame, and which of them are news.
import type { RowView } from '../../model/timeline/row-view.ts';
import type { Seq } from '../../trace/event.ts';

/** True for the head of a turn or of a replay window, which has the seq of its first frame. */
export function isHead(row: RowView): row is Extract<RowView, { type: 'window' | 'turn' }> {
  return row.type === 'window' || row.type === 'turn';
}

/** Whether the frame is shown by this row: it is the row's, or collapsed or folded into it. */
function holds(row: RowView, seq: Seq): boolean {
  if (row.seq === seq) return !isHead(row);
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
  const own = rows.findIndex((row) => !isHead(row) && row.seq === seq);
  return own >= 0 ? own : rows.findIndex((row) => holds(row, seq));
}

/** The rows, where nothing about one has changed as the object known before: it is not drawn anew. */
export function keepKnown(before: readonly RowView[], rows: readonly RowView[]): RowView[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const had = known.get(row.key);
    return had && isSame(had, row) ? had : row;
  });
}

/** Of plain data without holes or cycles. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length &&
    entries.every(([key, value]) => isSame(value, (b as Record<string, unknown>)[key]))
  );
}

/** The last frame at or before this moment (ms of the trace's clock), of so many rows in the order of time; undefined: none is. */
export async function lastFrameUntil(
  at: number,
  count: number,
  rowsOf: (from: number, to: number) => Promise<readonly RowView[]>,
): Promise<Seq | undefined> {
  let low = 0;
  let high = count - 1;
  let found: Seq | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    // Heads and folds have no time of their own: the frame after them has.
    const row = (await rowsOf(middle, middle + 3)).find((one) => one.type === 'frame');
    if (!row || row.at > at) high = middle - 1;
    else {
      found = row.seq;
      low = middle + 1;
    }
  }
  return found;
}
