// A check for people at a terminal: worst first, what was seen beside what was due. Only here a long
// list of frames is cut.
import { count, formatCount } from '../../lib/format-count.ts';
import { visibleWords } from '../../lib/visible-text.ts';
import type { Severity } from '../finding.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import { againstWords } from '../against.ts';
import { summaryOf, type FileReport, type ReportedFinding } from './report.ts';
import { saidOf } from './said.ts';

const MOST_FRAMES = 6;
/** Findings of one rule that are told one by one. */
const MOST_FINDINGS = 5;

/** What a word of the report is, for those who colour it. */
export type Tone = Severity | 'quiet' | 'good';
export type Paint = (tone: Tone, text: string) => string;

const PLAIN: Paint = (_, text) => text;

/** What peers and files say, on one line and with nothing in it that a terminal would obey. */
function safe(text: string): string {
  return visibleWords(text).replace(/\s+/g, ' ');
}

/** `all`: also what passed, and each thing that could not be decided. */
export function textReport(files: readonly FileReport[], all: boolean, paint = PLAIN): string {
  return files.map((file) => fileText(file, all, paint)).join('\n\n');
}

function fileText(report: FileReport, all: boolean, paint: Paint): string {
  const { file, frames, findings, unread } = report;
  const whole = unread.find(({ line }) => line === undefined);
  if (whole) return `${safe(file)}: not checked\n  ${paint('error', safe(whole.problem))}`;
  const spoken = spokenWords(report);
  const head = `${safe(file)}: ${count(frames, 'frame')}, ${spoken}`;
  const shown = findings.filter(
    (one) => all || (one.verdict === 'fail' && one.suppressed === undefined),
  );
  return [
    head,
    ...unread.map(({ line, problem }) =>
      paint('warning', `  line ${line}: ${safe(problem)}; not checked`),
    ),
    ...grouped(shown).map((group) => groupText(group, report.against.edition, paint)),
    `  ${closing(report, all, paint)}`,
  ].join('\n');
}

function spokenWords({ protocolVersion: version, against, contradicts }: FileReport): string {
  const checked = `checked as ${againstWords(against)}`;
  if (contradicts)
    return `${checked} as you chose, although its handshake settles on version ${version}`;
  if (version === 1 || version === 2) return checked;
  const why = version === undefined ? 'no handshake in it' : `it settles on version ${version}`;
  return `${why}: only framing, ids and shapes were checked. Give --profile to hold it against a version`;
}

/** Findings that differ in session, method and frames alone, under one head. */
function grouped(findings: readonly ReportedFinding[]): readonly (readonly ReportedFinding[])[] {
  const groups = new Map<string, ReportedFinding[]>();
  for (const finding of findings) {
    const { rule, verdict, severity, side, due } = finding;
    const key = [rule, verdict, severity, side, due, noteOf(finding)].join('\n');
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

function noteOf({ known, suppressed }: ReportedFinding): string {
  const notes = [
    ...(known ? ['known by the baseline'] : []),
    ...(suppressed === undefined ? [] : [`suppressed: ${safe(suppressed)}`]),
  ];
  return notes.length === 0 ? '' : `  (${notes.join('; ')})`;
}

function groupText(group: readonly ReportedFinding[], edition: EditionId, paint: Paint): string {
  const [first] = group;
  if (first === undefined) return '';
  const { verdict, severity, side, rule, due, source } = first;
  const note = noteOf(first);
  const word = verdict === 'fail' ? severity : verdict === 'pass' ? 'pass' : 'undecided';
  const tone = verdict !== 'fail' || note !== '' ? 'quiet' : severity;
  const times = group.length > 1 ? `  (${count(group.length, 'finding')})` : '';
  const head = `  ${paint(tone, word.padEnd(9))} ${side.padEnd(6)} ${rule}${times}${note}`;
  if (verdict === 'pass') return head;
  const more = group.length - MOST_FINDINGS;
  return [
    head,
    ...group.slice(0, MOST_FINDINGS).map((one) => findingText(one, paint)),
    ...(more > 0 ? [`            and ${count(more, 'more like it', 'more like it')}`] : []),
    `            ${paint('quiet', verdict === 'fail' ? 'due   ' : 'needs ')}${safe(due)}`,
    ...(verdict === 'fail'
      ? [`            ${paint('quiet', 'says  ')}${saidOf(rule, edition)}`]
      : []),
    `            ${paint('quiet', source)}`,
  ].join('\n');
}

function findingText({ verdict, pointer, seen, seqs, session }: ReportedFinding, paint: Paint) {
  const label = paint('quiet', verdict === 'fail' ? 'seen  ' : 'why   ');
  const shown = seqs.slice(0, MOST_FRAMES).map((seq) => `#${seq}`);
  const more =
    seqs.length > MOST_FRAMES ? ` and ${formatCount(seqs.length - MOST_FRAMES)} more` : '';
  const where = session === undefined ? '' : `, session ${safe(session)}`;
  const at = pointer === '' ? '' : ` (${safe(pointer)})`;
  return `            ${label}${safe(seen)}${at}  ${paint('quiet', `in ${shown.join(' ')}${more}${where}`)}`;
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
