// What stands behind a cell of the lab's page: each run with what was seen, what was open, and frames.
import type { Difference, FidelityWindow } from '../../diff/fidelity/report/report.ts';
import { html, type Markup } from './html.ts';
import { resultWords } from '../../model/restore/restore-words.ts';
import { windowWords } from './report-words.ts';
import { rateOf, type Excerpt, type LabCell, type LabRun } from './report.ts';

const MOST_DIFFERENCES = 40;

export function cellHtml(cell: LabCell, isKnown: boolean): Markup {
  const { id, verdict, why, runs } = cell;
  const { passed, of } = rateOf(cell);
  const rate =
    of > 1 ? html` <span class="quiet">${passed} of ${of} runs did not fail</span>` : undefined;
  return html`<details>
    <summary>
      <span class="word ${verdict}">${verdict}</span
      ><span class="id">${id}</span>${why}${isKnown ? ' (known)' : ''}${rate}
    </summary>
    <div class="body" id="${anchorOf(id)}">
      ${runs.map((run, at) => runHtml(run, runs.length > 1 ? at + 1 : undefined))}
    </div>
  </details> `;
}

export function anchorOf(id: string): string {
  return `cell-${id.replace(/[^a-z0-9]+/gi, '-')}`;
}

function runHtml(run: LabRun, number: number | undefined): Markup {
  const { verdict, why, restored, fidelity, memory, tools, reconnect, traces, excerpts } = run;
  const facts: Markup[] = [];
  if (run.stopped !== undefined) facts.push(html`<li>The first agent ended: ${run.stopped}</li>`);
  if (restored)
    facts.push(
      html`<li>
        The restore (${windowWords(run) ?? 'not sent'}): ${resultWords(restored).whole}
      </li>`,
    );
  if (fidelity) facts.push(html`<li>Fidelity: ${fidelity.verdict}. ${fidelity.sentence}</li>`);
  if (memory)
    facts.push(html`<li>Memory: ${memory.why}${memory.asked > 1 ? ', asked twice' : ''}</li>`);
  if (tools)
    facts.push(
      html`<li>
        MCP tools given: ${tools.given.length}, asked for by the agent:
        ${tools.listed.length}${tools.uninvited.length > 0 ? '; one of before came back uninvited' : ''}
      </li>`,
    );
  for (const { words, fate, why: because } of reconnect?.open ?? [])
    facts.push(html`<li>Open before: ${words}: <strong>${fate}</strong>, ${because}</li>`);
  const named = Object.values(traces).map((path) => html`<li><code>${path}</code></li>`);
  return html`${number === undefined ? undefined : html`<h3>Run ${number}: <span class="word ${verdict}">${verdict}</span> ${why}</h3>`}
    <ul>
      ${facts}
    </ul>
    ${fidelity ? differencesHtml(fidelity) : undefined} ${excerpts.map(excerptHtml)}
    ${
      named.length > 0
        ? html`<p class="quiet">Traces</p>
            <ul>
              ${named}
            </ul>`
        : undefined
    }`;
}

function differencesHtml({ differences }: FidelityWindow): Markup | undefined {
  if (differences.length === 0) return undefined;
  const shown = differences.slice(0, MOST_DIFFERENCES);
  const left = differences.length - shown.length;
  return html`<details>
    <summary>Live against replayed: ${differences.length} differences</summary>
    <div class="sheet">
      <table>
        <thead>
          <tr>
            <th>verdict</th>
            <th>item</th>
            <th>field</th>
            <th>what</th>
            <th>live</th>
            <th>replayed</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(differenceRow)}
        </tbody>
      </table>
    </div>
    ${left > 0 ? html`<p class="quiet">and ${left} more</p>` : undefined}
  </details>`;
}

function differenceRow({ verdict, item, field, why, live, replayed }: Difference): Markup {
  const frame = (ref: Difference['live']) => (ref ? `${ref.connection} #${ref.seq}` : '–');
  return html`<tr class="row">
    <td>${verdict}</td>
    <td class="why">${item}</td>
    <td>${field ?? ''}</td>
    <td class="why">${why}</td>
    <td>${frame(live)}</td>
    <td>${frame(replayed)}</td>
  </tr>`;
}

export function excerptHtml({ trace, title, frames, left }: Excerpt): Markup {
  const lines = frames.map(({ seq, from, text }, at) => {
    const line = html`<li>
      <span class="seq">#${seq}</span
      ><span class="side ${from}">${from === 'client' ? '→' : '←'}</span
      ><span class="text">${text}</span>
    </li>`;
    return left?.after === at + 1
      ? html`${line}
          <li class="left">… ${left.count} frames …</li>`
      : line;
  });
  return html`<details>
    <summary>${title} <span class="quiet">(${trace})</span></summary>
    <ol class="frames">
      ${lines}
    </ol>
  </details>`;
}
