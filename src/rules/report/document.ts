// A check as a report: worst first, what was seen beside what was due.
import { count, formatCount } from '../../lib/format.ts';
import type {
  Block,
  JUnitCase,
  ReportRule,
  ReportDetail,
  ReportItem,
  ReportLevel,
  ReportDocument,
  Result,
  Results,
  JUnitSuite,
  LineWords,
} from '../../report/document.ts';
import { code, detail, lines, section, toned } from '../../report/words.ts';
import type { Seq } from '../../trace/event.ts';
import type { Severity } from '../finding.ts';
import { againstWords } from '../against.ts';
import { RULES } from '../registry.ts';
import type { Rule } from '../rule.ts';
import { allOf, type Source } from '../source.ts';
import { SOURCES } from '../sources.ts';
import {
  counts,
  failsCheck,
  isUnchecked,
  summaryOf,
  type FileReport,
  type ReportedFinding,
} from './report.ts';

const MOST_FRAMES = 6;
/** Findings of one rule that are told one by one. */
const MOST_FINDINGS = 5;
const TONES = { error: 'bad', warning: 'warn', hint: 'info' } as const;
const LEVELS: Readonly<Record<Severity, ReportLevel>> = {
  error: 'error',
  warning: 'warning',
  hint: 'note',
};

interface CheckTold {
  /** Also what passed, and each thing that could not be decided. */
  readonly all: boolean;
  /** Findings below it fail no case. */
  readonly floor: Severity;
}

export function checkDocument(files: readonly FileReport[], told: CheckTold): ReportDocument {
  return {
    name: 'acp-scope check',
    title: 'Traces checked against the protocol',
    untitled: true,
    blocks: files.map((file) => fileBlock(file, told.all)),
    suites: files.map((file) => suiteOf(file, told.floor)),
  };
}

/** For code hosts. */
export function resultsOf(files: readonly FileReport[]): Results {
  return {
    clauses: clausesOf(files),
    results: files.flatMap((file) => file.findings.flatMap((one) => resultsIn(file, one))),
    unread: files.flatMap(({ file, unread }) => unread.map((one) => ({ file, ...one }))),
  };
}

function fileBlock(report: FileReport, all: boolean): Block {
  const { file, frames, findings, unread } = report;
  const whole = unread.find(({ line }) => line === undefined);
  if (whole) return section(`${file}: not checked`, lines([toned('bad', whole.problem)]));
  const shown = findings.filter(
    (one) => all || ((one.verdict === 'fail' || isUnchecked(one)) && one.suppressed === undefined),
  );
  return section(
    `${file}: ${count(frames, 'frame')}, ${spokenWords(report)}`,
    unread.length === 0
      ? undefined
      : lines(
          ...unread.map(({ line, problem }) => [
            toned('warn', `line ${line}: ${problem}; not checked`),
          ]),
        ),
    report.holes.length === 0
      ? undefined
      : lines([
          toned('warn', `This trace is not whole: ${report.holes.join('; ')}. `),
          'Rules that need what is missing are inconclusive.',
        ]),
    { kind: 'items', items: grouped(shown).map(itemOf) },
    lines(closing(report, all)),
  );
}

function spokenWords({ protocolVersion: version, against, contradicts }: FileReport): string {
  const checked = `checked as ${againstWords(against)}`;
  if (contradicts)
    return `${checked} as you chose, although its handshake settles on version ${version}`;
  if (version === 1 || version === 2) return checked;
  const why =
    version === undefined ? 'no version was agreed on in it' : `it settles on version ${version}`;
  return `${why}: only framing, ids and shapes were checked. Give --profile to hold it against a version`;
}

type Group = readonly [ReportedFinding, ...ReportedFinding[]];

