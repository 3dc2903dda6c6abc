// Assertions held against trace files, as a scenario holds them against its run.
import { parseAssertion } from '../../drive/scenario/assert/assertion.ts';
import { recordOf } from '../../drive/scenario/assert/record.ts';
import type { Assert } from '../../drive/scenario/file/scenario.ts';
import { assertionsDocument, assertionsJson } from '../../drive/scenario/report/document.ts';
import { judgeAll } from '../../drive/scenario/report/report.ts';
import { safeJson } from '../../lib/safe-json.ts';
import { loadRemarks } from '../../rules/steps.ts';
import { EXIT } from '../command.ts';
import { nodeFinder } from '../parts/node-finder.ts';
import { printReport, type ReportFormat } from '../parts/print-report.ts';
import { readTrace } from '../parts/trace-files.ts';
import { tellProblem } from './problem.ts';

/** The files are one run, a connection each. The exit status; throws FileError. */
export async function holdAssertions(
  files: readonly string[],
  sources: readonly string[],
  format: ReportFormat,
): Promise<number> {
  const asserts: Assert[] = [];
  for (const source of sources) {
    const read = parseAssertion(source, 'recorded');
    for (const told of read.ok ? read.warnings : [read.problem]) tellProblem(source, told);
    if (read.ok) asserts.push({ source, name: undefined, assertion: read.assertion });
  }
  if (asserts.length < sources.length) return EXIT.usage;
  const traces = [];
  for (const file of files) traces.push(await readTrace(file));
  const judged = await judgeAll(asserts, recordOf(traces, await loadRemarks()), nodeFinder);
  const passed = judged.every(({ verdict }) => verdict === 'pass');
  printReport(
    format,
    () => assertionsDocument(files, judged),
    () => safeJson({ passed, files, assertions: assertionsJson(judged) }),
  );
  return passed ? EXIT.ok : EXIT.failed;
}
