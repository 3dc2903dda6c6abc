// The keys of the diff view beside those of every comparison, and those of its table: what they do, and
// how the sheet of keys names them.
import type { Diff } from '../../state/diff/diff.svelte.ts';
import { DIFF_VIEW_LABELS } from '../../state/diff/diff-pair.ts';
import type { DiffTable } from '../../state/diff/diff-table.svelte.ts';
import { SIDE_KEYS, type InCompare } from '../compare/keys.ts';
import { LIST_KEYS, type MovesInList, type PlaceKey } from '../parts/list-keys.ts';

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
  { keys: ['T'], does: 'Back to the table of all', run: ({ diff }) => diff.showTable() },
  {
    keys: ['A'],
    does: 'The alias in this row, and where it stands',
    run: ({ showAlias }) => showAlias(),
  },
  { keys: ['I'], does: 'Leave out this field', run: ({ leaveOut }) => leaveOut() },
];

interface InTable extends MovesInList {
  readonly diff: Diff;
  readonly table: DiffTable;
  /** To what the cell says. */
  open(): void;
}

export const TABLE_KEYS: readonly PlaceKey<InTable>[] = [
  ...LIST_KEYS,
  { keys: ['→'], does: 'Next trace', run: ({ table }) => table.selectColumn(table.column + 1) },
  { keys: ['←'], does: 'Trace before', run: ({ table }) => table.selectColumn(table.column - 1) },
  {
    keys: ['N'],
    does: 'Next difference of this trace',
    run: ({ table }) => table.list.stepFault(1),
  },
  { keys: ['⇧N'], does: 'Difference before', run: ({ table }) => table.list.stepFault(-1) },
  {
    keys: ['↵'],
    does: 'The first and this trace, at this row; of the first, its frame',
    run: ({ open }) => open(),
  },
  { keys: ['⇧→'], does: 'Move the trace to the right', run: (on) => move(on, 1) },
  { keys: ['⇧←'], does: 'Move the trace to the left', run: (on) => move(on, -1) },
  { keys: ['Delete'], does: 'Take the trace out', run: takeOut },
  { keys: ['V'], does: 'Next view', run: nextView },
];

function nextView({ diff }: { readonly diff: Diff }): void {
  const at = DIFF_VIEW_LABELS.findIndex(({ value }) => value === diff.pair.view);
  const next = DIFF_VIEW_LABELS[at + 1] ?? DIFF_VIEW_LABELS[0];
  if (next) diff.show(next.value);
}

function move({ table }: InTable, by: 1 | -1): void {
  const trace = table.others[table.column - 1];
  if (trace) table.move(trace.connection, by);
}

function takeOut({ table }: InTable): void {
  const trace = table.others[table.column - 1];
  if (trace) table.remove(trace.connection);
}
