// What a restore window is: the request, and a branch for each session of its tree, with what came of
// it. The steps from one state of it to the next stand in windows.ts.
import { hasBackground, isBusy, type BackgroundWork } from './activity.ts';
import type { SessionLife } from './life.ts';
import type { Restore, RestoreOutcome } from './restore.ts';
import { isHistory, type ItemKind } from './variants.ts';

/** What windows need to know of a session, as it was before the frame. */
export type WindowSession = SessionLife;

/** What a window holds of one session. Frames are named as their reader names them, ascending. */
export interface Branch<S> {
  /** Of a fork, another one once the session it makes is known. */
  session: S;
  /** The announcement with which a child joined; undefined: it was known before, or is the root. */
  readonly announced: number | undefined;
  /** It was at work before, or something was asked of it meanwhile: what came may be live. */
  busy: boolean;
  /** Its parent's history ended without it: what was told of it by then. Undefined: it had part in that. */
  readonly behind: 'idle' | 'unknown' | undefined;
  /** v2: where it first told in the window that it works. */
  workedAt: number | undefined;
  /** Texts of prompts sent in the window, where nothing else was at work. */
  readonly prompts: string[];
  /** `replay_complete`: its history is whole, whatever becomes of the request. */
  complete: number | undefined;
  /** Updates of messages and tool calls that are replay, and those that may be live. */
  history: number;
  meanwhile: number;
  /** The first and the last that are replay. */
  first: number | undefined;
  last: number | undefined;
  /** v2: the last `state_update` before the answer. */
  state: string | undefined;
  stateAt: number | undefined;
  /** The background work that it listed last in the window. */
  background: readonly BackgroundWork[];
  /** Updates of history after its end, and the last of these and of what another stream brought. */
  late: number;
  lastLate: number | undefined;
}

export interface Window<S> extends Restore {
  readonly id: number;
  readonly request: number;
  readonly root: Branch<S>;
  /** The root and the children that joined, by session. */
  readonly branches: Map<S, Branch<S>>;
  /** Of the root. */
  session: S;
  /** The last frame that belongs to it: its answer, or the exit. -1: it is open. */
  end: number;
  answer: number;
  outcome: RestoreOutcome;
  problem: string | undefined;
  /** Of the whole tree: updates inside it, those that came late, and the last of these. */
  updates: number;
  late: number;
  lastLate: number;
}

/**
 * What an update is to a window. `meanwhile`: it came while the window was open and may be live.
 * `setup`: between the end of the history and the answer.
 */
export interface WindowPlace<S, W extends Window<S>> {
  readonly window: W;
  readonly branch: Branch<S>;
  readonly as: 'replay' | 'meanwhile' | 'setup' | 'late';
  /** Of its history, behind its end, but on another stream than that. */
  readonly isLoose?: true;
  /** The stream that brought it. */
  readonly stream?: string | undefined;
}

export function branchOf<S>(
  session: S,
  announced: number | undefined,
  busy: boolean,
  behind?: Branch<S>['behind'],
): Branch<S> {
  return {
    session,
    announced,
    busy,
    behind,
    workedAt: undefined,
    prompts: [],
    complete: undefined,
    history: 0,
    meanwhile: 0,
    first: undefined,
    last: undefined,
    state: undefined,
    stateAt: undefined,
    background: [],
    late: 0,
    lastLate: undefined,
  };
}

export function end<S>(
  window: Window<S>,
  frame: number,
  outcome: Window<S>['outcome'],
  problem: string | undefined,
): void {
  window.end = frame;
  window.outcome = outcome;
  window.problem = problem;
}

export function isComplete<S>({ branches }: Window<S>, session: S): boolean {
  return branches.get(session)?.complete !== undefined;
}

/** Nothing was asked of it meanwhile, and it lists no work that goes on. */
export function isAtRest<S extends WindowSession>({ method, root }: Window<S>): boolean {
  const { activity } = root.session;
  const isOwn = root.busy || isBusy(activity) || hasBackground(activity);
  return method !== 'session/fork' && !isOwn;
}

/** A child that was at work before may go on with that. */
export function ownsItem<S extends WindowSession>(
  { allowed, root }: Window<S>,
  branch: Branch<S>,
  kind: ItemKind | undefined,
): boolean {
  if (allowed) return branch === root || !branch.busy;
  return isHistory(kind) && !branch.busy && !isBusy(branch.session.activity);
}
