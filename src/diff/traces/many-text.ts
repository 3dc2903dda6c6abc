// A comparison of several traces as a table, and for machines.
import { count } from '../../lib/format-count.ts';
import { visibleWords } from '../../lib/visible-text.ts';
import { diffJson } from './report-json.ts';
import type { ManyCell, ManyReport, ManyRow } from './many.ts';

const MOST_ROWS = 100;
const WIDEST = 36;

/** `names`: the first, then the others. */
export function manyText(
  { rows, reports }: ManyReport,
  names: readonly string[],
  all: boolean,
): string {
  const others = names.slice(1);
  const figures = reports.map(
    ({ equal, differences }, at) =>
      `  ${others[at]}: ${equal ? 'equal' : count(differences.length, 'difference')}`,
  );
  const head = [`Against ${names[0]}`, ...figures];
  if (rows.length === 0) return head.join('\n');
  const shown = all ? rows : rows.slice(0, MOST_ROWS);
  const table = [
    ['#', 'what', names[0] ?? '', ...others].map((cell) => cut(cell.replace(/^.*[\\/]/, ''))),
    ...shown.map((row) => [
      row.seq === undefined ? '' : `#${row.seq}`,
      cut(whatWords(row)),
      cut(row.first ?? '–'),
      ...row.others.map((cell) => cut(cellWords(cell))),
    ]),
  ];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const more = rows.length - shown.length;
  return [...head, '', ...lines, ...(more > 0 ? [`${more} more; --all shows them.`] : [])].join(
    '\n',
  );
}

export function manyJson({ rows, reports }: ManyReport, names: readonly string[]) {
  return {
    equal: reports.every(({ equal }) => equal),
    first: names[0],
    others: reports.map((report, at) => ({ file: names[at + 1], ...diffJson(report) })),
    table: rows.map(({ seq, of, path, first, others }) => ({
      seq: seq ?? null,
      of,
      path,
      first: first ?? null,
      others: others.map((cell) =>
        cell === undefined ? 'same' : 'gone' in cell ? null : cell.text,
      ),
    })),
  };
}

function whatWords({ of, path }: ManyRow): string {
  return path === '$' ? of : `${of} ${path.replace(/^\$\.?/, '')}`;
}

function cellWords(cell: ManyCell | undefined): string {
  if (cell === undefined) return '=';
  return 'gone' in cell ? '–' : cell.text;
}

function cut(text: string): string {
  const line = visibleWords(text).replace(/\s+/g, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}
