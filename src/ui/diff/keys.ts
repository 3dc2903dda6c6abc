// The keys of the compared rows: what they do, and how the sheet of keys names them.
import type { App } from '../../state/app.svelte.ts';
import type { Diff, DiffSide } from '../../state/diff/diff.svelte.ts';
import { DIFF_VIEWS } from '../../state/diff/diff-pair.ts';
import { isKey } from '../../state/keys.ts';

interface Around {
  /** Rows of a page. */
  readonly page: number;
  right(): void;
  left(): void;
  /** To a frame of the row. */
  go(side: DiffSide): void;
  /** The field, or the row, is left out from now on. */
  leaveOut(): void;
  /** The list of aliases, at the first of the row. */
  showAlias(): void;
}

interface DiffKey {
  readonly keys: readonly string[];
  readonly does: string;
  run(diff: Diff, around: Around): unknown;
}

export const DIFF_KEYS: readonly DiffKey[] = [
  { keys: ['J', '↓'], does: 'Next row', run: (diff) => diff.select(diff.at + 1) },
  { keys: ['K', '↑'], does: 'Previous row', run: (diff) => diff.select(diff.at - 1) },
  { keys: ['PgDn'], does: 'A page down', run: (diff, { page }) => diff.select(diff.at + page) },
  { keys: ['PgUp'], does: 'A page up', run: (diff, { page }) => diff.select(diff.at - page) },
  { keys: ['Home'], does: 'First row', run: (diff) => diff.select(0) },
  { keys: ['End'], does: 'Last row', run: (diff) => diff.select(Infinity) },
  { keys: ['N'], does: 'Next difference', run: (diff) => diff.stepDifference(1) },
  { keys: ['⇧N'], does: 'Difference before', run: (diff) => diff.stepDifference(-1) },
  {
    keys: ['→'],
    does: 'Open its fields, what is folded, or all of a field',
    run: (_, { right }) => right(),
  },
  { keys: ['←'], does: 'Close them', run: (_, { left }) => left() },
  { keys: ['E'], does: 'Open or close all that is folded', run: (diff) => diff.toggleFolds() },
  {
    keys: ['O'],
    does: 'Only differences, or all',
    run: (diff) => diff.showMark('equal', diff.hidden.includes('equal')),
  },
  { keys: ['U'], does: 'Side by side, or one text', run: (diff) => toggleLayout(diff) },
  { keys: ['V'], does: 'Next view', run: nextView },
  { keys: ['T'], does: 'Back to the table of all', run: (diff) => diff.showTable() },
  {
    keys: ['A'],
    does: 'The alias in this row, and where it stands',
    run: (_, { showAlias }) => showAlias(),
  },
  { keys: ['I'], does: 'Leave out this field', run: (_, { leaveOut }) => leaveOut() },
  { keys: ['↵'], does: 'Its left frame in the trace', run: (_, { go }) => go('left') },
  { keys: ['X'], does: 'Its right frame in the trace', run: (_, { go }) => go('right') },
];

function toggleLayout(diff: Diff): void {
  diff.layout = diff.layout === 'beside' ? 'unified' : 'beside';
}

export function nextView(diff: Diff): void {
  const at = DIFF_VIEWS.findIndex(({ value }) => value === diff.pair.view);
  const next = DIFF_VIEWS[at + 1] ?? DIFF_VIEWS[0];
  if (next) diff.show(next.value);
}

/** Whether the key was one of ours. Single letters may be switched off. */
export function diffKey(app: App, diff: Diff, event: KeyboardEvent, around: Around): boolean {
  const found = DIFF_KEYS.find(({ keys }) => keys.some((key) => isKey(event, key)));
  if (!found) return false;
  if (/^\S$/.test(event.key) && !app.prefs.letterKeys) return false;
  void found.run(diff, around);
  return true;
}
