// The page's calls about runs that drive an agent, which are loaded with the first of them.
import { lazy } from '../../lib/lazy.ts';
import type { Parts } from '../parts.ts';
import type { RerunApi } from './rerun-messages.ts';
import type { RunsApi } from './run-messages.ts';
import type { ScenarioApi } from './scenario-messages.ts';

export interface AllRunsApi extends RunsApi, RerunApi, ScenarioApi {}

const CALLS: Readonly<Record<keyof AllRunsApi, true>> = {
  runTarget: true,
  probeCatalogue: true,
  probePrice: true,
  labAxes: true,
  labPrice: true,
  runProbes: true,
  runLab: true,
  lendTrace: true,
  rerunPlan: true,
  runRerun: true,
  rerunReport: true,
  rerunText: true,
  ruleProblem: true,
  scenarioPlan: true,
  scenarioWords: true,
  scenarioFrom: true,
  runScenario: true,
  scenarioReport: true,
  cancelRun: true,
  keptRuns: true,
  removeRun: true,
  restoreRun: true,
  probeReport: true,
  labReport: true,
  labCell: true,
  reportText: true,
};

export function runsApi(parts: Parts): AllRunsApi {
  const runs = lazy(async () => new (await import('./runs.ts')).Runs(parts));
  const later =
    (name: keyof AllRunsApi) =>
    async (...args: unknown[]) => {
      const made: AllRunsApi = await runs();
      return Reflect.apply(made[name], made, args) as unknown;
    };
  const names = Object.keys(CALLS) as (keyof AllRunsApi)[];
  // Each is the call of its name, with its arguments as they came.
  return Object.fromEntries(names.map((name) => [name, later(name)])) as unknown as AllRunsApi;
}
