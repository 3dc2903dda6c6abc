// A report of the lab for a person at a terminal: the matrix, then what every cell that did not pass
// says, with its traces and frames. What peers wrote obeys nothing here (S-11).
import { count } from '../../lib/format-count.ts';
import { visibleWords } from '../../lib/visible-text.ts';
import {
  baseWords,
  FIELD_NAMES,
  fieldsOf,
  groupsOf,
  windowWords,
  type Fields,
} from './report-words.ts';
import { isKnown, type Judging } from '../baseline.ts';
import {
  agentWords,
  isPassed,
  LAB_WORDS,
  summaryOf,
  type LabCell,
  type LabCursors,
  type LabReport,
  type LabWord,
} from './report.ts';
import { STRIP_LEGEND, stripText } from './strip-text.ts';

export type LabPaint = (tone: LabWord | 'quiet', text: string) => string;

const PLAIN: LabPaint = (_, text) => text;
const COLUMNS = Object.keys(FIELD_NAMES) as (keyof Fields)[];
const WIDEST = 44;

export function labText(report: LabReport, judging: Judging = {}, paint: LabPaint = PLAIN): string {
  const { agent, protocolVersion, cost, promptsSent, cursors, cells } = report;
  const told = cells.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skip');
  return [
    [
      safe(agentWords(agent)) + `, ACP v${protocolVersion}`,
      paint('quiet', `Where a row says nothing else: ${baseWords(report)}.`),
      paint(
        'quiet',
        `${count(promptsSent, 'prompt')} sent; ${cost.expected} were expected, ${cost.most} the most.`,
      ),
    ].join('\n'),
    matrix(report, paint),
    ...(cursors ? [cursorText(cursors, paint)] : []),
    ...alike(told).map((cells) => cellText(cells, judging, paint)),
    closing(report, judging, paint),
  ].join('\n\n');
}

function matrix(report: LabReport, paint: LabPaint): string {
  const groups = groupsOf(report);
  const rows = groups.flatMap(({ title, cells }) => [
    { title, name: '', verdict: undefined, fields: undefined },
    ...cells.map(({ cell, name }) => ({
      title,
      name: `  ${name}`,
      verdict: cell.verdict,
      fields: cell.verdict === 'skip' ? undefined : fieldsOf(cell),
      why: cell.why,
    })),
  ]);
  const first = Math.max(...rows.map(({ name, title }) => Math.max(name.length, title.length)), 8);
  const widths = COLUMNS.map((column) =>
    Math.min(
      WIDEST,
      Math.max(
        FIELD_NAMES[column].length,
        ...rows.map(({ fields }) => (fields?.[column] ?? '').length),
      ),
    ),
  );
  const head = COLUMNS.map((column, i) => FIELD_NAMES[column].padEnd(widths[i] ?? 0)).join('  ');
  const lines = rows.map((row) => {
    if (row.verdict === undefined) return row.title;
    const word = paint(row.verdict, row.verdict.toUpperCase().padEnd(4));
    const fields =
      row.fields === undefined
        ? paint('quiet', safe('why' in row ? row.why : ''))
        : COLUMNS.map((column, i) => safe(row.fields?.[column] ?? '').padEnd(widths[i] ?? 0)).join(
            '  ',
          );
    return `${row.name.padEnd(first)}  ${word}  ${fields}`.trimEnd();
  });
  return [paint('quiet', `${''.padEnd(first)}        ${head}`.trimEnd()), ...lines].join('\n');
}

/** Cells that say the same, in the order of the worst. */
function alike(cells: readonly LabCell[]): readonly (readonly LabCell[])[] {
  const groups = new Map<string, LabCell[]>();
  for (const cell of cells) {
    const key = `${cell.verdict} ${cell.why}`;
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  const rank = (group: readonly LabCell[]) => LAB_WORDS.indexOf(group[0]?.verdict ?? 'skip');
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

/** Told once, with the traces of the first. */
function cellText(cells: readonly LabCell[], judging: Judging, paint: LabPaint): string {
  const [cell] = cells;
  if (cell === undefined) return '';
  const { runs, verdict, why } = cell;
  const run = runs.find((one) => one.verdict === verdict);
  const window = run && windowWords(run);
  const open = run?.reconnect?.open ?? [];
  const { before, after } = run?.traces ?? {};
  const names = cells.map((one) => (isKnown(one, judging) ? `${one.id} (known)` : one.id));
  return [
    `${paint(verdict, verdict.toUpperCase())}  ${names.join(' · ')}`,
    `  ${safe(why)}`,
    ...open.map(({ words, fate, why, before: was, after: is }) =>
      `  open before: ${safe(words)} ${frames(was)}: ${fate}, ${safe(why)} ${frames(is)}`.trimEnd(),
    ),
    ...(before === undefined
      ? []
      : [paint('quiet', `  before  ${safe(before)}  ended: ${safe(run?.stopped ?? 'unknown')}`)]),
    ...(after === undefined
      ? []
      : [paint('quiet', `  after   ${safe(after)}${window === undefined ? '' : `  ${window}`}`)]),
  ].join('\n');
}

function frames(named: readonly { readonly seq: number }[]): string {
  return named.map(({ seq }) => `#${seq}`).join(' ');
}

function cursorText({ laws, strip, verdict, why }: LabCursors, paint: LabPaint): string {
  const width = Math.max(...strip.rows.map(({ name }) => Math.min(name.length, 60)), 0);
  return [
    `${paint(verdict, verdict.toUpperCase())}  cursor algebra: ${safe(why)}`,
    ...laws.map(
      ({ law, verdict: holds, why }) => `  ${law.padEnd(15)} ${holds.padEnd(12)} ${safe(why)}`,
    ),
    ...strip.rows.map(
      ({ name, cells, rejected }) =>
        `  ${safe(name).slice(0, 60).padEnd(width)}  ${rejected === undefined ? stripText(cells) : `rejected: ${safe(rejected)}`}`,
    ),
    ...(strip.rows.length > 0 ? [paint('quiet', `  ${STRIP_LEGEND}`)] : []),
  ].join('\n');
}

function closing(report: LabReport, judging: Judging, paint: LabPaint): string {
  const { ended } = report;
  const summary = summaryOf(report);
  const parts = LAB_WORDS.flatMap((word) =>
    summary[word] === 0 ? [] : [paint(word, `${summary[word]} ${word}`)],
  );
  const isForgiven = summary.warn > 0 && judging.failOn !== 'warn' && isPassed(report, judging);
  return [
    ...(ended === undefined ? [] : [ended]),
    ...(parts.length > 0 ? [parts.join(' · ')] : []),
    ...(isForgiven ? ['Warnings fail no run: --fail-on warn makes them.'] : []),
  ].join('\n');
}

function safe(text: string): string {
  return visibleWords(text).replace(/\s*\n\s*/g, ' ');
}
