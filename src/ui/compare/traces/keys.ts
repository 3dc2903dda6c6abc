// The keys of two traces beside those of every comparison: what they do, and how the sheet of keys names them.
import type { Diff } from '../../../state/diff/diff.svelte.ts';
import { DIFF_VIEW_LABELS } from '../../../state/diff/diff-pair.ts';
import { SIDE_KEYS, type InCompare } from '../keys.ts';
import type { PlaceKey } from '../../parts/list-keys.ts';

interface InDiff extends InCompare {
  readonly diff: Diff;
  /** The field, or the row, is left out from now on. */
  leaveOut(): void;
  /** The list of aliases, at the first of the row. */
  showAlias(): void;
}

export const DIFF_KEYS: readonly PlaceKey<InDiff>[] = [
  ...SIDE_KEYS,
  {
    keys: ['O'],
    does: 'Only differences, or all',
    run: ({ diff: { list } }) => list.showMark('equal', list.hidden.includes('equal')),
  },
  {
    keys: ['U'],
    does: 'Side by side, or one text',
    run: ({ diff }) => (diff.layout = diff.layout === 'beside' ? 'unified' : 'beside'),
  },
  { keys: ['V'], does: 'Next view', run: nextView },
  {
    keys: ['A'],
    does: 'The alias in this row, and where it stands',
    run: ({ showAlias }) => showAlias(),
  },
  { keys: ['I'], does: 'Leave out this field', run: ({ leaveOut }) => leaveOut() },
];

function nextView({ diff }: { readonly diff: Diff }): void {
  const at = DIFF_VIEW_LABELS.findIndex(({ value }) => value === diff.pair.view);
  const next = DIFF_VIEW_LABELS[at + 1] ?? DIFF_VIEW_LABELS[0];
  if (next) diff.show(next.value);
}
