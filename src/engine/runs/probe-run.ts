// Probes asked from the page: the run of drive/probes on agents that the relay starts. What is known
// is kept with each result, so that a run that is cut short has told all it had.
import type { ProbeResult } from '../../drive/probes/probe.ts';
import { type ProbeReport, type ProbedAgent, runProbes } from '../../drive/probes/run.ts';
import type { ProbePlan } from '../../drive/probes/plan.ts';
import { PROBE_WAITS } from '../../drive/probes/world.ts';
import { PROBE_TEXTS } from '../../model/probe-texts.ts';
import { loadRemarks } from '../../rules/steps.ts';
import type { ProbeOrder } from './run-messages.ts';
import type { Run } from './run.ts';

export interface KnownProbes {
  readonly report: ProbeReport;
  /** Ids that wait for their turn. */
  readonly waiting: readonly string[];
  /** Milliseconds, by id; absent: it was kept by an older version. */
  readonly took?: Readonly<Record<string, number>>;
}

/** Resolves with why nothing could be asked, if so. */
export async function askProbes(
  run: Run,
  { version, ids, cursor, texts }: ProbeOrder,
  keep: (known: KnownProbes) => void,
  nameOf: (trace: string) => string,
): Promise<string | undefined> {
  const chosen = new Set(ids);
  const { launcher, environment, budget, name, signal } = run;
  const [work, other] = [await environment.folder('work'), await environment.folder('other')];
  const results: ProbeResult[] = [];
  let planned: { readonly plan: ProbePlan; readonly agent: ProbedAgent } | undefined;
  const known = () => {
    if (!planned) return;
    const { plan, agent } = planned;
    const told = new Map(results.map((result) => [result.id, result]));
    keep({
      report: {
        ...{ agent, rules: [], prompts: budget.spent, connections: 0, stopped: true },
        leftOut: plan.leftOut,
        probes: plan.probes.flatMap(({ id }) => told.get(id) ?? []),
      },
      waiting: plan.probes.map(({ id }) => id).filter((id) => !told.has(id)),
      took: run.took,
    });
  };
  const outcome = await runProbes({
    settings: {
      ...{ launcher, name, budget, cwd: work.path, otherCwd: other.path },
      ...PROBE_WAITS,
      texts: { ...PROBE_TEXTS, ...texts },
      random: environment.token,
      ...(cursor && { cursor }),
    },
    version,
    chosen: (id) => chosen.has(id),
    stop: signal,
    remarksOf: await loadRemarks(),
    nameOf,
    planned(plan, agent) {
      planned = { plan, agent };
      known();
    },
    began: ({ id }) => run.begins(id, planned?.plan.probes.length ?? 0),
    ended(result) {
      // What was under way when it was stopped was not asked.
      if (signal.aborted) return;
      run.measure();
      results.push(result);
      known();
      run.ends();
    },
  });
  if (!outcome.ok) return outcome.message;
  keep({ report: outcome.report, waiting: [], took: run.took });
  return undefined;
}
