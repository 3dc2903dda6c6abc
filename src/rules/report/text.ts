// A check for people at a terminal: worst first, what was seen beside what was due. Only here a long
// list of frames is cut.
import { count } from '../../lib/format-count.ts';
import type { Severity } from '../finding.ts';
import { PROFILE_WORDS } from '../profile.ts';
import { summaryOf, type FileReport, type ReportedFinding } from './report.ts';

const MOST_FRAMES = 6;

/** What a word of the report is, for those who colour it. */
export type Tone = Severity | 'quiet' | 'good';
export type Paint = (tone: Tone, text: string) => string;

const PLAIN: Paint = (_, text) => text;

/** `all`: also what passed, and each thing that could not be decided. */
export function textReport(files: readonly FileReport[], all: boolean, paint = PLAIN): string {
  return files.map((file) => fileText(file, all, paint)).join('\n\n');
}

function fileText(report: FileReport, all: boolean, paint: Paint): string {
  const { file, protocolVersion, profile, frames, findings } = report;
  const spoken =
    protocolVersion === undefined
      ? 'no handshake in it: only framing, ids and shapes were checked, --profile says what else to hold it against'
      : `checked as ${PROFILE_WORDS[profile]}`;
  const head = `${file}: ${count(frames, 'frame')}, ${spoken}`;
  const shown = findings.filter(
    (one) => all || (one.verdict === 'fail' && one.suppressed === undefined),
  );
  return [
    head,
    ...shown.map((one) => findingText(one, paint)),
    `  ${closing(report, all, paint)}`,
  ].join('\n');
}

function findingText(finding: ReportedFinding, paint: Paint): string {
  const { verdict, severity, side, rule, pointer, seen, due, source } = finding;
  const word = verdict === 'fail' ? severity : verdict === 'pass' ? 'pass' : 'undecided';
  const notes = [
    finding.known ? 'known by the baseline' : '',
    finding.suppressed === undefined ? '' : `suppressed: ${finding.suppressed}`,
  ].filter((note) => note !== '');
  const note = notes.length === 0 ? '' : `  (${notes.join('; ')})`;
  const tone = verdict !== 'fail' || notes.length > 0 ? 'quiet' : severity;
  const frames = verdict === 'pass' ? '' : `  ${framesText(finding)}`;
  const head = `  ${paint(tone, word.padEnd(9))} ${side.padEnd(6)} ${rule}${frames}${note}`;
  if (verdict === 'pass') return head;
  const at = pointer === '' ? '' : ` (${pointer})`;
  const [first, second] = verdict === 'fail' ? ['seen', 'due '] : ['why ', 'needs'];
  return [
    head,
    `            ${paint('quiet', first)}  ${seen}${at}`,
    `            ${paint('quiet', second)}  ${due}`,
    `            ${paint('quiet', source)}`,
  ].join('\n');
}

function framesText({ seqs, session }: ReportedFinding): string {
  const shown = seqs.slice(0, MOST_FRAMES).map((seq) => `#${seq}`);
  const more = seqs.length > MOST_FRAMES ? [`and ${seqs.length - MOST_FRAMES} more`] : [];
  const where = session === undefined ? '' : `  session ${session}`;
  return `${[...shown, ...more].join(' ')}${where}`;
}

function closing({ findings }: FileReport, all: boolean, paint: Paint): string {
  const { error, warning, hint, undecidable } = summaryOf(findings);
  const known = findings.filter((one) => one.known).length;
  const aside = findings.filter((one) => one.suppressed !== undefined).length;
  const failed = [
    error > 0 ? paint('error', count(error, 'error')) : '',
    warning > 0 ? paint('warning', count(warning, 'warning')) : '',
    hint > 0 ? count(hint, 'hint') : '',
  ].filter((part) => part !== '');
  const verdict = failed.length === 0 ? paint('good', 'No rule failed.') : `${failed.join(', ')}.`;
  const undecided =
    undecidable === 0
      ? ''
      : ` ${count(undecidable, 'rule')} could not be decided from this trace${all ? '' : ' (--all lists them)'}.`;
  const others = [
    known === 0 ? '' : ` ${known} known by the baseline.`,
    aside === 0 ? '' : ` ${aside} suppressed.`,
  ].join('');
  return `${verdict}${undecided}${others}`;
}
