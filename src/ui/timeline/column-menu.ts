// The menu of the columns of Trace: show, hide, size and reset them, and sort the frames.
import type { App } from '../../state/app.svelte.ts';
import type { MenuItem } from '../parts/menu-item.ts';
import { OPTIONAL, withShown, withWidth, type ColumnLayout, type ColumnRoom } from './columns.ts';

/** Pixels of one step by key. */
const STEP = 16;
const SORTS = [
  { by: 'size', label: 'By size, largest first' },
  { by: 'latency', label: 'By latency, longest first' },
  { by: undefined, label: 'In the order of the trace' },
] as const;

export function columnMenu(
  { prefs, timeline }: App,
  { columns, narrow }: ColumnLayout,
  { chip }: ColumnRoom,
): readonly MenuItem[] {
  const pxOf = (id: string) => columns.find((column) => column.id === id)?.px;
  const all = OPTIONAL.filter(({ id }) => id !== 'session' || chip > 0);
  const size = (id: string, px: number | undefined) => () =>
    (prefs.columns = withWidth(prefs.columns, id, px));
  const sized = all.flatMap(({ id, head }): MenuItem[] => {
    const px = pxOf(id);
    if (px === undefined) return [];
    return [
      { label: `Wider: ${head}`, beside: `${px} px`, run: size(id, px + STEP) },
      { label: `Narrower: ${head}`, run: size(id, px - STEP) },
    ];
  });
  const sorts = SORTS.map(({ by, label }) => ({
    label,
    checked: timeline.state?.sorted === by,
    run: () => void timeline.sortBy(by),
  }));
  // Rows of two lines have the same columns for everybody.
  if (narrow) return sorts;
  return [
    ...all.map(({ id, head }): MenuItem => {
      const isThere = pxOf(id) !== undefined;
      const checked = prefs.columns.shown[id] ?? isThere;
      return {
        label: head,
        checked,
        several: true,
        beside: checked && !isThere ? 'too narrow here' : undefined,
        run: () => (prefs.columns = withShown(prefs.columns, id, !checked)),
      };
    }),
    { label: 'Sort', rule: true, items: sorts },
    { label: 'Width', items: sized },
    { label: 'Reset columns', run: () => (prefs.columns = { shown: {}, widths: {} }) },
  ];
}
