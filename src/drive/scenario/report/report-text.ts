// A scenario's report as text.
import { visibleWords as visible } from '../../../lib/visible-text.ts';
import { count } from '../../../lib/format-count.ts';
import {
  failureWords,
  isPassed,
  rateOf,
  type JudgedAssert,
  type ScenarioReport,
} from './report.ts';

/** Of several, each under its name. */
export function textReports(reports: readonly ScenarioReport[], paint?: Paint): string {
  const passed = reports.filter(({ runs }) => runs.every(isPassed)).length;
  return [
    ...reports.map((report) => `${visible(report.name)}\n${textReport(report, paint)}\n`),
    `${passed} of ${count(reports.length, 'scenario')} passed.`,
  ].join('\n');
}

export type Tone = 'good' | 'bad' | 'unknown' | 'quiet';
export type Paint = (tone: Tone, text: string) => string;

const WORDS = { pass: 'pass', fail: 'FAIL', undecidable: 'unknown' } as const;
const TONES = { pass: 'good', fail: 'bad', undecidable: 'unknown' } as const;

export function textReport(report: ScenarioReport, paint: Paint = (_, text) => text): string {
  const { runs, steps } = report;
  const lines: string[] = [];
  for (const [at, run] of runs.entries()) {
    if (runs.length > 1)
      lines.push(`Run ${at + 1}: ${isPassed(run) ? paint('good', 'pass') : paint('bad', 'FAIL')}`);
    const indent = runs.length > 1 ? '  ' : '';
    const { failure } = run;
    lines.push(
      failure
        ? `${indent}${paint('bad', 'FAIL')}     ${visible(failureWords(failure))}${seqWords(failure.seqs)}`
        : `${indent}${paint('good', 'pass')}     ${count(steps, 'step')}`,
      ...run.asserts.map((one) => `${indent}${assertLine(one, paint)}`),
      ...run.traces.map((trace) => `${indent}${paint('quiet', `trace    ${trace}`)}`),
    );
  }
  const rate = rateOf(report);
  if (runs.length > 1) lines.push(`${rate.passed} of ${rate.of} runs passed.`);
  if (runs.length > 1) lines.push(...assertRates(report));
  return lines.join('\n');
}

function assertLine({ verdict, title, seen, frames }: JudgedAssert, paint: Paint): string {
  const word = paint(TONES[verdict], WORDS[verdict].padEnd(8));
  const told = verdict === 'pass' ? '' : `: ${seen}${seqWords(frames)}`;
  return visible(`${word} ${title}${told}`);
}

function seqWords(frames: readonly (string | number)[]): string {
  if (frames.length === 0) return '';
  return ` (${frames.map((frame) => (typeof frame === 'number' ? `#${frame}` : frame)).join(' ')})`;
}

/** Those that did not always hold. */
function assertRates({ runs }: ScenarioReport): string[] {
  const [first] = runs;
  return (first?.asserts ?? []).flatMap(({ title }, at) => {
    const held = runs.filter((run) => run.asserts[at]?.verdict === 'pass').length;
    return held === runs.length ? [] : [`  held in ${held} of ${runs.length}: ${visible(title)}`];
  });
}
