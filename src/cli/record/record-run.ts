// One run of a scenario from the command line: agents, their records, and what is to be said of them.
import { version } from '../../../package.json';
import { recordOf, type RunRecord } from '../../drive/scenario/assert/record.ts';
import { runReport, type RunReport } from '../../drive/scenario/report/report.ts';
import { runScenario } from '../../drive/scenario/run.ts';
import type { Scenario } from '../../drive/scenario/file/scenario.ts';
import { loadRemarks } from '../../rules/steps.ts';
import { ScenarioLauncher, traceName } from './scenario-launcher.ts';
import { readTrace } from '../parts/trace-files.ts';
import { nodePatterns } from '../parts/node-patterns.ts';

export interface RunWish {
  readonly scenario: Scenario;
  readonly argv: readonly string[];
  readonly out: string;
  /** Its record is wanted although nothing asserts. */
  readonly isCompared?: boolean;
}

export type RunDone =
  | {
      readonly ok: true;
      readonly report: RunReport;
      readonly record: RunRecord;
    }
  /** The agent cannot be started: a sentence. */
  | { readonly ok: false; readonly message: string };

/** Says on stderr what was written. `run`: from 1, for the names of the files. `stop` ends its agents. */
export async function runOnce(wish: RunWish, run: number, stop: AbortSignal): Promise<RunDone> {
  const { scenario, argv, out, isCompared } = wish;
  const note = (text: string) => console.error(text);
  const launcher = new ScenarioLauncher(argv, (at) => traceName(out, run, at), note);
  const end = () => launcher.endAll();
  stop.addEventListener('abort', end);
  const done = await runScenario(scenario, {
    launcher,
    name: { name: 'acp-scope', version, title: 'ACP Scope' },
    cwd: process.cwd(),
    patterns: nodePatterns,
    stop,
  });
  stop.removeEventListener('abort', end);
  const files = await launcher.written();
  if (done.problem !== undefined) return { ok: false, message: done.problem };
  for (const { path, events } of files) console.error(`${path}: ${events} events.`);
  const { asserts } = scenario;
  const remarks = asserts.some(({ source }) => /finding|sev:/.test(source))
    ? await loadRemarks()
    : undefined;
  const isLookedAt = asserts.length > 0 || isCompared === true;
  const traces = !isLookedAt ? [] : await Promise.all(files.map(({ path }) => readTrace(path)));
  const record = recordOf(traces, remarks);
  const paths = files.map(({ path }) => path);
  const report = await runReport(done, asserts, record, paths, nodePatterns);
  return { ok: true, report, record };
}
