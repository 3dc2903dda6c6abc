// A run of probes as Markdown: the report card, then every probe with its frames.
import { count } from '../../../lib/format-count.ts';
import { table } from '../../../lib/markdown.ts';
import { cardOf, type CardRow } from '../card.ts';
import { countsOf, type ProbeReport } from '../run.ts';

/** `frame`: how a frame of a trace is named, `c2#12`. */
export function markdownReport(
  report: ProbeReport,
  frame: (trace: string, seq: number) => string,
): string {
  const { agent, prompts, connections, stopped, unasked } = report;
  const { name, title, release, version } = agent;
  const card = cardOf(report);
  const results = [...report.probes, ...report.rules];
  const { pass, fail, warn, info, skip } = countsOf(results);
  const called = [title ?? name ?? 'An agent without a name', release ?? ''].join(' ').trim();
  return [
    `# ${called}, ACP v${version}`,
    '',
    `${pass} passed, ${fail} failed, ${warn} warned, ${info} told, ${skip} skipped. ${count(prompts, 'prompt')} sent, ${count(connections, 'process', 'processes')} started.${stopped ? ' The run was stopped before its end.' : ''}`,
    ...(unasked === undefined ? [] : ['', unasked]),
    ...section('Versions', card.versions),
    ...section('What works', card.works),
    ...section('Resume profile', card.resume),
    ...leftOut(report),
    '',
    '## Probes',
    '',
    table(
      ['probe', 'verdict', 'why', 'frames'],
      results.map(({ id, verdict, why, evidence }) => [
        `\`${id}\``,
        verdict,
        why,
        evidence.flatMap(({ trace, seqs }) => seqs.map((seq) => frame(trace, seq))).join(' '),
      ]),
    ),
    '',
  ].join('\n');
}

function leftOut({ leftOut: probes }: ProbeReport): readonly string[] {
  if (probes.length === 0) return [];
  return ['', '## Left out', '', ...probes.map(({ id, why }) => `- \`${id}\`: ${why}`)];
}

function section(title: string, rows: readonly CardRow[]): readonly string[] {
  const cells = rows.map(({ name, verdict, why }) => [name, verdict ?? '–', why]);
  return ['', `## ${title}`, '', table(['', 'verdict', 'why'], cells)];
}
