// What came of scenarios: the step that failed, what assertions saw, and the traces that show it.
import { safeJson } from '../../../lib/safe-json.ts';
import {
  ASSERT_WORDS,
  stepFailureWords,
  isRunPassed,
  runRate,
  type JudgedAssert,
  type RunReport,
  type ScenarioReport,
} from './report.ts';
import { count } from '../../../lib/format.ts';
import type {
  Block,
  JUnitCase,
  ReportItem,
  ReportDocument,
  JUnitSuite,
} from '../../../report/document.ts';
import { lines, section, toned } from '../../../report/words.ts';

const TONES = { pass: 'good', fail: 'bad', undecidable: 'info' } as const;

export function scenarioDocument(reports: readonly ScenarioReport[]): ReportDocument {
  const [only] = reports;
  const isOne = reports.length === 1 && only !== undefined;
  const passed = reports.filter(({ runs }) => runs.every(isRunPassed)).length;
  return {
    name: 'acp-scope record',
    title: isOne ? only.name : count(reports.length, 'scenario'),
    untitled: true,
    blocks: isOne
      ? blocksOf(only)
      : [
          ...reports.map((report) => section(report.name, ...blocksOf(report))),
          lines(`${passed} of ${count(reports.length, 'scenario')} passed.`),
        ],
    suites: reports.flatMap(({ name, runs }) =>
      runs.map((run, at) => suiteOf(runs.length > 1 ? `${name}, run ${at + 1}` : name, run)),
    ),
  };
}

function blocksOf(report: ScenarioReport): readonly Block[] {
  const { runs, steps } = report;
  const [only] = runs;
  if (runs.length === 1 && only) return [runBlock(only, steps)];
  const rate = runRate(report);
  return [
    ...runs.map((run, at) =>
      section(
        [
          `Run ${at + 1}: `,
          isRunPassed(run) ? toned('good', ASSERT_WORDS.pass) : toned('bad', ASSERT_WORDS.fail),
        ],
        runBlock(run, steps),
      ),
    ),
    lines(`${rate.passed} of ${rate.of} runs passed.`, ...assertRates(report)),
  ];
}

function runBlock({ failure, asserts, traces }: RunReport, steps: number): Block {
  const first: ReportItem = failure
    ? {
        word: ASSERT_WORDS.fail,
        tone: TONES.fail,
        title: `${stepFailureWords(failure)}${frameWords(failure.seqs.map((seq) => `#${seq}`))}`,
        details: [],
      }
    : { word: ASSERT_WORDS.pass, tone: TONES.pass, title: count(steps, 'step'), details: [] };
  const trace = (title: string): ReportItem => ({
    word: 'trace',
    tone: 'quiet',
    title,
    details: [],
  });
  return { kind: 'items', items: [first, ...asserts.map(assertItem), ...traces.map(trace)] };
}

function assertItem({ verdict, title, seen, frames }: JudgedAssert): ReportItem {
  const told = verdict === 'pass' ? '' : `: ${seen}${frameWords(frames)}`;
  return {
    word: ASSERT_WORDS[verdict],
    tone: TONES[verdict],
    title: `${title}${told}`,
    details: [],
  };
}

function frameWords(frames: readonly string[]): string {
  return frames.length === 0 ? '' : ` (${frames.join(' ')})`;
}

/** Those that did not always hold. */
function assertRates({ runs }: ScenarioReport): readonly string[] {
  const [first] = runs;
  return (first?.asserts ?? []).flatMap(({ title }, at) => {
    const held = runs.filter((run) => run.asserts[at]?.verdict === 'pass').length;
    return held === runs.length ? [] : [`held in ${held} of ${runs.length}: ${title}`];
  });
}

/** A case for the steps of a run and one an assertion. */
function suiteOf(name: string, { failure, asserts, traces, notes }: RunReport): JUnitSuite {
  const steps: JUnitCase = failure
    ? { name: 'steps', outcome: 'fail', type: 'step', message: stepFailureWords(failure) }
    : { name: 'steps', outcome: 'pass' };
  return {
    name,
    cases: [steps, ...asserts.map(assertCase)],
    output: [...traces, ...notes].join('\n'),
  };
}

function assertCase({ title, source, verdict, seen, frames }: JudgedAssert): JUnitCase {
  if (verdict === 'pass') return { name: title, outcome: 'pass' };
  const body = [source, `seen: ${seen}`, frames.join(' ')].join('\n');
  return { name: title, outcome: 'fail', type: verdict, message: seen, body };
}

/** Of assertions that were held against these traces, without a run. */
export function assertionsDocument(
  traces: readonly string[],
  asserts: readonly JudgedAssert[],
): ReportDocument {
  return {
    ...{ name: 'acp-scope query', title: `Assertions about ${traces.join(', ')}`, untitled: true },
    blocks: [{ kind: 'items', items: asserts.map(assertItem) }],
    suites: [{ name: traces.join(', '), cases: asserts.map(assertCase) }],
  };
}

// What came of scenarios as one JSON document.

export function scenariosJson(report: ScenarioReport): string {
  return safeJson(documentOf(report));
}

/** Of several, in order. */
export function jsonReports(reports: readonly ScenarioReport[]): string {
  const scenarios = reports.map(documentOf);
  const passed = scenarios.every((one) => one.passed);
  return safeJson({ passed, scenarios });
}

function documentOf(report: ScenarioReport) {
  const rate = runRate(report);
  return {
    scenario: report.name,
    passed: rate.passed === rate.of,
    rate,
    runs: report.runs.map((run) => ({
      passed: isRunPassed(run),
      ...(run.failure && { failure: run.failure }),
      assertions: assertionsJson(run.asserts),
      traces: run.traces,
      notes: run.notes,
    })),
  };
}

export function assertionsJson(asserts: readonly JudgedAssert[]) {
  return asserts.map(({ source, title, verdict, seen, frames }) => ({
    assert: source,
    ...(title !== source && { name: title }),
    verdict,
    seen,
    frames,
  }));
}
