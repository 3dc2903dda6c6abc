// A report as Markdown, for issues and pull requests. Words of peers must not become markup: names and
// values stand in code spans, the rest is escaped.
import { assertNever } from '../lib/assert-never.ts';
import type {
  Block,
  ReportDetail,
  Frames,
  ReportItem,
  TextPiece,
  ReportDocument,
  Table,
  LineWords,
} from './document.ts';
import { cut, arrowOf, visibleLine, piecesOf } from './words.ts';

/** Characters of one code span. */
const LONGEST = 240;
const DEEPEST = 6;

export function markdownReport({ title, blocks }: ReportDocument): string {
  return [`# ${written(title)}`, ...blocks.map((block) => blockText(block, 2))]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function blockText(block: Block, depth: number): string {
  switch (block.kind) {
    case 'lines':
      return block.lines.map(written).join('  \n');
    case 'section':
      return [
        `${'#'.repeat(Math.min(depth, DEEPEST))} ${written(block.title)}`,
        ...block.blocks.map((one) => blockText(one, depth + 1)),
      ].join('\n\n');
    case 'items':
      return block.items.map(itemText).join('\n');
    case 'table':
      return tableText(block);
    case 'strip':
      return fenced([
        ...block.rows.map(
          ({ name, cells }) =>
            `${visibleLine(name)}  ${typeof cells === 'string' ? visibleLine(cells) : cells.map(({ text }) => text).join('')}`,
        ),
        block.legend,
      ]);
    case 'frames':
      return fenced(framesLines(block));
    default:
      return assertNever(block);
  }
}

function framesLines({ frames, left }: Frames): readonly string[] {
  return frames.flatMap(({ seq, from, text }, at) => [
    `#${seq} ${arrowOf(from)} ${visibleLine(text)}`,
    ...(left?.after === at + 1 ? [`… ${left.count} frames …`] : []),
  ]);
}

function itemText({ word, title, details }: ReportItem): string {
  return [`- **${escaped(word)}** ${written(title)}`, ...details.map(detailText)].join('\n');
}

function detailText(detail: ReportDetail): string {
  return typeof detail === 'object' && 'label' in detail
    ? `  - ${escaped(detail.label)}: ${written(detail.words)}`
    : `  - ${written(detail)}`;
}

function tableText({ heads, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const padded = (cells: readonly string[]) => heads.map((_, at) => cells[at] ?? '');
  return [
    line(heads.map(({ name }) => escaped(name))),
    line(heads.map(({ right }) => (right ? '---:' : '---'))),
    ...rows.map((row) =>
      line(padded('group' in row ? [`**${inCell(row.group)}**`] : row.map(inCell))),
    ),
  ].join('\n');
}

/** A table splits its cells before it reads code spans, so a `|` in one is escaped as well. */
function inCell(words: LineWords): string {
  return piecesOf(words)
    .map((piece) => (piece.code ? span(piece.text).replaceAll('|', '\\|') : pieceText(piece)))
    .join('');
}

function written(words: LineWords): string {
  return piecesOf(words).map(pieceText).join('').trim();
}

function pieceText({ text, code, link }: TextPiece): string {
  const shown = code ? span(text) : escaped(text);
  return link === undefined || link.startsWith('#') ? shown : `[${shown}](${encodeURI(link)})`;
}

/** In a fence longer than any inside. */
function span(text: string): string {
  const shown = cut(visibleLine(text).trim(), LONGEST);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** An underscore inside a word is no emphasis. */
function escaped(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*[\]<>|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;');
}

function fenced(lines: readonly string[]): string {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([ticks]) => ticks.length)),
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}
