// A report of the lab as JUnit XML: a suite, and a case a cell. A run that ended before all was tried
// is an error.
import { xml } from '../../lib/xml.ts';
import { isFailure, type Judging } from '../baseline.ts';
import { agentWords, judgedIn, rateOf, type LabCell, type LabReport } from './report.ts';

export function labJunit(report: LabReport, judging: Judging = {}): string {
  const { agent, protocolVersion, ended } = report;
  const suite = `acp-scope lab ${agentWords(agent)} v${protocolVersion}`;
  const cases = judgedIn(report).map((one) => ({
    ...one,
    words: 'runs' in one ? wordsOf(one) : one.why,
  }));
  const fails = (one: (typeof cases)[number]) => isFailure(one, judging);
  const failures = cases.filter(fails).length;
  const skipped = cases.filter(({ verdict }) => verdict === 'skip').length;
  const errors = ended === undefined ? 0 : 1;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope lab">',
    `  <testsuite name="${xml(suite)}" tests="${cases.length + errors}" failures="${failures}" errors="${errors}" skipped="${skipped}">`,
    ...(ended === undefined ? [] : [errorCase(suite, ended)]),
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

function errorCase(suite: string, ended: string): string {
  return `    <testcase classname="${xml(suite)}" name="the run"><error type="ended" message="${xml(ended)}"/></testcase>`;
}

function wordsOf(cell: LabCell): string {
  const { passed, of } = rateOf(cell);
  return [
    `${cell.verdict}: ${cell.why}`,
    `${passed} of ${of} runs did not fail`,
    ...cell.runs.flatMap(({ traces }) => Object.values(traces)),
  ].join('\n');
}
