// What came of a scenario, run once or more often: the step that failed, what its assertions saw, and
// the traces that show it; and of a run again, what is different since the one before.
import { judgeAssertion, type Judgement } from '../assert/judge.ts';
import { frameName } from '../assert/places.ts';
import type { RunRecord } from '../assert/record.ts';
import type { ScenarioRun, StepFailure } from '../run.ts';
import type { Assert, Scenario } from '../file/scenario.ts';
import type { Finder } from '../../../model/query/find.ts';
import { diffTraces } from '../../../diff/traces/diff.ts';
import { diffDocument } from '../../../diff/traces/report/document.ts';
import { visibleWords as visible } from '../../../lib/visible-text.ts';
import { textReport } from '../../../report/text.ts';

/** Of an assertion, and of the steps of a run. */
export const ASSERT_WORDS = { pass: 'pass', fail: 'FAIL', undecidable: 'unknown' } as const;

export interface JudgedAssert extends Pick<Judgement, 'verdict' | 'seen'> {
  /** What it is called: its name, else as it is written. */
  readonly title: string;
  readonly source: string;
  /** `#12`, or `c2#12` where the run has several connections. */
  readonly frames: readonly string[];
}

export interface RunReport {
  readonly failure: StepFailure | undefined;
  readonly asserts: readonly JudgedAssert[];
  /** Files, or connections, in order. */
  readonly traces: readonly string[];
  readonly notes: readonly string[];
}

export interface ScenarioReport {
  readonly name: string;
  readonly steps: number;
  readonly runs: readonly RunReport[];
}

/** `traces`: where its record is kept, in the order of its connections. */
export async function runReport(
  run: ScenarioRun,
  scenario: Scenario,
  record: RunRecord,
  traces: readonly string[],
  finder: Finder,
): Promise<RunReport> {
  return {
    failure: run.failure ? withLastWords(run.failure, record) : idleRule(scenario, record),
    asserts: await judgeAll(scenario.asserts, record, finder),
    traces,
    notes: run.notes,
  };
}

/** In their order. */
export async function judgeAll(
  asserts: readonly Assert[],
  record: RunRecord,
  finder: Finder,
): Promise<readonly JudgedAssert[]> {
  const judged: JudgedAssert[] = [];
  for (const { source, name, assertion } of asserts) {
    const { verdict, seen, frames } = await judgeAssertion(assertion, record, finder);
    judged.push({
      ...{ title: name ?? source, source, verdict, seen },
      frames: frames.map((frame) => frameName(frame, record)),
    });
  }
  return judged;
}

/** A rule that no frame met: the scenario tested something else than it says. */
function idleRule({ intercept, steps }: Scenario, { traces }: RunRecord): StepFailure | undefined {
  const acted = new Set(
    traces.flatMap(({ events }) =>
      events.flatMap((event) =>
        event.type === 'intercept' && event.did !== 'off' ? event.rule : [],
      ),
    ),
  );
  const said = steps.map((step) => (step.kind === 'intercept' ? step.by : undefined));
  for (const [at, by] of [intercept, ...said].entries())
    for (const { name } of by?.rules ?? []) {
      const why = `The rule ${name} met no frame, so it was never tested.`;
      if (!acted.has(name))
        return {
          step: at || steps.length,
          what: 'intercept',
          why,
          connection: traces.length,
          seqs: [],
        };
    }
  return undefined;
}

const MOST_WORDS = 300;

/** Where the agent ended, what it wrote to stderr says why more often than its exit does. */
function withLastWords(failure: StepFailure, { traces }: RunRecord): StepFailure {
  const words = failure.ended ? traces.at(-1)?.index.facts().lastWords.join(' / ') : '';
  if (!words) return failure;
  const told = words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)}…` : words;
  return { ...failure, why: `${failure.why} It wrote to stderr: ${told}` };
}

/** Every step was taken, and every assertion holds; what cannot be decided does not. */
export function isRunPassed({ failure, asserts }: RunReport): boolean {
  return failure === undefined && asserts.every(({ verdict }) => verdict === 'pass');
}

export function runRate({ runs }: ScenarioReport): {
  readonly passed: number;
  readonly of: number;
} {
  return { passed: runs.filter(isRunPassed).length, of: runs.length };
}

/** `step 3, expect type:err: No frame matched …`. */
export function stepFailureWords({ step, what, why }: StepFailure): string {
  return step === 0 ? `the handshake: ${why}` : `step ${step}, ${what}: ${why}`;
}

export interface FinishedRun {
  readonly report: RunReport;
  readonly record: RunRecord;
}

interface SinceOptions {
  /** What the runs are called: `run 3`, `run 4`. */
  readonly before: string;
  readonly after: string;
}

/** Lines for a terminal; none: nothing is different. */
export async function sinceLast(
  a: FinishedRun,
  b: FinishedRun,
  options: SinceOptions,
): Promise<string[]> {
  const lines = outcomeLines(a.report, b.report);
  const most = Math.max(a.record.traces.length, b.record.traces.length);
  for (let at = 0; at < most; at++) {
    const [left, right] = [a.record.traces[at], b.record.traces[at]];
    const where = most > 1 ? `, connection ${at + 1}` : '';
    if (left === undefined || right === undefined) {
      const which = left === undefined ? options.after : options.before;
      lines.push(`only ${which} has a connection ${at + 1}`);
      continue;
    }
    const report = await diffTraces(left, right, { view: 'story' });
    if (report.equal) continue;
    lines.push(
      textReport(
        diffDocument(report, {
          left: `${options.before}${where}`,
          right: `${options.after}${where}`,
        }),
      ),
    );
  }
  return lines;
}

function outcomeLines(a: RunReport, b: RunReport): string[] {
  const [was, is] = [a, b].map(({ failure }) => failure && stepFailureWords(failure));
  const steps =
    was === is
      ? []
      : [
          is === undefined
            ? `now pass  steps; before: ${visible(was ?? '')}`
            : `now FAIL  ${visible(is)}`,
        ];
  const asserts = b.asserts.flatMap((now, at) => {
    const before = a.asserts[at];
    if (before === undefined || before.verdict === now.verdict) return [];
    const seen = now.verdict === 'pass' ? `before: ${before.seen}` : now.seen;
    return [visible(`now ${ASSERT_WORDS[now.verdict].padEnd(5)} ${now.title}; ${seen}`)];
  });
  return [...steps, ...asserts];
}
