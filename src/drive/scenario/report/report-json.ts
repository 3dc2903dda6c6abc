// What came of scenarios as one JSON document.
import { isPassed, rateOf, type ScenarioReport } from './report.ts';

export function jsonReport(report: ScenarioReport): string {
  return JSON.stringify(documentOf(report), undefined, 2);
}

/** Of several, in order. */
export function jsonReports(reports: readonly ScenarioReport[]): string {
  const scenarios = reports.map(documentOf);
  const passed = scenarios.every((one) => one.passed);
  return JSON.stringify({ passed, scenarios }, undefined, 2);
}

function documentOf(report: ScenarioReport) {
  const rate = rateOf(report);
  return {
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
  };
}
