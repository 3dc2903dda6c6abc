// The keys of the table: what they do, and how the sheet of keys names them.
import type { App } from '../../state/app.svelte.ts';
import type { Diff } from '../../state/diff/diff.svelte.ts';
import type { DiffTable } from '../../state/diff/diff-table.svelte.ts';
import { nextView } from './keys.ts';
import { isKey } from '../../state/keys.ts';

interface Around {
  /** Rows of a page. */
  readonly page: number;
  /** To what the cell says. */
  open(): void;
}

interface TableKey {
  readonly keys: readonly string[];
  readonly does: string;
  run(table: DiffTable, diff: Diff, around: Around): unknown;
}

export const TABLE_KEYS: readonly TableKey[] = [
  { keys: ['J', '↓'], does: 'Next row', run: (table) => table.select(table.at + 1) },
  { keys: ['K', '↑'], does: 'Previous row', run: (table) => table.select(table.at - 1) },
  { keys: ['→'], does: 'Next trace', run: (table) => table.selectColumn(table.column + 1) },
  { keys: ['←'], does: 'Trace before', run: (table) => table.selectColumn(table.column - 1) },
  {
    keys: ['PgDn'],
    does: 'A page down',
    run: (table, _, { page }) => table.select(table.at + page),
  },
  { keys: ['PgUp'], does: 'A page up', run: (table, _, { page }) => table.select(table.at - page) },
  { keys: ['Home'], does: 'First row', run: (table) => table.select(0) },
  { keys: ['End'], does: 'Last row', run: (table) => table.select(Infinity) },
  {
    keys: ['N'],
    does: 'Next difference of this trace',
    run: (table) => table.stepDifference(1),
  },
  { keys: ['⇧N'], does: 'Difference before', run: (table) => table.stepDifference(-1) },
  {
    keys: ['↵'],
    does: 'The first and this trace, at this row; of the first, its frame',
    run: (_, __, { open }) => open(),
  },
  { keys: ['⇧→'], does: 'Move the trace to the right', run: (table) => move(table, 1) },
  { keys: ['⇧←'], does: 'Move the trace to the left', run: (table) => move(table, -1) },
  { keys: ['Delete'], does: 'Take the trace out', run: (table) => takeOut(table) },
  { keys: ['V'], does: 'Next view', run: (_, diff) => nextView(diff) },
];

function move(table: DiffTable, by: 1 | -1): void {
  const trace = table.others[table.column - 1];
  if (trace) table.move(trace.connection, by);
}

function takeOut(table: DiffTable): void {
  const trace = table.others[table.column - 1];
  if (trace) table.remove(trace.connection);
}

/** Whether the key was one of ours. Single letters may be switched off. */
export function tableKey(
  app: App,
  diff: Diff,
  table: DiffTable,
  event: KeyboardEvent,
  around: Around,
): boolean {
  const found = TABLE_KEYS.find(({ keys }) => keys.some((key) => isKey(event, key)));
  if (!found) return false;
  if (/^\S$/.test(event.key) && !app.prefs.letterKeys) return false;
  found.run(table, diff, around);
  return true;
}