/** Findings that differ in session, method and frames alone, under one head. */
function grouped(findings: readonly ReportedFinding[]): readonly Group[] {
  const groups = new Map<string, [ReportedFinding, ...ReportedFinding[]]>();
  for (const finding of findings) {
    const { rule, verdict, severity, side, due, source } = finding;
    const key = [rule, verdict, severity, side, due, source.url, noteOf(finding)].join('\n');
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

function noteOf({ known, suppressed }: ReportedFinding): string {
  const notes = [
    ...(known ? ['known by the baseline'] : []),
    ...(suppressed === undefined ? [] : [`suppressed: ${suppressed}`]),
  ];
  return notes.length === 0 ? '' : `  (${notes.join('; ')})`;
}

export function findingItem(finding: ReportedFinding): ReportItem {
  return itemOf([finding]);
}

function itemOf(group: Group): ReportItem {
  const { verdict, severity, side, rule, due, source } = group[0];
  const note = noteOf(group[0]);
  const times = group.length > 1 ? `  (${count(group.length, 'finding')})` : '';
  const isFault = verdict === 'fail';
  const more = group.length - MOST_FINDINGS;
  const details: readonly ReportDetail[] = [
    ...group.slice(0, MOST_FINDINGS).map((one) => detail(isFault ? 'seen' : 'why', seenOf(one))),
    ...(more > 0 ? [`and ${count(more, 'more like it', 'more like it')}`] : []),
    detail(isFault ? 'due' : 'needs', due),
    ...(isFault ? [detail('says', saidOf(source))] : []),
    [{ text: source.url, tone: 'quiet', link: source.url }],
  ];
  return {
    word: isFault ? severity : verdict === 'pass' ? 'pass' : 'undecided',
    tone: isFault && note === '' ? TONES[severity] : 'quiet',
    title: [`${side.padEnd(6)} `, code(rule), `${times}${note}`],
    details: verdict === 'pass' ? [] : details,
  };
}

function seenOf(finding: ReportedFinding): LineWords {
  const { pointer, seen, session } = finding;
  const where = session === undefined ? '' : `, session ${session}`;
  const at = pointer === '' ? '' : ` (${pointer})`;
  return [`${seen}${at}  `, toned('quiet', `in ${framesOf(finding)}${where}`)];
}

/** The frames that the words of a finding are about, and those of others like it. */
function framesOf({ pointer, seen, seqs, places }: ReportedFinding, most = MOST_FRAMES): string {
  const own = new Set<number>();
  for (const place of places)
    if (place.seen === seen && place.pointer === pointer) own.add(place.seq);
  const listed = (some: readonly number[], room: number) =>
    [
      ...some.slice(0, room).map((seq) => `#${seq}`),
      ...(some.length > room ? [`and ${formatCount(some.length - room)} more`] : []),
    ].join(' ');
  const first = places.length === 0 ? seqs : seqs.filter((seq) => own.has(seq));
  const others = places.length === 0 ? [] : seqs.filter((seq) => !own.has(seq));
  const words = listed(first, most);
  if (others.length === 0) return words;
  return `${words}; similar in ${listed(others, Math.max(1, most - first.length))}`;
}

function closing({ findings }: FileReport, all: boolean): LineWords {
  const { error, warning, hint, undecidable } = summaryOf(findings);
  const known = findings.filter((one) => one.known).length;
  const aside = findings.filter((one) => one.suppressed !== undefined).length;
  const unchecked = findings.find((one) => isUnchecked(one) && counts(one));
  const failed = [
    ...(error > 0 ? [toned('bad', count(error, 'error'))] : []),
    ...(warning > 0 ? [toned('warn', count(warning, 'warning'))] : []),
    ...(hint > 0 ? [count(hint, 'hint')] : []),
  ].flatMap((part, at) => (at === 0 ? [part] : [', ', part]));
  return [
    ...(failed.length === 0
      ? [toned(unchecked ? 'quiet' : 'good', 'No rule failed.')]
      : [...failed, '.']),
    unchecked === undefined
      ? ''
      : toned(
          'bad',
          ` The handshake ${unchecked.verdict === 'fail' ? 'failed' : 'has no response in this trace'}, so the protocol of a version was not checked: the check fails.`,
        ),
    undecidable === 0
      ? ''
      : ` ${count(undecidable, 'rule')} cannot be judged yet${all ? '' : ' (--all lists them)'}.`,
    known === 0 ? '' : ` ${known} known by the baseline.`,
    aside === 0 ? '' : ` ${aside} suppressed.`,
  ];
}

/** A suite a file, a case a rule and session. */
function suiteOf({ file, findings, unread }: FileReport, floor: Severity): JUnitSuite {
  const problems = unread.map(({ line, problem }) =>
    line === undefined ? problem : `line ${line}: ${problem}; not checked`,
  );
  if (unread.some(({ line }) => line === undefined))
    return {
      name: file,
      cases: [
        {
          name: 'reading the file',
          outcome: 'error',
          type: 'unread',
          message: problems.join('\n'),
        },
      ],
    };
  return {
    name: file,
    cases: findings.map((one) => caseOf(one, floor)),
    ...(problems.length > 0 && { errors: problems.join('\n') }),
  };
}

function caseOf(finding: ReportedFinding, floor: Severity): JUnitCase {
  const { rule, session, verdict, severity, seen } = finding;
  const name = session === undefined ? rule : `${rule} (${session})`;
  if (verdict === 'pass') return { name, outcome: 'pass' };
  const isOpen = verdict === 'undecidable';
  const body = caseWords(finding);
  if (failsCheck(finding, floor))
    return { name, outcome: 'fail', type: isOpen ? 'inconclusive' : severity, message: seen, body };
  return isOpen ? { name, outcome: 'skip', message: seen } : { name, outcome: 'told', body };
}

function caseWords(finding: ReportedFinding): string {
  const { severity, side, pointer, seen, due, source } = finding;
  return [
    `${severity}, ${side}, ${framesOf(finding, Infinity)}${pointer === '' ? '' : `, ${pointer}`}`,
    `seen: ${seen}`,
    `due: ${due}`,
    `says: ${saidOf(source)}`,
    source.url,
    noteOf(finding).trim(),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function clausesOf(files: readonly FileReport[]): readonly ReportRule[] {
  const used = new Set(files.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
  return RULES.filter(({ id }) => used.has(id)).map((rule) => ({
    id: rule.id,
    title: rule.clause,
    level: LEVELS[rule.severity],
    url: SOURCES[rule.id].url,
    sentences: everySentence(rule),
  }));
}

/** Returns a result for each of the words of a finding, at the places that they are about. */
function resultsIn({ file, lineOf }: FileReport, finding: ReportedFinding): readonly Result[] {
  const { rule, verdict, severity, side, due, seqs, places, pointer, known, suppressed } = finding;
  const byWords = new Map<string, Result['places'][number][]>();
  const add = (seen: string, seq: Seq, at: string) => {
    const all = byWords.get(seen) ?? [];
    byWords.set(seen, all);
    all.push({ line: lineOf(seq), name: `#${seq}`, pointer: at });
  };
  for (const { seen, seq, pointer: at } of places) add(seen, seq, at);
  const worded = new Set(places.map(({ seq }) => seq));
  // The book stores no words of the later places of a very long finding.
  const rest = places.length === 0 ? finding.seen : `similar to: ${finding.seen}`;
  for (const seq of seqs) if (!worded.has(seq)) add(rest, seq, pointer);
  return [...byWords].map(([seen, at]) => ({
    clause: rule,
    outcome: verdict === 'undecidable' ? 'open' : verdict,
    level: LEVELS[severity],
    message: `${side}: ${seen}. Due: ${due}.`,
    file,
    places: at,
    known,
    suppressed,
  }));
}

/** All sentences of a rule, of every edition, each once, with the places where they stand. */
function everySentence({ id }: Rule): readonly { said: string; places: Source[] }[] {
  const sentences = new Map<string, Source[]>();
  for (const one of allOf(SOURCES[id])) {
    const said = saidOf(one);
    sentences.set(said, [...(sentences.get(said) ?? []), one]);
  }
  return [...sentences].map(([said, places]) => ({ said, places }));
}

/** The sentence in words, also where no page says it. */
function saidOf({ quote, follows }: Source): string {
  return quote === undefined
    ? `no sentence; it follows from ${follows ?? 'what it is'}`
    : `“${quote}”`;
}
