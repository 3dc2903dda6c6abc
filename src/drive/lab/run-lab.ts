// The resume lab from end to end: look at the agent, plan, count the cost, try every cell, and report.
import { worstWord, type VerdictWord } from '../verdict.ts';
import { proofOf, heardExcerpt } from './evidence.ts';
import {
  type LabEnvironment,
  type LabFolder,
  type LabSettings,
  labWord,
  promptFor,
} from './environment.ts';
import { judgeCell } from './judge.ts';
import {
  LabProblem,
  openPart,
  type LabPart,
  type LabTry,
  deleteSessions,
  tracePart,
} from './part.ts';
import { labPlan, type LabPlan, type LabWish, type PlannedCell, isOtherVersion } from './plan.ts';
import { mustTurn, newSession, prepare, type PreparedSession } from './prepare.ts';
import type { LabAgent, LabCell, LabCursors, LabReport, LabRun } from './report.ts';
import { restore, customCursor } from './restored.ts';
import { whyNoResult } from '../heard.ts';
import { endWords } from '../peer.ts';
import { BudgetSpent } from '../prompt-budget.ts';
import { defined } from '../../lib/defined.ts';
import { asSentence } from '../../lib/sentence.ts';
import { FROM_START } from '../../acp/replay-cursors.ts';
import type { Json } from '../../acp/message.ts';
import { cursorLaws, itemsIn, type CursorAsked, type CursorReplay } from './cursor-algebra.ts';
import { replayedItems, type ReplayedItem } from '../replayed-items.ts';
import { stripOf } from './cursor-strip.ts';

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

/** Of a report, why not all was tried. */
export const STOPPED = 'Stopped before all was tried.';

async function cursorsOf(
  environment: LabEnvironment,
  settings: LabSettings,
): Promise<LabCursors | undefined> {
  const nothing = { laws: [], strip: { columns: [], rows: [] } };
  try {
    return await runCursors(environment, settings);
  } catch (error) {
    if (error instanceof BudgetSpent) return { ...nothing, verdict: 'skip', why: error.message };
    if (error instanceof LabProblem)
      return { ...nothing, verdict: 'fail', why: asSentence(error.message) };
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
      stopped: before?.connection.exit && endWords(before.connection.exit),
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
    const { exit } = prepared.part.connection;
    return {
      ...judgeCell({ version, axes, restored, fidelity, memory, tools, reconnect, cut }),
      sessionId,
      restored,
      fidelity,
      memory,
      tools,
      reconnect,
      stopped: [exit && endWords(exit), cut?.missed].filter(Boolean).join('; '),
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

const LAST = 8;

/** Lets others have their turn. */
function breath({ timers }: LabEnvironment): Promise<void> {
  return new Promise((resolve) => {
    if (timers) timers.later(0, resolve);
    else setTimeout(resolve, 0);
  });
}

/** How many messages are asked from. */
const SAMPLE = 4;
/** So many rejected at first, and the agent takes none. */
const REJECTED = 2;

/** Throws `LabProblem`, and `BudgetSpent`. */
async function runCursors(environment: LabEnvironment, settings: LabSettings): Promise<LabCursors> {
  const folder = await environment.folder('cursors');
  const { path: cwd } = folder;
  const sessionId = await history({ environment, settings }, folder);
  const from = (label: string, cursor: Json) =>
    withPart({ environment, settings }, label, async (part): Promise<CursorReplay> => {
      const { connection } = part;
      const params = { sessionId, cwd, mcpServers: [], replayFrom: cursor };
      const answered = await connection.request('session/resume', params);
      await connection.quiet(settings.quiet, settings.quiet * 10);
      const { trace, requestSeq } = answered;
      if (answered.result === undefined)
        return { trace, requestSeq, rejected: whyNoResult(answered, part.connection.exit) };
      const items = replayedItems(tracePart(part, 'after'));
      if (label === 'end') await deleteSessions(part, [sessionId]);
      return { trace, requestSeq, items };
    });
  const start = await from('start', FROM_START);
  const cursors: CursorAsked[] = [];
  for (const names of sampleOf(itemsIn(start) ?? [])) {
    if (cursors.length === REJECTED && cursors.every(({ first }) => 'rejected' in first)) break;
    const cursor = customCursor(names, settings);
    const first = await from('cursor', cursor);
    const again = await from('cursor', cursor);
    cursors.push({ names, cursor: JSON.stringify(cursor), first, again });
  }
  const end = await from('end', FROM_START);
  const laws = cursorLaws({ start, cursors, end });
  const broken = laws.filter(({ verdict }) => verdict === 'fails');
  const taken = cursors.some(({ first }) => 'items' in first);
  const verdict: VerdictWord = broken.length > 0 ? 'fail' : taken ? 'pass' : 'info';
  const why =
    broken.length > 0
      ? broken.map(({ law, why }) => `${law}: ${why}`).join('; ')
      : taken
        ? 'All laws of cursors hold.'
        : 'It takes no cursor that names a message.';
  return { laws, strip: stripOf({ start, cursors, end }), verdict, why };
}

/** Does something with an agent of its own, which then ends. */
async function withPart<T>(
  how: Pick<LabTry, 'environment' | 'settings'>,
  label: string,
  work: (part: LabPart) => Promise<T>,
): Promise<T> {
  const part = await openPart({ ...how, version: 2 }, label);
  try {
    return await work(part);
  } finally {
    if (part.connection.exit === undefined) await part.connection.leave();
  }
}

function history(
  { environment, settings }: Pick<LabTry, 'environment' | 'settings'>,
  folder: LabFolder,
) {
  return withPart({ environment, settings }, 'history', async (part) => {
    const { sessionId } = await newSession(part, 2, folder, []);
    for (const turn of [1, 2]) {
      const text = promptFor(settings.prompt, labWord(environment.token()));
      await mustTurn(part, sessionId, text, turn);
    }
    return sessionId;
  });
}

/** Ids of messages from end to end. */
function sampleOf(items: readonly ReplayedItem[]): readonly string[] {
  const ids = items.flatMap(({ id, kind }) =>
    id !== undefined && (kind === 'user' || kind === 'agent') ? [id] : [],
  );
  if (ids.length <= SAMPLE) return ids;
  const step = (ids.length - 1) / (SAMPLE - 1);
  return Array.from({ length: SAMPLE }, (_, i) => ids[Math.round(i * step)] ?? '');
}
