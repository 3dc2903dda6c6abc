// One cell, tried once: make, stop, restore, compare, ask; and the verdict on it.
import { asSentence } from '../../lib/sentence.ts';
import { LabProblem, type Part } from './part.ts';
import type { Ended } from '../peer.ts';
import { BudgetSpent } from '../prompt-budget.ts';
import type { Axes } from './axes.ts';
import { proofOf } from './evidence.ts';
import { excerptOf } from './excerpt.ts';
import type { LabGround, LabManners } from './ground.ts';
import { judge } from './judge.ts';
import { prepare, type Prepared } from './prepare.ts';
import type { LabRun, LabWord } from './report.ts';
import { restore } from './restored.ts';

/** Throws a `LabProblem` that is final: no other cell can be tried either. */
export async function runCell(
  ground: LabGround,
  manners: LabManners,
  version: 1 | 2,
  axes: Axes,
): Promise<LabRun> {
  const spent = ground.budget.spent;
  let prepared: Prepared | undefined;
  const failed = (verdict: LabWord, why: string, shown?: Part): LabRun => {
    const before = prepared?.part ?? shown;
    return {
      ...NOTHING,
      verdict,
      why: asSentence(why),
      sessionId: prepared?.sessionId,
      stopped: endWords(before?.connection.exit),
      traces: before ? { before: before.connection.trace } : {},
      excerpts: before ? [lastOf(before)] : [],
      prompts: ground.budget.spent - spent,
    };
  };
  try {
    prepared = await prepare(ground, manners, version, axes);
    const after = await restore(ground, manners, version, axes, prepared);
    const proof = await proofOf(axes, prepared, after, () => breath(ground));
    const { restored, fidelity, reconnect, excerpts } = proof;
    const { memory, tools, part } = after;
    const { cut, sessionId } = prepared;
    return {
      ...judge({ version, axes, restored, fidelity, memory, tools, reconnect, cut }),
      sessionId,
      restored,
      fidelity,
      memory,
      tools,
      reconnect,
      stopped: [endWords(prepared.part.connection.exit), cut?.missed].filter(Boolean).join('; '),
      traces: { before: prepared.part.connection.trace, after: part.connection.trace },
      excerpts,
      prompts: ground.budget.spent - spent,
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

function lastOf({ connection }: Part) {
  return excerptOf('before', 'The last frames', connection.heard.slice(-LAST));
}

function endWords(exit: Ended | undefined): string | undefined {
  if (exit === undefined) return undefined;
  return exit.signal ?? exit.problem ?? (exit.code === undefined ? 'unknown' : `exit ${exit.code}`);
}

const LAST = 8;

/** Lets others have their turn. */
function breath({ timers }: LabGround): Promise<void> {
  return new Promise((resolve) => {
    if (timers) timers.later(0, resolve);
    else setTimeout(resolve, 0);
  });
}
