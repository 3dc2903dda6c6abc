// What the diff view asks for when somebody opens it: a whole field, the turns of a trace, the comparison
// as text.
import type { Piece } from '../../diff/text-change.ts';
import type { DiffLook, TurnName } from '../../engine/diff/diff-messages.ts';
import type { TableLook } from '../../engine/diff/diff-table-messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

/** All of both values of the nth field that a row shows. */
export function wholeField(
  { engine }: App,
  { diff }: DiffLook,
  row: number,
  nth: number,
): Promise<readonly Piece[]> {
  return engine.diff.field(diff, row, nth);
}

/** Whether what was live in it can be held against its replay. */
export function hasReplay({ engine }: App, connection: ConnectionId): Promise<boolean> {
  return engine.diff.hasReplay(connection);
}

export function turnsOf({ engine }: App, connection: ConnectionId): Promise<readonly TurnName[]> {
  return engine.diff.turns(connection);
}

/** As the command prints it. */
export function textOfDiff(
  { engine }: App,
  { diff }: DiffLook,
  format: 'text' | 'markdown',
  names: { readonly left: string; readonly right: string },
): Promise<string> {
  return engine.diff.text(diff, format, names);
}

/** The names of the first, then of the others. */
export function textOfTable(
  { engine }: App,
  { table }: TableLook,
  format: 'text' | 'markdown',
  names: readonly string[],
): Promise<string> {
  return engine.diff.tableText(table, format, names);
}
