// The aligned rows of a fidelity report as lines of a list: heads of turns, rows with their fields,
// and what is equal folded away.
import type {
  Difference,
  FidelityWindow,
  Mark,
  Row,
  RowGroup,
  RowSide,
} from '../../diff/fidelity/report/report.ts';

/** What can be shown or hidden: the marks, and what is no history. */
export type Shown = Mark | 'not history';

export type FidelityLine =
  | {
      readonly type: 'head';
      readonly key: string;
      readonly at: RowGroup['at'];
      readonly turn: number;
      readonly title: string;
      readonly items: number;
      readonly equal: number;
    }
  | { readonly type: 'row'; readonly key: string; readonly row: Row; readonly open: boolean }
  /** A field of the row before it, or what else is to say of it. */
  | {
      readonly type: 'field';
      readonly key: string;
      readonly difference: Difference;
      /** Among the differences of its window. */
      readonly place: number;
    }
  | { readonly type: 'aside'; readonly key: string; readonly live: RowSide }
  | {
      readonly type: 'fold';
      readonly key: string;
      readonly open: boolean;
      readonly rows: number;
      readonly cosmetic: number;
      readonly messages: number;
      readonly tools: number;
    };

/** So many rows without a fault in a row are one line. */
const FOLDED = 3;

export interface Looks {
  readonly hidden: readonly Shown[];
  /** Keys of folds that are opened, and of rows that are closed or opened by hand. */
  readonly toggled: readonly string[];
}

export function linesOf(report: FidelityWindow, { hidden, toggled }: Looks): FidelityLine[] {
  const isToggled = new Set(toggled);
  return report.groups.flatMap((group) => {
    const rows = group.rows
      .map((row, at) => ({ row, key: `${group.at} ${group.turn}.${at}` }))
      .filter(({ row }) => !hidden.includes(markOf(row)));
    const lines = groupLines(rows, report.differences, isToggled);
    return lines.length === 0 ? [] : [headOf(group), ...lines];
  });
}

type Entry = RowGroup['rows'][number];
interface Keyed {
  readonly row: Entry;
  readonly key: string;
}

export function markOf(row: Entry): Shown {
  return row.of === 'aside' ? 'not history' : row.mark;
}

function headOf({ at, turn, title, rows }: RowGroup): FidelityLine {
  const items = rows.filter((row): row is Row => row.of !== 'aside');
  const equal = items.filter(({ verdict }) => verdict === 'equal').length;
  return { type: 'head', key: `${at} ${turn}`, at, turn, title, items: items.length, equal };
}

function groupLines(
  rows: readonly Keyed[],
  differences: readonly Difference[],
  toggled: ReadonlySet<string>,
): FidelityLine[] {
  const lines: FidelityLine[] = [];
  for (let at = 0; at < rows.length;) {
    const quiet = quietFrom(rows, at);
    const [first] = quiet;
    if (!first || quiet.length < FOLDED) {
      const one = rows[at];
      if (one) lines.push(...rowLines(one, differences, toggled));
      at++;
      continue;
    }
    const key = `fold ${first.key}`;
    const open = toggled.has(key);
    lines.push({ type: 'fold', key, open, ...sumOf(quiet) });
    if (open) lines.push(...quiet.flatMap((one) => rowLines(one, differences, toggled)));
    at += quiet.length;
  }
  return lines;
}

const NOTED: ReadonlySet<Mark> = new Set(['unknown', 'cannot say']);

/** The prompt of a turn stays in sight. */
function quietFrom(rows: readonly Keyed[], from: number): Keyed[] {
  const quiet: Keyed[] = [];
  for (const one of rows.slice(from)) {
    const { row } = one;
    if (row.of === 'aside' || row.of === 'user' || NOTED.has(row.mark)) break;
    if (row.verdict !== 'equal' && row.verdict !== 'cosmetic') break;
    quiet.push(one);
  }
  return quiet;
}

function sumOf(quiet: readonly Keyed[]) {
  const count = (fits: (row: Entry) => boolean) => quiet.filter(({ row }) => fits(row)).length;
  return {
    rows: quiet.length,
    cosmetic: count((row) => row.of !== 'aside' && row.verdict === 'cosmetic'),
    messages: count(({ of }) => of === 'agent' || of === 'thought' || of === 'peer'),
    tools: count(({ of }) => of === 'tool'),
  };
}

function rowLines(
  { row, key }: Keyed,
  differences: readonly Difference[],
  toggled: ReadonlySet<string>,
): FidelityLine[] {
  if (row.of === 'aside') return [{ type: 'aside', key, live: row.live }];
  const told = row.differences.flatMap((place) => {
    const difference = differences[place];
    return difference && hasMore(difference) ? [{ difference, place }] : [];
  });
  // Why something is unknown is the same from row to row, and said at the head.
  const isTold = row.verdict !== 'equal' && row.verdict !== 'cosmetic' && row.mark !== 'unknown';
  const open = told.length > 0 && isTold !== toggled.has(key);
  const line: FidelityLine = { type: 'row', key, row, open };
  if (!open) return [line];
  const fields = told.map((one, at): FidelityLine => ({
    type: 'field',
    key: `${key} ${at}`,
    ...one,
  }));
  return [line, ...fields];
}

/** More than its mark says already. */
export function hasMore({ kind, field }: Difference): boolean {
  return field !== undefined || !['missing', 'extra', 'late'].includes(kind);
}

/** How many rows have each mark, those that are there, in the order of a report. */
export function countsOf({ groups }: FidelityWindow): (readonly [mark: Shown, count: number])[] {
  const counts = new Map<Shown, number>();
  for (const { rows } of groups)
    for (const row of rows) counts.set(markOf(row), (counts.get(markOf(row)) ?? 0) + 1);
  return MARKS.flatMap((mark) => {
    const count = counts.get(mark);
    return count === undefined ? [] : [[mark, count] as const];
  });
}

const MARKS: readonly Shown[] = [
  'equal',
  'cosmetic',
  'changed',
  'missing',
  'extra',
  'moved',
  'split',
  'merged',
  'late',
  'lost id',
  'orphan',
  'no baseline',
  'unasked',
  'synthetic',
  'cannot say',
  'unknown',
  'not history',
];

/** Lines that are to be stopped at: rows with something wrong. */
export function faultsIn(lines: readonly FidelityLine[]): number[] {
  return lines.flatMap((line, at) =>
    line.type === 'row' && line.row.verdict !== 'equal' && line.row.verdict !== 'cosmetic'
      ? [at]
      : [],
  );
}
