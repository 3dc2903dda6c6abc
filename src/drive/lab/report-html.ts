// A report of the lab as one page: no script, no other file, light or dark as the reader's system is.
import { count } from '../../lib/format-count.ts';
import { isKnown, type Judging } from '../baseline.ts';
import { anchorOf, cellHtml } from './html-cell.ts';
import { STYLE } from './html-style.ts';
import { html, type Markup } from './html.ts';
import type { StripCell } from './cursor-strip.ts';
import { baseWords, FIELD_NAMES, fieldsOf, groupsOf, type Fields } from './report-words.ts';
import {
  agentWords,
  LAB_WORDS,
  summaryOf,
  type LabCell,
  type LabCursors,
  type LabReport,
  type LabWord,
} from './report.ts';
import { STRIP_LEGEND, stripSign } from './strip-text.ts';

export function labHtml(report: LabReport, judging: Judging = {}): string {
  const { agent, protocolVersion, cells, cursors, cost, promptsSent, ended } = report;
  const name = agentWords(agent);
  const summary = summaryOf(report);
  const chips = LAB_WORDS.filter((word) => summary[word] > 0).map(
    (word) => html`<li><span class="word ${word}">${summary[word]} ${word}</span></li>`,
  );
  const tried = cells.filter(({ runs }) => runs.length > 0);
  const page = html`<main>
    <h1>${name}: does a session come back?</h1>
    <p class="quiet">
      Resume lab of ACP Scope, ACP v${protocolVersion}. ${count(promptsSent, 'prompt')} sent,
      ${cost.expected} expected, ${cost.most} the most.
    </p>
    ${ended === undefined ? undefined : html`<p><strong>${ended}</strong></p>`}
    <ul class="chips">
      ${chips}
    </ul>
    <h2>Cells</h2>
    <p class="quiet">Where a row says nothing else: ${baseWords(report)}.</p>
    ${matrixHtml(report)} ${cursors ? cursorsHtml(cursors) : undefined}
    <h2>Behind each cell</h2>
    ${tried.map((cell) => cellHtml(cell, isKnown(cell, judging)))}
  </main>`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    html`<title>Resume lab: ${name}, ACP v${protocolVersion}</title>`.markup,
    `<style>${STYLE}</style></head><body>`,
    page.markup,
    '</body></html>',
    '',
  ].join('\n');
}

const COLUMNS = Object.keys(FIELD_NAMES) as (keyof Fields)[];

function matrixHtml(report: LabReport): Markup {
  const rows = groupsOf(report).map(
    ({ title, cells }) =>
      html`<tr>
          <th colspan="${COLUMNS.length + 2}" scope="rowgroup">${title}</th>
        </tr>
        ${cells.map(({ cell, name }) => rowHtml(cell, name))}`,
  );
  return html`<div class="sheet">
    <table>
      <thead>
        <tr>
          <th>cell</th>
          <th>verdict</th>
          ${COLUMNS.map((column) => html`<th>${FIELD_NAMES[column]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function rowHtml(cell: LabCell, name: string): Markup {
  const { verdict, why, id } = cell;
  const word = html`<td><span class="word ${verdict}">${verdict}</span></td>`;
  if (verdict === 'skip')
    return html`<tr class="row">
      <td>${name}</td>
      ${word}
      <td class="why" colspan="${COLUMNS.length}">${why}</td>
    </tr> `;
  const fields = fieldsOf(cell);
  return html`<tr class="row">
    <td><a href="#${anchorOf(id)}">${name}</a></td>
    ${word}${COLUMNS.map(
      (column) =>
        html`<td class="${toneOf(verdict, column, fields[column])}">${fields[column]}</td>`,
    )}
  </tr> `;
}

function toneOf(verdict: LabWord, column: keyof Fields, value: string): string {
  if (verdict !== 'fail' && verdict !== 'warn') return '';
  if (column === 'fidelity') return value === 'corrupt' ? 'bad' : value === 'lossy' ? 'lossy' : '';
  return (column === 'remembers' || column === 'tools') && value === 'no' ? 'bad' : '';
}

function cursorsHtml({ laws, strip, verdict, why }: LabCursors): Markup {
  const { columns, rows } = strip;
  const told = laws.map(
    ({ law, verdict: holds, why }) => html`<li><strong>${law}</strong> ${holds}: ${why}</li>`,
  );
  const table =
    rows.length === 0
      ? undefined
      : html`<div class="sheet">
            <table class="strip">
              <thead>
                <tr>
                  <th></th>
                  ${columns.map(
                    ({ kind, words, id }) =>
                      html`<th title="${kind} ${id ?? ''} ${words}">
                        <span>${kind} ${words}</span>
                      </th>`,
                  )}
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  ({ name, rejected, cells }) =>
                    html`<tr>
                      <td class="name">${name}</td>
                      ${
                        rejected === undefined
                          ? html`${cells.map(stripCell)}`
                          : html`<td class="name" colspan="${Math.max(1, columns.length)}">
                              rejected: ${rejected}
                            </td>`
                      }
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>
          <p class="quiet">${STRIP_LEGEND}</p>`;
  return html`<h2>Cursor algebra</h2>
    <p><span class="word ${verdict}">${verdict}</span> ${why}</p>
    <ul>
      ${told}
    </ul>
    ${table}`;
}

function stripCell(cell: StripCell): Markup {
  const { mark, due } = cell;
  const isRight = (mark === 'present') === due && mark !== 'other' && mark !== 'extra';
  const tone = !isRight ? 'wrong' : due ? 'due' : 'none';
  return html`<td><i class="${tone}">${stripSign(cell)}</i></td>`;
}
