// A report as one page: no script, no other file, light or dark as the reader's system is. Whatever a
// peer wrote comes out as text.
import { assertNever } from '../lib/assert-never.ts';
import { visibleWords } from '../lib/visible-text.ts';
import type {
  Block,
  ReportDetail,
  Frames,
  ColumnHead,
  ReportItem,
  TextPiece,
  ReportDocument,
  SignStrip,
  Table,
  Tone,
  LineWords,
} from './document.ts';
import { STYLE } from './html-style.ts';
import { arrowOf, piecesOf, plain } from './words.ts';

export function htmlReport({ title, blocks }: ReportDocument): string {
  const page = html`<main>
    <h1>${written(title)}</h1>
    ${blocks.map((block) => blockHtml(block, 2))}
  </main>`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    html`<title>${plain(title)}</title>`.markup,
    `<style>${STYLE}</style></head><body>`,
    page.markup,
    '</body></html>',
    '',
  ].join('\n');
}

function blockHtml(block: Block, depth: number): Markup {
  switch (block.kind) {
    case 'lines':
      return html`${block.lines.map((words) => html`<p>${written(words)}</p>`)}`;
    case 'section': {
      const title = written(block.title);
      const head = depth === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`;
      return html`${head}${block.blocks.map((one) => blockHtml(one, depth + 1))}`;
    }
    case 'items':
      return html`${block.items.map((item) => itemHtml(item, depth))}`;
    case 'table':
      return tableHtml(block);
    case 'strip':
      return stripHtml(block);
    case 'frames':
      return framesHtml(block);
    default:
      return assertNever(block);
  }
}

function written(words: LineWords): Markup {
  return html`${piecesOf(words).map(pieceHtml)}`;
}

function pieceHtml({ text, tone, code, link }: TextPiece): Markup {
  const shown = code
    ? html`<code>${text}</code>`
    : tone === undefined
      ? html`${text}`
      : html`<span class="${tone}">${text}</span>`;
  if (link === undefined || !/^(#|https:)/.test(link)) return shown;
  return html`<a href="${link.startsWith('#') ? `#${anchorOf(link)}` : link}" rel="noreferrer"
    >${shown}</a
  >`;
}

function anchorOf(name: string): string {
  return `at-${name.replace(/[^a-z0-9]+/gi, '-').replace(/^-/, '')}`;
}

function itemHtml(
  { word, tone, title, details, more = [], anchor }: ReportItem,
  depth: number,
): Markup {
  const head = html`${chip(word, tone)}<span class="id">${written(title)}</span>`;
  const id = anchor === undefined ? '' : anchorOf(anchor);
  const list =
    details.length === 0
      ? undefined
      : html`<ul>
          ${details.map((one) => html`<li>${detailHtml(one)}</li>`)}
        </ul>`;
  if (more.length === 0) return html`<div class="item" id="${id}">${head}${list}</div> `;
  return html`<details>
    <summary>${head}</summary>
    <div class="body" id="${id}">${list}${more.map((one) => blockHtml(one, depth + 1))}</div>
  </details> `;
}

function detailHtml(detail: ReportDetail): Markup {
  return typeof detail === 'object' && 'label' in detail
    ? html`<span class="quiet">${detail.label}</span> ${written(detail.words)}`
    : written(detail);
}

function chip(word: string, tone: Tone): Markup {
  return html`<span class="word ${tone}">${word}</span>`;
}

function tableHtml({ heads, rows }: Table): Markup {
  const cell = (words: LineWords, head: ColumnHead | undefined, span: number) =>
    html`<td class="${head?.right ? 'right' : ''}" colspan="${span}">${written(words)}</td>`;
  const row = (cells: readonly LineWords[]) =>
    html`<tr class="row">
      ${cells.map((words, at) =>
        cell(words, heads[at], at === cells.length - 1 ? heads.length - at : 1),
      )}
    </tr> `;
  return html`<div class="sheet">
    <table>
      <thead>
        <tr>
          ${heads.map(({ name, right }) => html`<th class="${right ? 'right' : ''}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((one) =>
          'group' in one
            ? html`<tr>
                <th colspan="${heads.length}" scope="rowgroup">${written(one.group)}</th>
              </tr> `
            : row(one),
        )}
      </tbody>
    </table>
  </div>`;
}

function stripHtml({ columns, rows, legend }: SignStrip): Markup {
  const cells = (signs: readonly TextPiece[]) =>
    signs.map(({ text, tone = 'quiet' }) => html`<td><i class="${tone}">${text}</i></td>`);
  return html`<div class="sheet">
      <table class="strip">
        <thead>
          <tr>
            <th></th>
            ${columns.map((name) => html`<th title="${name}"><span>${name}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <td class="name">${row.name}</td>
                ${
                  typeof row.cells === 'string'
                    ? html`<td class="name" colspan="${Math.max(1, columns.length)}">
                        ${row.cells}
                      </td>`
                    : cells(row.cells)
                }
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="quiet">${legend}</p>`;
}

function framesHtml({ title, frames, left }: Frames): Markup {
  const lines = frames.map(({ seq, from, text }, at) => {
    const line = html`<li>
      <span class="seq">#${seq}</span><span class="side ${from ?? ''}">${arrowOf(from)}</span
      ><span class="text">${text}</span>
    </li>`;
    return left?.after === at + 1
      ? html`${line}
          <li class="left">… ${left.count} frames …</li>`
      : line;
  });
  return html`<details>
    <summary>${title}</summary>
    <ol class="frames">
      ${lines}
    </ol>
  </details>`;
}

/** Markup that is ours: `html` lets it through. Whatever an agent wrote comes out as text, with nothing
 * hidden in it. */
interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template whose values are escaped, unless they are markup. */
function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const markup = texts.reduce((made, text, at) => made + escapedPart(parts[at - 1]) + text);
  return { markup };
}

function escapedPart(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'object')
    return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
  return escaped(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visibleWords(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
