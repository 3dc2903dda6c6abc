// The rows of a fidelity report as a comparison lists them: turns are its sections, and what differs is
// told below its row.
import type {
  ItemDifference,
  FidelityWindow,
  ItemMark,
  RowGroup,
} from '../../model/fidelity/report/report.ts';
import type { CompareRows } from '../compare/compare-lines.ts';
import { itemWord } from '../../model/fidelity/report/answer-of.ts';
import { ITEM_WORDS, type ItemWord } from '../../model/fidelity/report/answer.ts';

/** What can be shown or hidden: the words of the figures, and what is not part of history. */
export type FidelityFilter = ItemWord | 'not history';

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
const SAID_AT_THE_HEAD: readonly ItemMark[] = ['unknown', 'unasked'];

export function compareRows(
  rows: readonly FidelityRow[],
  hidden: readonly FidelityFilter[],
): CompareRows {
  const stateAt = (at: number) => stateOf(rows[at]?.row);
  const markAt = (at: number) => {
    const row = rows[at]?.row;
    return row === undefined || row.of === 'aside' ? undefined : row.mark;
  };
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
      stateAt(at) === 'fault' && !SAID_AT_THE_HEAD.some((mark) => mark === markAt(at)),
    folded: FOLDED,
  };
}

type RowState = ReturnType<CompareRows['stateOf']>;

/** What is noted, and the prompt of a turn, stays in sight. Other chunks or order are no difference. */
function stateOf(row: Entry | undefined): RowState {
  if (!row || row.of === 'aside') return 'noted';
  if (row.verdict !== 'equal' && row.verdict !== 'cosmetic') return 'fault';
  const isNoted = row.mark === 'unknown' || row.mark === 'cannot say' || row.of === 'user';
  return isNoted ? 'noted' : 'quiet';
}

type Judged = Exclude<Entry, { of: 'aside' }>;

function markOf(row: Entry | undefined): FidelityFilter | undefined {
  if (row === undefined) return undefined;
  return row.of === 'aside' ? 'not history' : itemWord(row);
}

/** How many rows have each word, worst first; as the figures of the answer count them. */
export function rowCounts(
  rows: readonly FidelityRow[],
): readonly (readonly [FidelityFilter, number])[] {
  const counts = new Map<FidelityFilter, number>();
  for (const { row } of rows) {
    const mark = markOf(row);
    if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return [...ITEM_WORDS, 'not history' as const].flatMap((word) => {
    const many = counts.get(word);
    return many === undefined ? [] : [[word, many] as const];
  });
}
