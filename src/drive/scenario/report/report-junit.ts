// What came of scenarios as JUnit XML: a suite a run, a case for its steps and one an assertion.
import { xml } from '../../../lib/xml.ts';
import { failureWords, type JudgedAssert, type RunReport, type ScenarioReport } from './report.ts';

export function junitReport(reports: readonly ScenarioReport[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope record">',
    ...reports.flatMap(({ name, runs }) =>
      runs.map((run, at) => suite(runs.length > 1 ? `${name}, run ${at + 1}` : name, run)),
    ),
    '</testsuites>',
  ].join('\n');
}

function suite(name: string, run: RunReport): string {
  const bad = run.asserts.filter(({ verdict }) => verdict !== 'pass').length;
  const failures = bad + (run.failure ? 1 : 0);
  const told = [...run.traces, ...run.notes].join('\n');
  return [
    `  <testsuite name="${xml(name)}" tests="${run.asserts.length + 1}" failures="${failures}" errors="0" skipped="0">`,
    stepsCase(name, run),
    ...run.asserts.map((one) => assertCase(name, one)),
    `    <system-out>${xml(told)}</system-out>`,
    '  </testsuite>',
  ].join('\n');
}

function stepsCase(name: string, { failure }: RunReport): string {
  const head = `    <testcase classname="${xml(name)}" name="steps"`;
  if (!failure) return `${head}/>`;
  const words = xml(failureWords(failure));
  return `${head}><failure type="step" message="${words}"/></testcase>`;
}

function assertCase(name: string, { title, source, verdict, seen, frames }: JudgedAssert): string {
  const head = `    <testcase classname="${xml(name)}" name="${xml(title)}"`;
  if (verdict === 'pass') return `${head}/>`;
  const body = xml([source, `seen: ${seen}`, frames.join(' ')].join('\n'));
  return `${head}><failure type="${verdict}" message="${xml(seen)}">${body}</failure></testcase>`;
}
