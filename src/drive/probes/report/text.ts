// A run of probes for people at a terminal: the report card, then what failed or is warned of with
// its frames, then the rest in short.
import { count } from '../../../lib/format-count.ts';
import { visibleWords } from '../../../lib/visible-text.ts';
import { cardOf, type CardRow } from '../card.ts';
import type { ProbeVerdict, ProbeWord } from '../probe.ts';
import { countsOf, type ProbeReport } from '../run.ts';
import { isFailure, isKnown } from '../../baseline.ts';
import type { Keeping } from './keeping.ts';

export type Paint = (word: ProbeWord | 'head', text: string) => string;
const PLAIN: Paint = (_, text) => text;

const MOST_FRAMES = 8;
const MOST_TRACES = 4;
const MOST_NAMED = 6;
const NAME = 28;

type Result = ProbeVerdict & { readonly id: string };

export function textReport(
  report: ProbeReport,
  command: readonly string[],
  keeping: Keeping = {},
  paint = PLAIN,
): string {
  const results: readonly Result[] = [...report.probes, ...report.rules];
  const card = cardOf(report);
  const of = (word: ProbeWord) => results.filter(({ verdict }) => verdict === word);
  return [
    headOf(report, command),
    '',
    ...section('Versions', card.versions, paint),
    ...section('What works', card.works, paint),
    ...section('Resume profile', card.resume, paint),
    ...(['fail', 'warn', 'info'] as const).flatMap((word) =>
      of(word).flatMap((result) => details(result, paint, keeping)),
    ),
    ...byReason('skip', of('skip'), paint),
    ...(of('pass').length > 0
      ? [
          `${paint('pass', 'pass')}  ${of('pass')
            .map(({ id }) => id)
            .join(', ')}`,
          '',
        ]
      : []),
    ...leftOutWords(report, paint),
    closing(report, results, keeping),
  ].join('\n');
}

/** What agents say, on one line and with nothing in it that a terminal would obey. */
function safe(text: string): string {
  return visibleWords(text).replace(/\s+/g, ' ');
}

function headOf({ agent, prompts, connections }: ProbeReport, command: readonly string[]): string {
  const { name, title, release, version } = agent;
  const called = [title ?? name ?? command.join(' '), release ?? ''].join(' ').trim();
  return `${safe(called)}: ACP version ${version}, ${count(prompts, 'prompt')} sent, ${count(connections, 'process', 'processes')} started`;
}

function section(head: string, rows: readonly CardRow[], paint: Paint): string[] {
  return [
    paint('head', head),
    ...rows.map(({ name, verdict, why }) => {
      const word = verdict === undefined ? '–   ' : paint(verdict, verdict.padEnd(4));
      return `  ${name.padEnd(NAME)} ${word}  ${safe(why)}`;
    }),
    '',
  ];
}

function details(result: Result, paint: Paint, keeping: Keeping): string[] {
  const { id, verdict, why, evidence } = result;
  const { kept = () => true } = keeping;
  const known = isKnown(result, keeping) ? '  (known by the baseline)' : '';
  const shown = evidence.filter(({ trace }) => kept(trace));
  const more = shown.length - MOST_TRACES;
  return [
    `${paint(verdict, verdict)}  ${id}${known}`,
    `      ${safe(why)}`,
    ...shown.slice(0, MOST_TRACES).map(({ trace, seqs }) => `      ${trace}  ${framesWords(seqs)}`),
    ...(more > 0 ? [`      and in ${count(more, 'trace')} more`] : []),
    '',
  ];
}

function framesWords(seqs: readonly number[]): string {
  const more = seqs.length > MOST_FRAMES ? ` and ${seqs.length - MOST_FRAMES} more` : '';
  return (
    seqs
      .slice(0, MOST_FRAMES)
      .map((seq) => `#${seq}`)
      .join(' ') + more
  );
}

/** Under each reason the probes that have it. */
function byReason(word: ProbeWord, results: readonly Result[], paint: Paint): string[] {
  const reasons = new Map<string, string[]>();
  for (const { id, why } of results) reasons.set(why, [...(reasons.get(why) ?? []), id]);
  return [...reasons].flatMap(([why, ids]) => [
    `${paint(word, word)}  ${ids.join(', ')}`,
    `      ${safe(why)}`,
    '',
  ]);
}

/** What could be asked and was not: why, and what asks it. */
function leftOutWords({ leftOut }: ProbeReport, paint: Paint): string[] {
  return [...new Set(leftOut.map(({ asks }) => asks))].flatMap((option) => {
    const of = leftOut.filter(({ asks }) => asks === option);
    const lines = of.map(({ id, why }) => `      ${id.padEnd(NAME)} ${why}`);
    const them = option === '--all' ? 'them as well' : 'them';
    return [`${paint('skip', 'left out')}  ${option} asks ${them}`, ...lines, ''];
  });
}

function closing(
  { stopped, unasked }: ProbeReport,
  results: readonly Result[],
  keeping: Keeping,
): string {
  const { pass, fail, warn, info, skip } = countsOf(results);
  const known = (word: ProbeWord) => {
    const size = results.filter((one) => one.verdict === word && isKnown(one, keeping)).length;
    return size > 0 ? ` (${size} known)` : '';
  };
  return [
    `${pass} passed, ${fail} failed${known('fail')}, ${warn} warned${known('warn')}, ${info} told, ${skip} skipped.`,
    ...forgiven(results, keeping),
    ...(stopped ? ['The run was stopped: what was not asked counts as skipped.'] : []),
    ...(unasked === undefined ? [] : [safe(unasked)]),
  ].join('\n');
}

/** What a person who trusts an end with 0 should know of. */
function forgiven(results: readonly Result[], keeping: Keeping): string[] {
  if (results.some((result) => isFailure(result, keeping))) return [];
  const strict = { ...keeping, failOn: 'warn' } as const;
  const ids = results.flatMap((result) => (isFailure(result, strict) ? [result.id] : []));
  if (ids.length === 0) return [];
  const more = ids.length - MOST_NAMED;
  const named = [...ids.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [`${ids.length} warned: ${named}; --fail-on warn makes this fail.`];
}
