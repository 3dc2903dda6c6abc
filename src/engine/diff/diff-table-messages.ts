// What the page asks the worker about more than two traces, and what comes back: a table of what differs
// from the first. Every column is a comparison of the first with one other.
import type { Piece } from '../../diff/text-change.ts';
import type {
  DiffRowSide,
  DiffSection,
  LeftOut,
  RowMark,
} from '../../diff/traces/report/report.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { DiffAsk, DiffNumber, ShownField } from './diff-messages.ts';

/** `rightSlice` is that of every other. */
export interface TableAsk extends Omit<DiffAsk, 'right'> {
  readonly others: readonly ConnectionId[];
}

/** Of one of the others. */
export interface TableColumn {
  readonly equal: boolean;
  readonly counts: Readonly<Record<RowMark, number>>;
  readonly unrelated: boolean;
  readonly notices: readonly string[];
  /** Events of it when it was compared. */
  readonly events: number;
}

export interface TableLook {
  readonly table: DiffNumber;
  readonly ask: TableAsk;
  /** In the order of `ask.others`. */
  readonly columns: readonly TableColumn[];
  /** Events of the first when it was compared. */
  readonly events: number;
  /** What of the first was compared. */
  readonly compared: number;
  readonly sections: readonly DiffSection[];
  /** Of each row: its place in `sections`. */
  readonly rowSections: Uint32Array;
  /**
   * Row by row, of each other: the same 0, changed 1, missing 2, extra 3, moved 4; 5: it has no more of
   * it than the first.
   */
  readonly marks: Uint8Array;
  /** Of all columns. */
  readonly leftOut: readonly LeftOut[];
  /** How long it took, in ms. */
  readonly took: number;
}

/** What one of the others makes of an item. */
export interface TableCell {
  /** In the comparison of the two. */
  readonly row: number;
  readonly mark: RowMark;
  /** Absent: it has nothing there. */
  readonly side?: DiffRowSide;
  /** The words of both as one text, where they differ. */
  readonly change?: readonly Piece[];
  /** The first of them that differ, and how many there are. */
  readonly fields: readonly ShownField[];
  readonly differing: number;
}

export interface TableRow {
  readonly of: string;
  /** Absent: only others have it. */
  readonly first?: DiffRowSide;
  /** Absent: the same as the first. */
  readonly cells: readonly (TableCell | undefined)[];
}

export interface DiffTableApi {
  /** As `diff`, of which it is one: either ends the one under way. */
  table(ask: TableAsk): Promise<TableLook | { readonly problem: string } | undefined>;
  /** Undefined: the table is no longer known. */
  tableRows(table: DiffNumber, rows: readonly number[]): Promise<readonly TableRow[] | undefined>;
  /** The table as text, in columns or as Markdown; the names of the first and the others. */
  tableText(
    table: DiffNumber,
    format: 'text' | 'markdown',
    names: readonly string[],
  ): Promise<string>;
}
