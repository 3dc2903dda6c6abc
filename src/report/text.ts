// A report for people at a terminal. Words of peers obey nothing here: no escape, no line of their own.
import { assertNever } from '../lib/assert-never.ts';
import type {
  Block,
  ReportDetail,
  Frames,
  ReportItem,
  ReportDocument,
  SignStrip,
  Table,
  Tone,
  LineWords,
} from './document.ts';
import { cellsOf, cut, padEnd, arrowOf, visibleLine, piecesOf, plain } from './words.ts';

export type Paint = (tone: Tone, text: string) => string;

/** Words as they are. */
export const PLAIN: Paint = (_, text) => text;
const INDENT = '  ';

export function textReport({ title, untitled, blocks }: ReportDocument, paint = PLAIN): string {
  const parts = blocks.map((block) => blockLines(block, paint).join('\n'));
  return [...(untitled ? [] : [painted(title, paint)]), ...parts]
    .filter((part) => part !== '')
    .join('\n\n');
}

function blockLines(block: Block, paint: Paint): readonly string[] {
  switch (block.kind) {
    case 'lines':
      return block.lines.map((words) => painted(words, paint));
    case 'section':
      return [
        painted(block.title, paint),
        ...block.blocks.flatMap((one) => indented(blockLines(one, paint), INDENT)),
      ];
    case 'items':
      return itemsLines(block.items, paint);
    case 'table':
      return tableLines(block, paint);
    case 'strip':
      return stripLines(block, paint);
    case 'frames':
      return framesLines(block);
    default:
      return assertNever(block);
  }
}

function painted(words: LineWords, paint: Paint): string {
  return piecesOf(words)
    .map(({ text, tone }) => (tone ? paint(tone, visibleLine(text)) : visibleLine(text)))
    .join('')
    .trimEnd();
}

function indented(lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line) => (line === '' ? '' : indent + line));
}

/** Titles stand under each other, and the details of each under its title. */
function itemsLines(items: readonly ReportItem[], paint: Paint): readonly string[] {
  const width = Math.max(0, ...items.map(({ word }) => cellsOf(visibleLine(word)))) + 2;
  return items.flatMap(({ word, tone, title, details }) => {
    const labels = details.map((one) =>
      isLabelled(one) ? cellsOf(visibleLine(one.label)) + 2 : 0,
    );
    const label = Math.max(0, ...labels);
    const told = details.map((one) =>
      isLabelled(one)
        ? `${paint('quiet', padEnd(visibleLine(one.label), label))}${painted(one.words, paint)}`
        : painted(one, paint),
    );
    const shown = visibleLine(word);
    const gap = ' '.repeat(Math.max(0, width - cellsOf(shown)));
    const head = `${paint(tone, shown)}${gap}${painted(title, paint)}`.trimEnd();
    return [head, ...indented(told, ' '.repeat(width))];
  });
}

function isLabelled(
  detail: ReportDetail,
): detail is Extract<ReportDetail, { readonly label: string }> {
  return typeof detail === 'object' && 'label' in detail;
}

function tableLines({ heads, rows }: Table, paint: Paint): readonly string[] {
  const cell = (words: LineWords, at: number) => cut(plain(words), heads[at]?.most ?? Infinity);
  // A last cell that runs on over other columns widens none.
  const widths = heads.map((head, at) =>
    Math.max(
      head.name.length,
      ...rows.map((row) => {
        if ('group' in row) return 0;
        const runsOn = at === row.length - 1 && row.length < heads.length;
        return runsOn ? 0 : cellsOf(cell(row[at] ?? '', at));
      }),
    ),
  );
  const line = (
    cells: readonly LineWords[],
    paintCell: (words: LineWords, shown: string) => string,
  ) =>
    cells
      .map((words, at) => {
        const runsOn = at === cells.length - 1 && cells.length < heads.length;
        const text = runsOn ? plain(words) : cell(words, at);
        const gap = ' '.repeat(Math.max(0, (widths[at] ?? 0) - cellsOf(text)));
        const shown = paintCell(words, text);
        return heads[at]?.right && !runsOn ? gap + shown : shown + gap;
      })
      .join(INDENT)
      .trimEnd();
  return [
    line(
      heads.map(({ name }) => name),
      (_, shown) => paint('quiet', shown),
    ),
    ...rows.map((row) =>
      'group' in row
        ? painted(row.group, paint)
        : line(row, (words, shown) => (plain(words) === shown ? painted(words, paint) : shown)),
    ),
  ];
}

const MOST_NAME = 60;

function stripLines({ rows, legend }: SignStrip, paint: Paint): readonly string[] {
  const names = rows.map(({ name }) => cut(visibleLine(name), MOST_NAME));
  const width = Math.max(0, ...names.map((name) => cellsOf(name))) + 2;
  const told = rows.map(
    ({ cells }, at) =>
      `${padEnd(names[at] ?? '', width)}${typeof cells === 'string' ? visibleLine(cells) : painted(cells, paint)}`,
  );
  return rows.length === 0 ? [] : [...told, paint('quiet', legend)];
}

function framesLines({ title, frames, left }: Frames): readonly string[] {
  const shown = frames.flatMap(({ seq, from, text }, at) => [
    `${INDENT}#${seq} ${arrowOf(from)} ${visibleLine(text)}`,
    ...(left?.after === at + 1 ? [`${INDENT}… ${left.count} frames …`] : []),
  ]);
  return [visibleLine(title), ...shown];
}
