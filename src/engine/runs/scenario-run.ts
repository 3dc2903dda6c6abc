// A scenario from the page: the run of drive/scenario on agents that the relay starts, once or more
// often. What is known is kept with each step.
import {
  ASSERTION_CALLS,
  CALL_TAKES,
  QUERY_FIELDS,
} from '../../drive/scenario/assert/assertion-words.ts';
import { scenarioFrom } from '../../drive/scenario/file/from-trace.ts';
import { promptCount } from '../../drive/scenario/file/scenario.ts';
import { readScenario } from '../../drive/scenario/file/read.ts';
import { recordOf, remarksFor, type RawTrace } from '../../drive/scenario/assert/record.ts';
import {
  runReport,
  type RunReport,
  type ScenarioReport,
} from '../../drive/scenario/report/report.ts';
import { STOPPED } from '../../drive/lab/run-lab.ts';
import { runScenario } from '../../drive/scenario/run.ts';
import { FAULTS, HEAD, LIST_DOCS, STEPS } from '../../drive/scenario/file/table.ts';
import type { StepField, StepShape } from '../../drive/scenario/file/shape.ts';
import { doneWords, stepWords } from '../../drive/scenario/report/words.ts';
import { ACTIONS } from '../../drive/intercept/table.ts';
import type { Launcher } from '../../drive/peer.ts';
import { connectionId, seq, type ConnectionId } from '../../trace/event.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { Run } from './run.ts';
import type {
  ScenarioEvidence,
  ScenarioMoment,
  ScenarioPlan,
  ScenarioReportView,
  ScenarioRunView,
  ScenarioWords,
} from './scenario-messages.ts';
import type { ScenarioWord } from '../../drive/scenario/assert/assertion-words.ts';

export interface KnownScenario {
  readonly view: Omit<ScenarioReportView, 'id' | 'at' | 'agent' | 'version'>;
  /** Of the runs that are over. */
  readonly report: ScenarioReport;
}

const UNNAMED = 'A scenario without a name';

/** As assertions and a scenario made from it read it. `startedAt`: ISO 8601, of one that the relay recorded. */
export function rawTrace({ lines }: OpenTrace, startedAt: string | undefined): RawTrace {
  return {
    events: lines.all(),
    began: startedAt === undefined ? undefined : Date.parse(startedAt),
  };
}

/** As `acp-scope convert` writes it. */
export function scenarioTextOf(traces: readonly RawTrace[], name: string): string {
  return `${JSON.stringify(scenarioFrom(recordOf(traces).traces, { name }), undefined, 2)}\n`;
}

export function scenarioPlan(text: string): ScenarioPlan {
  const read = readScenario(text);
  if (!read.ok) return read;
  const { scenario } = read;
  return {
    ok: true,
    name: scenario.name,
    steps: scenario.steps.map(stepWords),
    asserts: scenario.asserts.length,
    done: doneWords(scenario.steps),
    prompts: promptCount(scenario),
    warnings: read.warnings,
  };
}

export function scenarioWords(): ScenarioWords {
  const fields = (all: Readonly<Record<string, StepField>>) =>
    Object.entries(all).map(([name, field]) => wordOf(name, field));
  const shapes: Readonly<Record<string, StepShape>> = STEPS;
  const wordsOf = (table: Readonly<Record<string, StepShape>>) => {
    const all = Object.entries(table).flatMap(([kind, { main, more }]) => [
      wordOf(kind, main),
      ...fields(more),
    ]);
    return [...new Map(all.map((word) => [word.name, word])).values()];
  };
  return {
    head: [
      ...fields(HEAD),
      ...Object.entries(LIST_DOCS).map(([name, doc]): ScenarioWord => ({ name, doc, values: [] })),
    ],
    steps: Object.fromEntries(
      Object.entries(shapes).map(([kind, { doc, main, more }]) => [
        kind,
        { doc, fields: [wordOf(kind, main), ...fields(more)] },
      ]),
    ),
    ...{ calls: ASSERTION_CALLS, takes: CALL_TAKES, fields: QUERY_FIELDS },
    faults: wordsOf(FAULTS),
    rules: wordsOf(ACTIONS),
  };
}

