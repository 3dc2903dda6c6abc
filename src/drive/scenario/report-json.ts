// A scenario's report as one JSON document.
import { isPassed, rateOf, type ScenarioReport } from './report.ts';

export function jsonReport(report: ScenarioReport): string {
  const rate = rateOf(report);
  return JSON.stringify(
    {
      scenario: report.name,
      passed: rate.passed === rate.of,
      rate,
      runs: report.runs.map((run) => ({
        passed: isPassed(run),
        ...(run.failure && { failure: run.failure }),
        assertions: run.asserts.map(({ source, title, verdict, seen, frames }) => ({
          assert: source,
          ...(title !== source && { name: title }),
          verdict,
          seen,
          frames,
        })),
        traces: run.traces,
        notes: run.notes,
      })),
    },
    undefined,
    2,
  );
}
