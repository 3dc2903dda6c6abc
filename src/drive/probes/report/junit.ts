// A run of probes as JUnit XML: a case a probe. What fails is a failure, what could not be asked or was
// left out is skipped, and warnings are told in the output, where they do not fail the run. A run that
// came to no verdict is an error.
import { xml } from '../../../lib/xml.ts';
import type { ProbeVerdict } from '../probe.ts';
import { countsOf, type ProbeReport } from '../run.ts';
import { isFailure } from '../../baseline.ts';
import type { Keeping } from './keeping.ts';

type Result = ProbeVerdict & { readonly id: string };

export function junitReport(report: ProbeReport, suite: string, keeping: Keeping = {}): string {
  const { probes, rules, leftOut, unasked } = report;
  const results: readonly Result[] = [...probes, ...rules];
  const failures = results.filter((result) => isFailure(result, keeping)).length;
  const skipped = countsOf(results).skip + leftOut.length;
  const errors = unasked === undefined ? 0 : 1;
  const all = results.length + leftOut.length + errors;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope probe">',
    `  <testsuite name="${xml(suite)}" tests="${all}" failures="${failures}" errors="${errors}" skipped="${skipped}">`,
    ...(unasked === undefined
      ? []
      : [
          `${headOf(suite, 'the run')}><error type="unasked" message="${xml(unasked)}"/></testcase>`,
        ]),
    ...results.map((result) => testCase(result, suite, keeping)),
    ...leftOut.map(({ id, why, asks }) =>
      skippedCase(suite, id, `Left out: ${asks} asks it. ${why}`),
    ),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function headOf(suite: string, id: string): string {
  return `    <testcase classname="${xml(suite)}" name="${xml(id)}"`;
}

function skippedCase(suite: string, id: string, why: string): string {
  return `${headOf(suite, id)}><skipped message="${xml(why)}"/></testcase>`;
}

function testCase(result: Result, suite: string, keeping: Keeping): string {
  const { id, verdict, why } = result;
  const { kept = () => true } = keeping;
  const head = headOf(suite, id);
  if (verdict === 'pass') return `${head}/>`;
  if (verdict === 'skip') return skippedCase(suite, id, why);
  const words = xml([`${verdict}: ${why}`, ...framesOf(result, kept)].join('\n'));
  return isFailure(result, keeping)
    ? `${head}><failure type="${verdict}" message="${xml(why)}">${words}</failure></testcase>`
    : `${head}><system-out>${words}</system-out></testcase>`;
}

function framesOf({ evidence }: Result, kept: (trace: string) => boolean): readonly string[] {
  return evidence
    .filter(({ trace }) => kept(trace))
    .map(({ trace, seqs }) => `${trace} ${seqs.map((seq) => `#${seq}`).join(' ')}`);
}
