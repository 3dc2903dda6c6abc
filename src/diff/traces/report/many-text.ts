// A comparison of several traces as a table, and for machines.
import { count } from '../../../lib/format-count.ts';
import { distinctNames } from '../../../lib/distinct-names.ts';
import { visibleWords } from '../../../lib/visible-text.ts';
import { diffJson } from './report-json.ts';
import type { ManyCell, ManyReport, ManyRow } from '../many.ts';

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
    ['#', 'what', ...distinctNames(names).map((name) => cutStart(name))],
    ...shown.map((row) => [
      row.seq === undefined ? '' : `#${row.seq}`,
      whatWords(row),
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
  if (path === '$') return cut(of);
  const name = of.length > WIDEST / 2 ? cut(of).slice(0, WIDEST / 2) : of;
  // The end of a path says which of many fields it is.
  return `${name} ${cutStart(path.replace(/^\$\.?/, ''), WIDEST + 8 - name.length)}`;
}

function cellWords(cell: ManyCell | undefined): string {
  if (cell === undefined) return '=';
  return 'gone' in cell ? '–' : cell.text;
}

function cut(text: string): string {
  const line = oneLine(text);
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}

function cutStart(text: string, widest = WIDEST): string {
  const line = oneLine(text);
  return line.length > widest ? `…${line.slice(1 - widest)}` : line;
}

function oneLine(text: string): string {
  return visibleWords(text).replace(/\s+/g, ' ');
}
