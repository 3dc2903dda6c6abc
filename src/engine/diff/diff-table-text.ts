// A table of what differs from the first trace, to take along: in columns, or as Markdown.
import { SIGNS } from '../../diff/traces/report/report-text.ts';
import { visibleWords } from '../../lib/visible-text.ts';
import type { DiffTable } from './diff-table.ts';
import type { TableCell, TableRow } from './diff-table-messages.ts';

const MOST_ROWS = 500;
const WIDEST = 48;

/** `names`: of the first, then of the others. */
export function tableText(
  table: DiffTable,
  names: readonly string[],
  format: 'text' | 'markdown',
): string {
  const shown = Math.min(table.length, MOST_ROWS);
  const lines = [
    ['#', ...names],
    ...Array.from({ length: shown }, (_, at) => lineOf(table.row(at))),
  ].map((cells) => cells.map(cut));
  const more = table.length > shown ? [`and ${table.length - shown} more.`] : [];
  const text = format === 'markdown' ? markdown(lines) : columns(lines);
  return [...text, ...more].join('\n');
}

function lineOf({ first, of, cells }: TableRow): string[] {
  return [
    first && first.seq > 0 ? `#${first.seq}` : '',
    first?.words ?? '–',
    ...cells.map((cell) => cellWords(cell, of, first !== undefined)),
  ];
}

function cellWords(cell: TableCell | undefined, of: string, inFirst: boolean): string {
  if (!cell) return inFirst ? '=' : '–';
  const { mark, side, fields, differing } = cell;
  const sign = SIGNS[mark];
  if (mark === 'missing') return `${sign} nothing`;
  if (mark !== 'changed') return `${sign} ${side?.words ?? of}`;
  const told = fields.map(
    ({ path, after }) => `${path.replace(/^\$\.?/, '')} ${after ?? 'nothing'}`,
  );
  const more = differing > fields.length ? [`${differing - fields.length} more`] : [];
  return `${sign} ${[...told, ...more].join('; ')}`;
}

function cut(text: string): string {
  const line = visibleWords(text).replace(/\s+/g, ' ').trim();
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}

function columns(lines: readonly (readonly string[])[]): string[] {
  const widths = widthsOf(lines);
  return lines.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function markdown(lines: readonly (readonly string[])[]): string[] {
  const [head = [], ...rows] = lines.map((cells) => cells.map(escaped));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function widthsOf(lines: readonly (readonly string[])[]): number[] {
  return (lines[0] ?? []).map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
}

/** What peers wrote must not become markup. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|#!&~]/g, '\\$&');
}
