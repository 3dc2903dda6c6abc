// A run of probes for people at a terminal: the report card, then what failed or is warned of with
// its frames, then the rest in short.
import { count } from '../../../lib/format-count.ts';
import { visibleWords } from '../../../lib/visible-text.ts';
import { cardOf, type CardRow } from '../card.ts';
import type { ProbeVerdict, ProbeWord } from '../probe.ts';
import { countsOf, type ProbeReport } from '../run.ts';
import type { Baseline } from './baseline.ts';
import type { Keeping } from './keeping.ts';

export type Paint = (word: ProbeWord | 'head', text: string) => string;
const PLAIN: Paint = (_, text) => text;

const MOST_FRAMES = 8;
const MOST_TRACES = 4;
const NAME = 28;

type Result = ProbeVerdict & { readonly id: string };

export function textReport(
  report: ProbeReport,
  command: readonly string[],
  { baseline, kept = () => true }: Keeping = {},
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
    ...of('fail').flatMap((result) => details(result, paint, kept, baseline)),
    ...of('warn').flatMap((result) => details(result, paint, kept)),
    ...of('info').flatMap((result) => details(result, paint, kept)),
    ...byReason('skip', of('skip'), paint),
    ...(of('pass').length > 0
      ? [
          `${paint('pass', 'pass')}  ${of('pass')
            .map(({ id }) => id)
            .join(', ')}`,
          '',
        ]
      : []),
    closing(report, results, baseline),
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

function details(
  { id, verdict, why, evidence }: Result,
  paint: Paint,
  kept: (trace: string) => boolean,
  baseline?: Baseline,
): string[] {
  const known = baseline?.has(id) ? '  (known by the baseline)' : '';
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

function closing(
  { stopped }: ProbeReport,
  results: readonly Result[],
  baseline: Baseline | undefined,
): string {
  const { pass, fail, warn, info, skip } = countsOf(results);
  const known = results.filter(({ id, verdict }) => verdict === 'fail' && baseline?.has(id)).length;
  return [
    `${pass} passed, ${fail} failed${known > 0 ? ` (${known} known)` : ''}, ${warn} warned, ${info} told, ${skip} skipped.`,
    ...(stopped ? ['The run was stopped: what was not asked counts as skipped.'] : []),
  ].join(' ');
}
