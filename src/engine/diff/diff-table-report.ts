// A table of what differs from the first trace, to take along: in columns, or as Markdown.
import { SIGNS } from '../../diff/traces/report/document.ts';
import type { ReportDocument } from '../../report/document.ts';
import { lines } from '../../report/words.ts';
import type { DiffTable } from './diff-table.ts';
import type { TableCell, TableRow } from './diff-table-messages.ts';

const MOST_ROWS = 500;
const WIDEST = 48;

/** `names`: of the first, then of the others. */
export function tableDocument(table: DiffTable, names: readonly string[]): ReportDocument {
  const shown = Math.min(table.length, MOST_ROWS);
  return {
    name: 'acp-scope diff',
    title: `Against ${names[0]}`,
    untitled: true,
    blocks: [
      {
        kind: 'table',
        heads: ['#', ...names].map((name) => ({ name, most: WIDEST })),
        rows: Array.from({ length: shown }, (_, at) => lineOf(table.row(at))),
      },
      ...(table.length > shown ? [lines(`and ${table.length - shown} more.`)] : []),
    ],
    suites: [],
  };
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