function wordOf(name: string, { kind, doc }: StepField): ScenarioWord {
  const values =
    kind.is === 'choice'
      ? kind.of.map((value) => JSON.stringify(value))
      : kind.is === 'flag'
        ? ['true', 'false']
        : kind.is === 'true'
          ? ['true']
          : [];
  return { name, doc, values };
}

/** `rawOf`: all that is known of a connection. Resolves with why nothing could be tried, if so. */
export async function tryScenario(
  run: Run,
  { text, repeat, cwd }: { readonly text: string; readonly repeat: number; readonly cwd: string },
  rawOf: (connection: ConnectionId) => RawTrace,
  keep: (known: KnownScenario) => void,
): Promise<string | undefined> {
  const read = readScenario(text);
  if (!read.ok) return read.problems[0]?.message ?? 'This is no scenario.';
  const { scenario } = read;
  const name = scenario.name ?? UNNAMED;
  const steps = scenario.steps.map(stepWords);
  const views: ScenarioRunView[] = [];
  const reports: RunReport[] = [];
  const known = (now: ScenarioRunView | undefined, ended?: string) =>
    keep({
      view: { name, text, steps, repeat, ended, runs: now ? [...views, now] : [...views] },
      report: { name, steps: steps.length, runs: [...reports] },
    });
  const remarks = await remarksFor(scenario.asserts.map(({ assertion }) => assertion));
  for (let nth = 1; nth <= repeat && !run.signal.aborted; nth++) {
    const traces: ConnectionId[] = [];
    const moments: ScenarioMoment[] = [];
    const began = Date.now();
    const moment = () => {
      const events = traces.flatMap((trace) => rawOf(trace).events);
      const frames = events.filter(({ type }) => type === 'frame').length;
      moments.push({ ms: Date.now() - began, frames });
    };
    const under = (at: number): ScenarioRunView => ({
      ...{ traces: [...traces], moments: [...moments], at, isOver: false, failure: undefined },
      ...{ asserts: [], notes: [] },
    });
    const launcher = launcherOf(run, repeat > 1 ? `run ${nth}` : '', (trace) => {
      traces.push(trace);
      known(under(0));
    });
    const done = await runScenario(scenario, {
      ...{ launcher, cwd, name: run.name, finder: run.finder, stop: run.signal },
      step(at) {
        run.begins(steps[at - 1] ?? '', repeat * steps.length);
        moment();
        known(under(at));
        run.ends();
      },
    });
    if (done.problem !== undefined) return done.problem;
    moment();
    const record = recordOf(traces.map(rawOf), remarks);
    const report = await runReport(done, scenario, record, traces, run.finder);
    reports.push(report);
    views.push({ ...overOf(report, traces, steps.length), moments });
    known(undefined);
    run.grows();
  }
  known(undefined, run.signal.aborted ? STOPPED : undefined);
  return undefined;
}

function launcherOf(run: Run, prefix: string, started: (trace: ConnectionId) => void): Launcher {
  return {
    async launch(wish) {
      const label = [prefix, wish.label.replace('scenario-', 'connection ')];
      const launched = await run.launcher.launch({
        ...wish,
        label: label.filter((part) => part !== '').join(', '),
      });
      if (!launched.ok) return launched;
      started(connectionId(launched.agent.trace));
      return { ok: true, agent: run.metered(launched.agent) };
    },
  };
}

function overOf(
  { failure, asserts, notes }: RunReport,
  traces: readonly ConnectionId[],
  steps: number,
): ScenarioRunView {
  const evidence = (at: number, seqs: ScenarioEvidence['seqs']): ScenarioEvidence[] => {
    const trace = traces[at - 1];
    return trace === undefined || seqs.length === 0 ? [] : [{ trace, seqs }];
  };
  return {
    ...{ traces, isOver: true, notes, at: failure?.step ?? steps },
    failure: failure && {
      step: failure.step,
      why: failure.why,
      evidence: evidence(failure.connection, failure.seqs),
    },
    asserts: asserts.map(({ frames, ...rest }) => ({
      ...rest,
      // `#12`, or `c2#12` of the second connection.
      evidence: frames.flatMap((frame) => {
        const [, at = '1', number] = /^(?:c(\d+))?#(\d+)$/.exec(frame) ?? [];
        return number === undefined ? [] : evidence(Number(at), [seq(Number(number))]);
      }),
    })),
  };
}
