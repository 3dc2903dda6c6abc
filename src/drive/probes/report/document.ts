// A run of probes as a report: the card, then what failed or is warned of with its frames, then the
// rest in short.
import { safeJson } from '../../../lib/safe-json.ts';
import {
  isFailure,
  isKnown,
  type Judging,
  type FrameWords,
  type VerdictWord,
  TONES,
  countVerdicts,
  runCases,
  verdictCase,
} from '../../verdict.ts';
import { cardOf, type CardRow } from '../card.ts';
import type { ProbeVerdict } from '../probe.ts';
import { type ProbeReport } from '../run.ts';
import { count } from '../../../lib/format.ts';
import { peerWords } from '../../../model/words.ts';
import type { Block, JUnitCase, ReportItem, ReportDocument } from '../../../report/document.ts';
import { code, detail, lines, section, toned } from '../../../report/words.ts';

// What a report is told beside the run itself.

export interface Keeping extends Judging {
  /** Whether the trace of this name can still be opened; without it, all can. */
  readonly kept?: (trace: string) => boolean;
}

const MOST_FRAMES = 8;
const MOST_TRACES = 4;
const MOST_NAMED = 6;

type Result = ProbeVerdict & { readonly id: string };

/**
 * `suite`: what was tried, in JUnit. `frame`: of the page, which opens traces by connection; absent:
 * traces are files.
 */
export function probeDocument(
  report: ProbeReport,
  suite: string,
  keeping: Keeping = {},
  frame?: FrameWords,
): ReportDocument {
  const { agent, prompts, connections, unasked, leftOut } = report;
  const { name, title, release, version } = agent;
  const results: readonly Result[] = [...report.probes, ...report.rules];
  const card = cardOf(report);
  const of = (word: VerdictWord) => results.filter(({ verdict }) => verdict === word);
  const told = [...of('fail'), ...of('warn'), ...of('info')];
  const called = peerWords({ title, name, version: release }, suite);
  return {
    name: 'acp-scope probe',
    title: `${called}: ACP version ${version}, ${count(prompts, 'prompt')} sent, ${count(connections, 'process', 'processes')} started`,
    blocks: [
      cardSection('Versions', card.versions),
      cardSection('What works', card.works),
      cardSection('Resume profile', card.resume),
      {
        kind: 'items',
        items: [
          ...told.map((result) => itemOf(result, keeping, frame)),
          ...byReason(of('skip')),
          ...passed(of('pass')),
          ...leftOutItems(report),
        ],
      },
      lines(...closing(report, results, keeping)),
    ],
    suites: [
      {
        name: suite,
        cases: [
          ...runCases('unasked', unasked),
          ...results.map((result) => caseOf(result, keeping)),
          ...leftOut.map(({ id, why, asks }): JUnitCase => {
            return { name: id, outcome: 'skip', message: `Left out: ${asks} asks it. ${why}` };
          }),
        ],
      },
    ],
  };
}

function cardSection(title: string, rows: readonly CardRow[]): Block {
  return section([toned('strong', title)], {
    kind: 'table',
    heads: [{ name: 'what' }, { name: 'verdict' }, { name: 'why' }],
    rows: rows.map(({ name, verdict, why }) => [
      name,
      verdict === undefined ? '–' : [toned(TONES[verdict], verdict)],
      why,
    ]),
  });
}

function itemOf(result: Result, keeping: Keeping, frame: FrameWords | undefined): ReportItem {
  const { id, verdict, why } = result;
  const shown = shownEvidence(result, keeping);
  const more = shown.length - MOST_TRACES;
  const traces = shown.slice(0, MOST_TRACES).map(({ trace, seqs }) => {
    const named = seqs.slice(0, MOST_FRAMES).map((seq) => frame?.(trace, seq) ?? `#${seq}`);
    const rest = seqs.length > MOST_FRAMES ? ` and ${seqs.length - MOST_FRAMES} more` : '';
    return detail('frames', `${frame ? '' : `${trace}  `}${named.join(' ')}${rest}`);
  });
  return {
    word: verdict,
    tone: TONES[verdict],
    title: [code(id), isKnown(result, keeping) ? '  (known by the baseline)' : ''],
    details: [why, ...traces, ...(more > 0 ? [`and in ${count(more, 'trace')} more`] : [])],
  };
}

