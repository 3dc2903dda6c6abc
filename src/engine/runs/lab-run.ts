// The resume lab from the page: the run of drive/lab on agents that the relay starts, in folders that
// the relay makes. What is known is kept with each cell.
import { LAB_DEFAULTS } from '../../drive/lab/environment.ts';
import { LabProblem } from '../../drive/lab/part.ts';
import type { LabPlan, PlannedCell } from '../../drive/lab/plan.ts';
import type { LabAgent, LabReport, LabRun } from '../../drive/lab/report.ts';
import { cellOf, runLab, STOPPED } from '../../drive/lab/run-lab.ts';
import type { LabOrder } from './run-messages.ts';
import type { Run } from './run.ts';

export interface KnownLab {
  readonly report: LabReport;
  /** Cells that wait for their turn. */
  readonly waiting: readonly PlannedCell[];
  /** Milliseconds, by id; absent: it was kept by an older version. */
  readonly took?: Readonly<Record<string, number>>;
}

/** Resolves with why nothing could be tried, if so. */
export async function tryLab(
  run: Run,
  { version, values, only, repeat, cursors, cursor, texts }: LabOrder,
  keep: (known: KnownLab) => void,
): Promise<string | undefined> {
  const { launcher, environment, budget, name, signal } = run;
  const runs = new Map<string, LabRun[]>();
  let planned: { readonly plan: LabPlan; readonly agent: LabAgent } | undefined;
  const known = (ended: string | undefined) => {
    if (!planned) return;
    const { plan, agent } = planned;
    const isTold = ({ id, skip }: PlannedCell) => skip !== undefined || runs.has(id);
    keep({
      report: {
        ...{ agent, protocolVersion: plan.version, base: plan.base, repeat, cost: plan.cost },
        ...{ promptsSent: budget.spent, cursors: undefined, ended },
        cells: plan.cells.filter(isTold).map((cell) => cellOf(cell, runs.get(cell.id) ?? [])),
      },
      waiting: plan.cells.filter((cell) => !isTold(cell)),
      took: run.took,
    });
  };
  try {
    const report = await runLab(
      { ...environment, launcher, budget, name },
      {
        wish: { values, only, full: false, repeat, cursors },
        settings: { ...LAB_DEFAULTS, ...texts, cursor },
        protocol: version,
      },
      {
        signal,
        planned(plan, agent) {
          planned = { plan, agent };
          known(STOPPED);
          return true;
        },
        begins: ({ id }, _run, _done, of) => run.begins(id, of),
        ends({ id }, made) {
          run.measure();
          runs.set(id, [...(runs.get(id) ?? []), made]);
          known(STOPPED);
          run.ends();
        },
      },
    );
    keep({ report, waiting: [], took: run.took });
    return undefined;
  } catch (error) {
    if (!(error instanceof LabProblem)) throw error;
    if (!planned) return error.message;
    known(signal.aborted ? STOPPED : error.message);
    return signal.aborted ? undefined : error.message;
  }
}
