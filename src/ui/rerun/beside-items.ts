// Rows of a rerun as they are listed: long stretches of what is as recorded fold to one line.
import type { RerunRow } from '../../engine/runs/rerun-messages.ts';

export type BesideItem =
  | { readonly type: 'row'; readonly row: RerunRow }
  /** `from`: place of its first row, by which it is opened. */
  | { readonly type: 'fold'; readonly from: number; readonly size: number };

/** Fewer are shown as they are. */
const LONG = 8;
/** Shown before and after a difference. */
const NEAR = 2;

/** While the rerun goes on nothing folds: one watches it come. */
export function besideItems(
  rows: readonly RerunRow[],
  opened: ReadonlySet<number>,
  isOver: boolean,
): readonly BesideItem[] {
  const items: BesideItem[] = [];
  const show = (from: number, to: number) => {
    for (const row of rows.slice(from, to)) items.push({ type: 'row', row });
  };
  let at = 0;
  while (at < rows.length) {
    const next = rows.findIndex(({ state }, place) => place >= at && state !== 'matched');
    const end = next < 0 ? rows.length : next;
    const from = at === 0 ? 0 : at + NEAR;
    const to = next < 0 ? end : end - NEAR;
    // Where nothing differs there is nothing to make room for.
    const isWhole = at === 0 && next < 0;
    if (isOver && !isWhole && to - from >= LONG && !opened.has(from)) {
      show(at, from);
      items.push({ type: 'fold', from, size: to - from });
      show(to, end);
    } else show(at, end);
    if (next >= 0) show(next, next + 1);
    at = end + 1;
  }
  return items;
}