function shownEvidence({ evidence }: Result, { kept = () => true }: Keeping) {
  return evidence.filter(({ trace }) => kept(trace));
}

/** Under each reason the probes that have it. */
function byReason(results: readonly Result[]): readonly ReportItem[] {
  const reasons = new Map<string, string[]>();
  for (const { id, why } of results) reasons.set(why, [...(reasons.get(why) ?? []), id]);
  return [...reasons].map(([why, ids]) => ({
    word: 'skip',
    tone: 'quiet',
    title: ids.join(', '),
    details: [why],
  }));
}

function passed(results: readonly Result[]): readonly ReportItem[] {
  if (results.length === 0) return [];
  const title = results.map(({ id }) => id).join(', ');
  return [{ word: 'pass', tone: 'good', title, details: [] }];
}

/** What could be asked and was not: why, and what asks it. */
function leftOutItems({ leftOut }: ProbeReport): readonly ReportItem[] {
  return [...new Set(leftOut.map(({ asks }) => asks))].map((option) => ({
    word: 'left out',
    tone: 'quiet',
    title: `${option} asks ${option === '--all' ? 'them as well' : 'them'}`,
    details: leftOut.filter(({ asks }) => asks === option).map(({ id, why }) => detail(id, why)),
  }));
}

function closing(
  { stopped, unasked }: ProbeReport,
  results: readonly Result[],
  keeping: Keeping,
): readonly string[] {
  const { pass, fail, warn, info, skip } = countVerdicts(results);
  const known = (word: VerdictWord) => {
    const size = results.filter((one) => one.verdict === word && isKnown(one, keeping)).length;
    return size > 0 ? ` (${size} known)` : '';
  };
  return [
    `${pass} passed, ${fail} failed${known('fail')}, ${warn} warned${known('warn')}, ${count(info, 'note')}, ${skip} skipped.`,
    ...forgiven(results, keeping),
    ...(stopped ? ['The run was stopped: what was not asked counts as skipped.'] : []),
    ...(unasked === undefined ? [] : [unasked]),
  ];
}

/** What a person who trusts an end with 0 should know of. */
function forgiven(results: readonly Result[], keeping: Keeping): readonly string[] {
  if (results.some((result) => isFailure(result, keeping))) return [];
  const strict = { ...keeping, failOn: 'warn' } as const;
  const ids = results.flatMap((result) => (isFailure(result, strict) ? [result.id] : []));
  if (ids.length === 0) return [];
  const more = ids.length - MOST_NAMED;
  const named = [...ids.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [`${ids.length} warned: ${named}; --fail-on warn makes this fail.`];
}

function caseOf(result: Result, keeping: Keeping): JUnitCase {
  const { verdict, why } = result;
  const frames = shownEvidence(result, keeping).map(
    ({ trace, seqs }) => `${trace} ${seqs.map((seq) => `#${seq}`).join(' ')}`,
  );
  return verdictCase(result, keeping, [`${verdict}: ${why}`, ...frames].join('\n'));
}

// A run of probes as one JSON document; its shape is docs/probes.md's.

export function probesJson(
  { agent, probes, leftOut, rules, prompts, connections, stopped, unasked }: ProbeReport,
  command: readonly string[],
  keeping: Keeping = {},
): string {
  const results = [...probes, ...rules];
  const { name, title, release, version } = agent;
  const document = {
    agent: { name, title, version: release, command },
    protocolVersion: version,
    probes: results.map((result) => resultOf(result, keeping)),
    ...(leftOut.length > 0 && { leftOut }),
    ...(unasked !== undefined && { unasked }),
    summary: { ...countVerdicts(results), prompts, connections, ...(stopped && { stopped }) },
  };
  return safeJson(document);
}

/** `seqs` lie in `trace`; what lies in other traces is under `also`. Only traces that were kept are named. */
function resultOf(result: ProbeVerdict & { readonly id: string }, keeping: Keeping) {
  const { id, verdict, why, evidence } = result;
  const { kept = () => true } = keeping;
  const [first, ...rest] = evidence;
  const also = rest.filter(({ trace }) => kept(trace));
  return {
    id,
    verdict,
    why,
    seqs: first?.seqs ?? [],
    ...(first && kept(first.trace) && { trace: first.trace }),
    ...(also.length > 0 && { also }),
    ...(isKnown(result, keeping) && { known: true }),
  };
}
