// A check as JUnit XML: a suite a file, a case a rule and session, as CI systems show tests.
import { isAtLeast, type Severity } from '../finding.ts';
import { counts, type FileReport, type ReportedFinding } from './report.ts';

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

function suite({ file, findings }: FileReport, floor: Severity): string {
  const failures = findings.filter((one) => fails(one, floor)).length;
  const skipped = findings.filter(({ verdict }) => verdict === 'undecidable').length;
  const head = `  <testsuite name="${xml(file)}" tests="${findings.length}" failures="${failures}" errors="0" skipped="${skipped}">`;
  return [head, ...findings.map((one) => testCase(file, one, floor)), '  </testsuite>'].join('\n');
}

function testCase(file: string, finding: ReportedFinding, floor: Severity): string {
  const { rule, session, verdict, severity, seen } = finding;
  const name = session === undefined ? rule : `${rule} (${session})`;
  const head = `    <testcase classname="${xml(file)}" name="${xml(name)}"`;
  if (verdict === 'pass') return `${head}/>`;
  const words = xml(wordsOf(finding));
  const body = fails(finding, floor)
    ? `<failure type="${severity}" message="${xml(seen)}">${words}</failure>`
    : verdict === 'undecidable'
      ? `<skipped message="${xml(seen)}"/>`
      : `<system-out>${words}</system-out>`;
  return `${head}>${body}</testcase>`;
}

function wordsOf({
  severity,
  side,
  seqs,
  pointer,
  seen,
  due,
  source,
  known,
  suppressed,
}: ReportedFinding): string {
  const frames = seqs.map((seq) => `#${seq}`).join(' ');
  return [
    `${severity}, ${side}, ${frames}${pointer === '' ? '' : `, ${pointer}`}`,
    `seen: ${seen}`,
    `due: ${due}`,
    source,
    ...(known ? ['known by the baseline'] : []),
    ...(suppressed === undefined ? [] : [`suppressed: ${suppressed}`]),
  ].join('\n');
}

/** For text and attributes. Characters that XML 1.0 has no way to write become U+FFFD. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');
}
