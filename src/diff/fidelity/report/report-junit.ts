// A fidelity report as JUnit XML: a suite a trace, a case a replay window.
import { xml } from '../../../lib/xml.ts';
import type { NamedTrace } from './report-text.ts';
import type { FidelityReport, FidelityWindow } from './report.ts';

export function junitReport({ windows }: FidelityReport, traces: readonly NamedTrace[]): string {
  const suites = traces.flatMap(({ connection, file }) => {
    const own = windows.filter((window) => window.connection === connection);
    return own.length === 0 ? [] : [suite(file, own)];
  });
  const unjudged = nothingJudged({ windows });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope fidelity">',
    ...suites,
    ...(unjudged === undefined ? [] : [unjudgedSuite(unjudged)]),
    '</testsuites>',
  ].join('\n');
}

/** Skipped cases alone would look like success. */
function unjudgedSuite(why: string): string {
  const name = 'a replay that can be judged';
  return [
    '  <testsuite name="acp-scope fidelity" tests="1" failures="1" errors="0" skipped="0">',
    `    <testcase classname="acp-scope fidelity" name="${name}"><failure type="undecidable" message="${xml(why)}"/></testcase>`,
    '  </testsuite>',
  ].join('\n');
}

function suite(file: string, windows: readonly FidelityWindow[]): string {
  const failures = windows.filter(fails).length;
  const skipped = windows.filter(({ verdict }) => verdict === 'undecidable').length;
  const head = `  <testsuite name="${xml(file)}" tests="${windows.length}" failures="${failures}" errors="0" skipped="${skipped}">`;
  return [head, ...windows.map((window) => testCase(file, window)), '  </testsuite>'].join('\n');
}

function testCase(file: string, window: FidelityWindow): string {
  const { variant, requestSeq, session, verdict, sentence, differences } = window;
  const name = `${variant} #${requestSeq} (${session})`;
  const head = `    <testcase classname="${xml(file)}" name="${xml(name)}"`;
  if (verdict === 'undecidable') return `${head}><skipped message="${xml(sentence)}"/></testcase>`;
  if (!fails(window)) return `${head}/>`;
  const words = differences
    .filter((one) => one.verdict === 'lossy' || one.verdict === 'corrupt')
    .map(
      ({ verdict: how, item, field, why }) =>
        `${how}: ${item}${field === undefined ? '' : `, ${field}`}: ${why}`,
    );
  return `${head}><failure type="${verdict}" message="${xml(sentence)}">${xml(words.join('\n'))}</failure></testcase>`;
}

/** Why a report says nothing of any replay; undefined: it does. */
export function nothingJudged({ windows }: FidelityReport): string | undefined {
  const due = windows.filter(({ verdict }) => verdict !== 'not due');
  if (due.length === 0 && windows.length > 0) return undefined;
  if (due.some(({ verdict }) => verdict !== 'undecidable')) return undefined;
  const [first] = due;
  const why = first?.sentence.replace(/^It cannot be judged: /, '');
  return why !== undefined
    ? `No replay could be judged: ${why.slice(0, 1).toLowerCase()}${why.slice(1)}`
    : 'No restore is in these traces: there is no replay to compare. Record one with session/load or session/resume.';
}

export function fails({ verdict }: FidelityWindow): boolean {
  return verdict === 'lossy' || verdict === 'corrupt';
}
