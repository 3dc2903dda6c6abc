// The rows of a fidelity report as a comparison lists them: turns are its sections, and what differs is
// told below its row.
import type {
  ItemDifference,
  FidelityWindow,
  ItemMark,
  RowGroup,
} from '../../model/fidelity/report/report.ts';
import type { CompareRows } from '../compare/compare-lines.ts';
import { marksInOrder } from '../compare/marks.ts';

/** What can be shown or hidden: the marks, and what is no history. */
export type FidelityFilter = ItemMark | 'not history';

type Entry = RowGroup['rows'][number];

export interface FidelityRow {
  readonly row: Entry;
  /** Its place among the groups of the report. */
  readonly section: number;
  /** What is told of it below, each with its place among the differences of the report. */
  readonly fields: readonly { readonly difference: ItemDifference; readonly place: number }[];
}

/** So many rows without a fault in a row are one line. */
const FOLDED = 3;
/** So many small differences are looked at one by one; more would hide the others. */
const FEW_SMALL = 12;

export function fidelityRows({ groups, differences }: FidelityWindow): readonly FidelityRow[] {
  return groups.flatMap(({ rows }, section) =>
    rows.map((row) => ({
      row,
      section,
      fields: row.of === 'aside' ? [] : toldOf(row),
    })),
  );
  function toldOf({ mark, differences: places }: Judged): FidelityRow['fields'] {
    return places.flatMap((place) => {
      const difference = differences[place];
      return difference && hasMore(difference, mark) ? [{ difference, place }] : [];
    });
  }
}

/** More than its mark says already. */
function hasMore({ kind, field }: ItemDifference, mark: ItemMark): boolean {
  return field !== undefined || kind !== mark || !['missing', 'extra', 'late'].includes(kind);
}

/** Why is the same from row to row, and said once. */
const SAID_AT_THE_HEAD: readonly (FidelityFilter | undefined)[] = ['unknown', 'unasked'];

export function compareRows(
  rows: readonly FidelityRow[],
  hidden: readonly FidelityFilter[],
): CompareRows {
  const judged = rows.flatMap(({ row }) => (row.of === 'aside' ? [] : row));
  const few = judged.filter(isSmall).length <= FEW_SMALL ? 'noted' : 'quiet';
  // Where there are no others, one stops at the small ones.
  const small = judged.some((row) => isFault(row) && !isSmall(row)) ? few : 'fault';
  const stateAt = (at: number) => stateOf(rows[at]?.row, small);
  return {
    count: rows.length,
    sections: rows.map(({ section }) => section),
    stateOf: stateAt,
    isHidden: (at) => {
      const mark = markOf(rows[at]?.row);
      return mark !== undefined && hidden.includes(mark);
    },
    fieldsOf: (at) => rows[at]?.fields.length ?? 0,
    opensItself: (at) =>
      stateAt(at) === 'fault' && !SAID_AT_THE_HEAD.includes(markOf(rows[at]?.row)),
    folded: FOLDED,
  };
}

type RowState = ReturnType<CompareRows['stateOf']>;

/** What is noted, and the prompt of a turn, stays in sight. `small`: what a small difference is. */
function stateOf(row: Entry | undefined, small: RowState): RowState {
  if (!row || row.of === 'aside') return 'noted';
  if (isFault(row) && !isSmall(row)) return 'fault';
  const isNoted = row.mark === 'unknown' || row.mark === 'cannot say' || row.of === 'user';
  if (isSmall(row) && (small === 'fault' || !isNoted)) return small;
  return isNoted ? 'noted' : 'quiet';
}

type Judged = Exclude<Entry, { of: 'aside' }>;

const isFault = ({ verdict }: Judged) => verdict !== 'equal';
const isSmall = ({ verdict }: Judged) => verdict === 'cosmetic';

function markOf(row: Entry | undefined): FidelityFilter | undefined {
  return row?.of === 'aside' ? 'not history' : row?.mark;
}

/** How many rows have each mark, those that are there. */
export function rowCounts(
  rows: readonly FidelityRow[],
): readonly (readonly [FidelityFilter, number])[] {
  const counts = new Map<FidelityFilter, number>();
  for (const { row } of rows) {
    const mark = markOf(row);
    if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return marksInOrder(counts);
}
