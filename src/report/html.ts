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
import { arrowOf, piecesOf, plain } from './words.ts';

const STYLE = `
:root {
  color-scheme: light dark;
  --chrome: light-dark(#eceef1, #0e1013);
  --panel: light-dark(#ffffff, #16181c);
  --sunken: light-dark(#f6f7f8, #1b1e23);
  --line: light-dark(#e1e4e8, #272b31);
  --line-2: light-dark(#c3c9d0, #3c434c);
  --ink: light-dark(#181c21, #e7eaed);
  --ink-2: light-dark(#454d57, #b6bec8);
  --ink-3: light-dark(#5f6873, #99a3af);
  --accent: light-dark(#0b57b0, #82b4ff);
  --in: light-dark(#454d57, #b6bec8);
  --replay: light-dark(#77308c, #d4a3e6);
  --bad: light-dark(#ad1519, #ff8a85);
  --bad-bg: light-dark(#fdecec, #321a1b);
  --warn: light-dark(#735000, #e8bd55);
  --warn-bg: light-dark(#fbf3dc, #2b2413);
  --info: light-dark(#0b57b0, #82b4ff);
  --info-bg: light-dark(#e6effb, #172a44);
  --good: light-dark(#17663a, #72cc98);
  --good-bg: light-dark(#e7f4ec, #15271d);
  --quiet: var(--ink-3);
  --quiet-bg: var(--sunken);
  --sans: ui-sans-serif, -apple-system, 'Segoe UI Variable Text', 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', system-ui, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Noto Sans Mono', 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--chrome); color: var(--ink); font: 13px/1.5 var(--sans); }
main { max-width: 1180px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 20px; line-height: 1.3; margin: 0; font-weight: 600; }
h2 { font-size: 15px; margin: 32px 0 8px; font-weight: 600; }
h3 { font-size: 13px; margin: 16px 0 4px; font-weight: 600; }
p { margin: 4px 0; }
a { color: var(--accent); text-underline-offset: 2px; }
.quiet { color: var(--ink-3); }
.item { margin: 8px 0; }
.item > ul { margin-left: 44px; }
.word { display: inline-block; min-width: 44px; padding: 0 8px; border-radius: 3px; text-align: center; font-weight: 600; font-size: 12px; line-height: 20px; }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
.info { color: var(--info); }
.good { color: var(--good); }
.strong { font-weight: 600; }
.word.bad { background: var(--bad-bg); }
.word.warn { background: var(--warn-bg); }
.word.info { background: var(--info-bg); }
.word.good { background: var(--good-bg); }
.word.quiet { background: var(--quiet-bg); }
.sheet { background: var(--panel); border: 1px solid var(--line); border-radius: 5px; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 12px; vertical-align: top; white-space: nowrap; }
thead th { background: var(--sunken); color: var(--ink-3); font-weight: 500; font-size: 12px; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 600; padding-top: 12px; color: var(--ink-2); }
td:first-child { padding-left: 24px; }
tr.row td { border-top: 1px solid var(--line); }
tr.row td:last-child { white-space: normal; }
th.right, td.right { text-align: right; }
details { background: var(--panel); border: 1px solid var(--line); border-radius: 5px; margin: 8px 0; }
details > summary { padding: 8px 12px; cursor: pointer; }
.id { font-weight: 600; margin: 0 8px; }
details > .body { padding: 0 12px 12px; border-top: 1px solid var(--line); }
details details { margin: 8px 0 0; background: none; }
details details > summary { padding: 4px 8px; color: var(--ink-2); }
details:has(> .body:target) { border-color: var(--accent); }
.body:target { scroll-margin-top: 48px; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.frames { margin: 0; padding: 8px; font: 12px/1.5 var(--mono); overflow-x: auto; list-style: none; background: var(--sunken); }
.frames li { display: flex; gap: 8px; }
.frames .seq { color: var(--ink-3); flex: none; min-width: 5ch; text-align: right; }
.frames .side { flex: none; width: 2ch; }
.frames .text { white-space: pre-wrap; overflow-wrap: anywhere; }
.frames .left { color: var(--ink-3); padding-left: 8ch; }
.client { color: var(--accent); }
.agent { color: var(--in); }
code { font: 12px var(--mono); overflow-wrap: anywhere; }
ul { margin: 4px 0; padding-left: 20px; }
.strip td { padding: 2px; text-align: center; font: 12px var(--mono); }
.strip td.name { text-align: left; padding: 2px 12px 2px 8px; max-width: 360px; overflow: hidden; text-overflow: ellipsis; }
.strip th { font: 11px var(--mono); vertical-align: bottom; padding: 4px 2px; max-width: 0; }
.strip th span { writing-mode: vertical-rl; max-height: 140px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.strip td i { display: block; font-style: normal; min-width: 20px; line-height: 20px; border-radius: 3px; }
.strip .info { color: var(--replay); background: color-mix(in srgb, var(--replay) 14%, transparent); }
.strip .bad { background: var(--bad-bg); }
@media (max-width: 600px) { main { padding: 16px 8px 48px; } th, td { padding: 4px 8px; } }
@media print { body { background: none; } details:not([open]) > .body { display: none; } }
`;

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
