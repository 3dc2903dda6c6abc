// A run of probes as JUnit XML: a case a probe. What fails is a failure, what could not be asked is
// skipped, and warnings are told in the output.
import { xml } from '../../../lib/xml.ts';
import type { ProbeVerdict } from '../probe.ts';
import { countsOf, type ProbeReport } from '../run.ts';
import type { Baseline } from './baseline.ts';
import type { Keeping } from './keeping.ts';

type Result = ProbeVerdict & { readonly id: string };

export function junitReport(
  report: ProbeReport,
  suite: string,
  { baseline, kept = () => true }: Keeping = {},
): string {
  const results: readonly Result[] = [...report.probes, ...report.rules];
  const failures = results.filter((result) => fails(result, baseline)).length;
  const { skip } = countsOf(results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope probe">',
    `  <testsuite name="${xml(suite)}" tests="${results.length}" failures="${failures}" errors="0" skipped="${skip}">`,
    ...results.map((result) => testCase(result, suite, kept, baseline)),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function fails({ id, verdict }: Result, baseline: Baseline | undefined): boolean {
  return verdict === 'fail' && baseline?.has(id) !== true;
}

function testCase(
  result: Result,
  suite: string,
  kept: (trace: string) => boolean,
  baseline: Baseline | undefined,
): string {
  const { id, verdict, why } = result;
  const head = `    <testcase classname="${xml(suite)}" name="${xml(id)}"`;
  if (verdict === 'pass') return `${head}/>`;
  if (verdict === 'skip') return `${head}><skipped message="${xml(why)}"/></testcase>`;
  const words = xml([`${verdict}: ${why}`, ...framesOf(result, kept)].join('\n'));
  return fails(result, baseline)
    ? `${head}><failure type="${verdict}" message="${xml(why)}">${words}</failure></testcase>`
    : `${head}><system-out>${words}</system-out></testcase>`;
}

function framesOf({ evidence }: Result, kept: (trace: string) => boolean): readonly string[] {
  return evidence
    .filter(({ trace }) => kept(trace))
    .map(({ trace, seqs }) => `${trace} ${seqs.map((seq) => `#${seq}`).join(' ')}`);
}
