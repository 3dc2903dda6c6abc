// The resume lab from end to end: look at the agent, plan, count the cost, try every cell, and report.
import { worstWord, type VerdictWord } from '../verdict.ts';
import { runCursors } from './cursor-run.ts';
import { proofOf, heardExcerpt } from './evidence.ts';
import type { LabEnvironment, LabSettings } from './environment.ts';
import { judgeCell } from './judge.ts';
import { LabProblem, openPart, type LabPart, type LabTry } from './part.ts';
import { labPlan, type LabPlan, type LabWish, type PlannedCell, isOtherVersion } from './plan.ts';
import { prepare, type PreparedSession } from './prepare.ts';
import {
  type LabAgent,
  type LabCell,
  type LabCursors,
  type LabReport,
  type LabRun,
} from './report.ts';
import { restore } from './restored.ts';
import type { Ended } from '../peer.ts';
import { BudgetSpent } from '../prompt-budget.ts';
import { defined } from '../../lib/defined.ts';
import { asSentence } from '../../lib/sentence.ts';

export interface LabInput {
  readonly wish: LabWish;
  readonly settings: LabSettings;
  /** Undefined: the highest that the agent speaks. */
  readonly protocol: 1 | 2 | undefined;
}

interface LabWatch {
  /** Before any prompt is sent. False: nothing is tried. */
  planned(plan: LabPlan, agent: LabAgent): Promise<boolean> | boolean;
  /** A run is about to begin. */
  begins(cell: PlannedCell, run: number, done: number, of: number): void;
  ends(cell: PlannedCell, run: LabRun): void;
  /** From then on, nothing more is tried. */
  readonly signal: AbortSignal;
}

/** Throws a `LabProblem` where no cell can be tried. */
export async function runLab(
  environment: LabEnvironment,
  { wish, settings, protocol }: LabInput,
  watch: LabWatch,
): Promise<LabReport> {
  const { version, agent, offered } = await look(environment, settings, protocol);
  const plan = labPlan(version, offered, wish);
  const { base, repeat, cost } = plan;
  const cells: LabCell[] = [];
  const report = (cursors: LabCursors | undefined, ended: string | undefined): LabReport => ({
    agent,
    protocolVersion: version,
    base,
    repeat,
    cost,
    promptsSent: environment.budget.spent,
    cells,
    cursors,
    ended,
  });
  if (!(await watch.planned(plan, agent))) return report(undefined, 'Not begun.');
  const tried = plan.cells.filter(({ skip }) => skip === undefined).length;
  let done = 0;
  for (const cell of plan.cells) {
    const runs: LabRun[] = [];
    for (let run = 1; cell.skip === undefined && run <= repeat; run++) {
      watch.begins(cell, run, done++, tried * repeat);
      const made = await runCell({ environment, settings, version, axes: cell.axes }).catch(
        (error: unknown) => {
          // What is known is told, unless nothing is.
          const isKnown = done > 1 || watch.signal.aborted;
          if (error instanceof LabProblem && isKnown) return error;
          throw error;
        },
      );
      if (!watch.signal.aborted && !(made instanceof LabProblem)) {
        watch.ends(cell, made);
        runs.push(made);
        continue;
      }
      if (runs.length > 0) cells.push(cellOf(cell, runs));
      return report(
        undefined,
        made instanceof LabProblem && !watch.signal.aborted ? made.message : STOPPED,
      );
    }
    cells.push(cellOf(cell, runs));
  }
  const cursors = plan.cursors ? await cursorsOf(environment, settings) : undefined;
  if (watch.signal.aborted) return report(undefined, STOPPED);
  const isTried = [...cells, cursors].some((one) => one && one.verdict !== 'skip');
  return report(cursors, isTried ? undefined : untriedWhy(plan));
}

const STOPPED = 'Stopped before all was tried.';

async function cursorsOf(
  environment: LabEnvironment,
  settings: LabSettings,
): Promise<LabCursors | undefined> {
  const nothing = { laws: [], strip: { columns: [], rows: [] } };
  try {
    return await runCursors(environment, settings);
  } catch (error) {
    if (error instanceof BudgetSpent) return { ...nothing, verdict: 'skip', why: error.message };
    if (error instanceof LabProblem) return { ...nothing, verdict: 'fail', why: error.message };
    throw error;
  }
}

/** What its runs come to; of a cell that cannot be tried, why. */
export function cellOf({ id, axes, skip }: PlannedCell, runs: readonly LabRun[]): LabCell {
  if (skip !== undefined) {
    return { id, axes, verdict: 'skip', why: asSentence(skip), runs: [] };
  }
  const verdict = worstWord(runs.map((run) => run.verdict));
  const why = runs.find((run) => run.verdict === verdict)?.why ?? '';
  return { id, axes, verdict, why, runs };
}

