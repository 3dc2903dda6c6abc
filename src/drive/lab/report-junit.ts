// A report of the lab as JUnit XML: a suite, and a case a cell.
import { xml } from '../../lib/xml.ts';
import { isFailure, type Judging } from '../baseline.ts';
import { agentWords, judgedIn, rateOf, type LabCell, type LabReport } from './report.ts';

export function labJunit(report: LabReport, judging: Judging = {}): string {
  const { agent, protocolVersion } = report;
  const suite = `acp-scope lab ${agentWords(agent)} v${protocolVersion}`;
  const cases = judgedIn(report).map((one) => ({
    ...one,
    words: 'runs' in one ? wordsOf(one) : one.why,
  }));
  const fails = (one: (typeof cases)[number]) => isFailure(one, judging);
  const failures = cases.filter(fails).length;
  const skipped = cases.filter(({ verdict }) => verdict === 'skip').length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope lab">',
    `  <testsuite name="${xml(suite)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">`,
    ...cases.map((one) => {
      const head = `    <testcase classname="${xml(suite)}" name="${xml(one.id)}"`;
      const why = xml(one.why);
      if (fails(one))
        return `${head}><failure type="${one.verdict}" message="${why}">${xml(one.words)}</failure></testcase>`;
      if (one.verdict === 'skip') return `${head}><skipped message="${why}"/></testcase>`;
      return one.verdict === 'pass'
        ? `${head}/>`
        : `${head}><system-out>${xml(one.words)}</system-out></testcase>`;
    }),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function wordsOf(cell: LabCell): string {
  const { passed, of } = rateOf(cell);
  return [
    `${cell.verdict}: ${cell.why}`,
    `${passed} of ${of} runs did not fail`,
    ...cell.runs.flatMap(({ traces }) => Object.values(traces)),
  ].join('\n');
}
