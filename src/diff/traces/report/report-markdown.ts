// A comparison as Markdown, for issues and pull requests. What peers wrote stands in code spans: it
// must not become markup.
import { visibleWords } from '../../../lib/visible-text.ts';
import { countWords, leftOutWords, SIGNS } from './report-text.ts';
import type { DiffRow, FieldChange, TraceDiffReport } from './report.ts';

const MOST_ROWS = 200;
const LONGEST = 120;

export function diffMarkdown(report: TraceDiffReport, left: string, right: string): string {
  const { rows, sections, notices, equal, view } = report;
  const out = leftOutWords(report.leftOut);
  const lines = [
    `### ${equal ? 'Equal' : 'Different'}: ${view} of ${code(left)} and ${code(right)}`,
    '',
    countWords(report),
    ...(out === undefined ? [] : ['', `Left out: ${code(out)}`]),
    ...notices.flatMap((notice) => ['', `> ${notice}`]),
  ];
  let section = -1;
  let shown = 0;
  for (let row = 0; row < rows.length; row++) {
    if (rows.mark(row) === 'equal') continue;
    if (++shown > MOST_ROWS) continue;
    if (rows.section(row) !== section) {
      section = rows.section(row);
      const { name = '', words = '' } = sections[section] ?? {};
      lines.push('', `**${name}**${words === '' ? '' : ` ${code(words)}`}`, '');
    }
    lines.push(...rowLines(rows.row(row)));
  }
  if (shown > MOST_ROWS) lines.push('', `and ${shown - MOST_ROWS} more.`);
  return lines.join('\n');
}

function rowLines({ mark, a, b, of, fields }: DiffRow): string[] {
  const place = [a && `#${a.seq}`, b && `#${b.seq}`].map((one) => one ?? '–').join(' | ');
  const head = `- ${SIGNS[mark]} ${place} ${code((a ?? b)?.words ?? of)}`;
  return [head, ...fields.map((field) => `  - ${fieldWords(field)}`)];
}

function fieldWords({ path, kind, before, after }: FieldChange): string {
  if (kind === 'missing') return `${code(path)} only left: ${code(before ?? '')}`;
  if (kind === 'extra') return `${code(path)} only right: ${code(after ?? '')}`;
  return `${code(path)}: ${code(before ?? '')} → ${code(after ?? '')}`;
}

/** In a fence longer than any inside. */
function code(text: string): string {
  const line = visibleWords(text).replace(/\s+/g, ' ').trim();
  const shown = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  const ticks = shown.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...ticks.map(({ length }) => length)) + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}