async function look(
  environment: LabEnvironment,
  settings: LabSettings,
  protocol: 1 | 2 | undefined,
) {
  const { connection, offered } = await greeted({ environment, settings }, protocol);
  await connection.leave();
  const version = connection.version ?? 1;
  if (protocol !== undefined && version !== protocol)
    throw new LabProblem(
      `The agent speaks v${version}, not v${protocol}. Run again with --protocol ${version}.`,
      true,
    );
  const {
    name = 'an agent without a name',
    version: release = '',
    title,
  } = connection.handshake?.agent ?? {};
  return { offered, version, agent: { name, ...defined({ title }), version: release } };
}

/** Some agents of v1 do not answer the question of v2. */
async function greeted(
  how: Pick<LabTry, 'environment' | 'settings'>,
  protocol: 1 | 2 | undefined,
): Promise<LabPart> {
  const open = (version: 1 | 2) => openPart({ ...how, version }, 'look');
  // No cell can be tried then.
  const isFinal = (error: unknown): never => {
    throw error instanceof LabProblem ? new LabProblem(error.message, true) : error;
  };
  return open(protocol ?? 2).catch((error: unknown) => {
    const isAgain = error instanceof LabProblem && !error.isFinal && protocol === undefined;
    return isAgain ? open(1).catch(isFinal) : isFinal(error);
  });
}

// Why a run of the lab tried no cell: a run that tried nothing must not look like one that found
// nothing.

/** A sentence. */
function untriedWhy({ version, cells }: LabPlan): string {
  const variants = [...new Set(cells.map(({ axes }) => axes.variant))];
  if (variants.every((variant) => isOtherVersion(version, variant))) {
    const other = version === 1 ? 2 : 1;
    const named = variants.join(', ');
    return `Nothing was tried: --variant ${named} is of v${other}, and this run speaks v${version}. Run again with --protocol ${other}.`;
  }
  const reasons = cells.flatMap(({ skip }) => (skip === undefined ? [] : [skip]));
  if (reasons.length === cells.length)
    return `Nothing was tried: ${[...new Set(reasons)].join('; ')}.`;
  return 'Nothing was tried: a cell takes more prompts than may be sent.';
}

// One cell, tried once: make, stop, restore, compare, ask; and the verdict on it.

/** Throws a `LabProblem` that is final: no other cell can be tried either. */
async function runCell(tried: LabTry): Promise<LabRun> {
  const { environment, version, axes } = tried;
  const spent = environment.budget.spent;
  let prepared: PreparedSession | undefined;
  const failed = (verdict: VerdictWord, why: string, shown?: LabPart): LabRun => {
    const before = prepared?.part ?? shown;
    return {
      ...NOTHING,
      verdict,
      why: asSentence(why),
      sessionId: prepared?.sessionId,
      stopped: endWords(before?.connection.exit),
      traces: before ? { before: before.connection.trace } : {},
      excerpts: before ? [lastOf(before)] : [],
      prompts: environment.budget.spent - spent,
    };
  };
  try {
    prepared = await prepare(tried);
    const after = await restore(tried, prepared);
    const proof = await proofOf(axes, prepared, after, () => breath(environment));
    const { restored, fidelity, reconnect, excerpts } = proof;
    const { memory, tools, part } = after;
    const { cut, sessionId } = prepared;
    return {
      ...judgeCell({ version, axes, restored, fidelity, memory, tools, reconnect, cut }),
      sessionId,
      restored,
      fidelity,
      memory,
      tools,
      reconnect,
      stopped: [endWords(prepared.part.connection.exit), cut?.missed].filter(Boolean).join('; '),
      traces: { before: prepared.part.connection.trace, after: part.connection.trace },
      excerpts,
      prompts: environment.budget.spent - spent,
    };
  } catch (error) {
    if (error instanceof BudgetSpent) return failed('skip', error.message);
    if (!(error instanceof LabProblem) || error.isFinal) throw error;
    return failed('fail', error.message, error.part);
  }
}

const NOTHING = {
  restored: undefined,
  fidelity: undefined,
  memory: undefined,
  tools: undefined,
  reconnect: undefined,
} as const;

function lastOf({ connection }: LabPart) {
  return heardExcerpt('before', 'The last frames', connection.heard.slice(-LAST));
}

function endWords(exit: Ended | undefined): string | undefined {
  if (exit === undefined) return undefined;
  return exit.signal ?? exit.problem ?? (exit.code === undefined ? 'unknown' : `exit ${exit.code}`);
}

const LAST = 8;

/** Lets others have their turn. */
function breath({ timers }: LabEnvironment): Promise<void> {
  return new Promise((resolve) => {
    if (timers) timers.later(0, resolve);
    else setTimeout(resolve, 0);
  });
}
