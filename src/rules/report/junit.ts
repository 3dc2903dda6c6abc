// A check as JUnit XML: a suite a file, a case a rule and session, as CI systems show tests.
import { xml } from '../../lib/xml.ts';
import { isAtLeast, type Severity } from '../finding.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import { counts, type FileReport, type ReportedFinding, type Unread } from './report.ts';
import { saidOf } from './said.ts';

/** Findings below `floor` fail no case; they are told in its output. */
export function junitReport(files: readonly FileReport[], floor: Severity): string {
  const suites = files.map((file) => suite(file, floor));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope check">',
    ...suites,
    '</testsuites>',
  ].join('\n');
}

function fails(finding: ReportedFinding, floor: Severity): boolean {
  return finding.verdict === 'fail' && counts(finding) && isAtLeast(finding.severity, floor);
}

function suite({ file, against, findings, unread }: FileReport, floor: Severity): string {
  if (unread.some(({ line }) => line === undefined)) return unreadSuite(file, unread);
  const failures = findings.filter((one) => fails(one, floor)).length;
  const skipped = findings.filter(({ verdict }) => verdict === 'undecidable').length;
  const head = `  <testsuite name="${xml(file)}" tests="${findings.length}" failures="${failures}" errors="0" skipped="${skipped}">`;
  const cases = findings.map((one) => testCase(file, against.edition, one, floor));
  const told = unread.map(({ line, problem }) => `line ${line}: ${problem}; not checked`);
  const err = told.length > 0 ? [`    <system-err>${xml(told.join('\n'))}</system-err>`] : [];
  return [head, ...cases, ...err, '  </testsuite>'].join('\n');
}

function unreadSuite(file: string, unread: readonly Unread[]): string {
  const words = unread.map(({ problem }) => problem).join('\n');
  return [
    `  <testsuite name="${xml(file)}" tests="1" failures="0" errors="1" skipped="0">`,
    `    <testcase classname="${xml(file)}" name="reading the file"><error message="${xml(words)}"/></testcase>`,
    '  </testsuite>',
  ].join('\n');
}

function testCase(
  file: string,
  edition: EditionId,
  finding: ReportedFinding,
  floor: Severity,
): string {
  const { rule, session, verdict, severity, seen } = finding;
  const name = session === undefined ? rule : `${rule} (${session})`;
  const head = `    <testcase classname="${xml(file)}" name="${xml(name)}"`;
  if (verdict === 'pass') return `${head}/>`;
  const words = xml(wordsOf(finding, edition));
  const body = fails(finding, floor)
    ? `<failure type="${severity}" message="${xml(seen)}">${words}</failure>`
    : verdict === 'undecidable'
      ? `<skipped message="${xml(seen)}"/>`
      : `<system-out>${words}</system-out>`;
  return `${head}>${body}</testcase>`;
}

function wordsOf(finding: ReportedFinding, edition: EditionId): string {
  const { rule, severity, side, seqs, pointer, seen, due, source, known, suppressed } = finding;
  const frames = seqs.map((seq) => `#${seq}`).join(' ');
  return [
    `${severity}, ${side}, ${frames}${pointer === '' ? '' : `, ${pointer}`}`,
    `seen: ${seen}`,
    `due: ${due}`,
    `says: ${saidOf(rule, edition)}`,
    source,
    ...(known ? ['known by the baseline'] : []),
    ...(suppressed === undefined ? [] : [`suppressed: ${suppressed}`]),
  ].join('\n');
}
