// The page's calls about runs that drive an agent, which are loaded with the first of them.
import { lazy } from '../lib/lazy.ts';
import type { Parts } from './parts.ts';
import type { RunsApi } from './run-messages.ts';

export function runsApi(parts: Parts): RunsApi {
  const runs = lazy(async () => new (await import('./runs.ts')).Runs(parts));
  return {
    runTarget: async (...args) => (await runs()).runTarget(...args),
    probeCatalogue: async (...args) => (await runs()).probeCatalogue(...args),
    probePrice: async (...args) => (await runs()).probePrice(...args),
    labAxes: async (...args) => (await runs()).labAxes(...args),
    labPrice: async (...args) => (await runs()).labPrice(...args),
    runProbes: async (...args) => (await runs()).runProbes(...args),
    runLab: async (...args) => (await runs()).runLab(...args),
    rerunPlan: async (...args) => (await runs()).rerunPlan(...args),
    runRerun: async (...args) => (await runs()).runRerun(...args),
    rerunReport: async (...args) => (await runs()).rerunReport(...args),
    cancelRun: async () => (await runs()).cancelRun(),
    keptRuns: async () => (await runs()).keptRuns(),
    removeRun: async (...args) => (await runs()).removeRun(...args),
    restoreRun: async (...args) => (await runs()).restoreRun(...args),
    probeReport: async (...args) => (await runs()).probeReport(...args),
    labReport: async (...args) => (await runs()).labReport(...args),
    labCell: async (...args) => (await runs()).labCell(...args),
    reportText: async (...args) => (await runs()).reportText(...args),
  };
}
