// A report of the lab as JUnit XML: a suite, and a case a cell.
import { xml } from '../../lib/xml.ts';
import { rateOf, type LabCell, type LabReport } from './report.ts';

export function labJunit(report: LabReport, known: ReadonlySet<string>): string {
  const { agent, protocolVersion, cursors } = report;
  const suite = `acp-scope lab ${agent.name} ${agent.version} v${protocolVersion}`;
  const cases = [
    ...report.cells.map((cell) => ({ ...cell, words: wordsOf(cell) })),
    ...(cursors ? [{ id: 'cursor algebra', ...cursors, words: cursors.why }] : []),
  ];
  const fails = (one: (typeof cases)[number]) => one.verdict === 'fail' && !known.has(one.id);
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
        return `${head}><failure type="fail" message="${why}">${xml(one.words)}</failure></testcase>`;
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
