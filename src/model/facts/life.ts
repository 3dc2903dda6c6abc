// The life of a session on one connection: how the connection came to know the session, whether the session is open
// there, what runs in it, and what ended it.
import { effectOfAnswer, isMethodOf, OPENERS } from '../../acp/methods.ts';
import type { Seq } from '../../trace/event.ts';
import { atRest, type ActivityFacts } from './activity.ts';

/** How a connection came to know a session. Undefined: nobody announced it. */
type SessionOrigin = 'new' | 'load' | 'resume' | 'fork' | 'listed' | 'child' | undefined;

export interface SessionLife {
  origin: SessionOrigin;
  /** The frame that announced it: the answer that made, restored or listed it. */
  announced: Seq | undefined;
  /** Made or restored on this connection, and neither closed nor deleted since. */
  active: boolean;
  /** The newest frame that made or restored the session; undefined if none did on this connection. */
  opened: Seq | undefined;
  /** The first frame that made the session on this connection. */
  made: Seq | undefined;
  /** The newest list with it. */
  listed: Seq | undefined;
  /** The answers to `session/close` and `session/delete`, until it is restored. */
  closed: Seq | undefined;
  deleted: Seq | undefined;
  readonly activity: ActivityFacts;
}

/** The life of a session that a frame names for the first time. */
export function unknownLife(): SessionLife {
  return {
    origin: undefined,
    announced: undefined,
    active: false,
    opened: undefined,
    made: undefined,
    listed: undefined,
    closed: undefined,
    deleted: undefined,
    activity: atRest(),
  };
}

const ORIGINS = {
  'session/new': 'new',
  'session/load': 'load',
  'session/resume': 'resume',
  'session/fork': 'fork',
} as const;

/** The answer to a request of the client: `life` is that of the session that it made, else of the one it was about. */
export function answerLife(
  life: SessionLife,
  method: string,
  error: { readonly code: number } | undefined,
  seq: Seq,
): void {
  if (error === undefined && isMethodOf(OPENERS, method))
    return openLife(life, ORIGINS[method], seq);
  const effect = effectOfAnswer(method, error);
  if (effect === 'closes') life.closed = seq;
  else if (effect === 'deletes') life.deleted = seq;
  else return;
  life.active = false;
  rest(life);
  const { activity } = life;
  // Prompts that are not in are still answered.
  activity.prompts = activity.prompts.filter(({ isIn }) => !isIn);
  activity.turn = activity.prompts.at(-1)?.turn ?? 0;
  activity.own = activity.began = undefined;
  activity.cancelled = false;
}

/** The process is gone: no answer comes, and what became of its work nobody knows. */
export function endLife(life: SessionLife): void {
  life.active = false;
  for (const prompt of life.activity.prompts) prompt.isIn = true;
  rest(life);
}

/** Another process of the agent starts, in which nothing of the earlier one runs. */
export function restartLife(life: SessionLife): void {
  endLife(life);
  Object.assign(life.activity, {
    ...{ prompts: [], own: undefined, began: undefined, turn: 0, cancelled: false, restores: 0 },
  } satisfies Partial<ActivityFacts>);
}

/** No work goes on. What is restored later reports anew. */
function rest({ activity }: SessionLife): void {
  if (activity.state !== 'idle') activity.state = undefined;
  activity.background = undefined;
}

/** An answer to `session/list` names it. */
export function listLife(life: SessionLife, seq: Seq): void {
  life.origin ??= 'listed';
  life.announced ??= seq;
  life.listed = seq;
}

/** The client made it, or restored it. */
export function isOrdinary({ origin }: SessionLife): boolean {
  return origin !== undefined && origin !== 'child' && origin !== 'listed';
}

/** Deleted, and neither restored nor listed since. */
export function isDeleted({ deleted, listed }: SessionLife): boolean {
  return deleted !== undefined && (listed === undefined || listed < deleted);
}

/** The session is open from this frame on. */
export function openLife(life: SessionLife, origin: SessionOrigin, seq: Seq): void {
  life.origin = origin;
  life.announced ??= seq;
  life.active = true;
  life.opened = seq;
  if (origin === 'new' || origin === 'fork') life.made ??= seq;
  life.closed = life.deleted = undefined;
}
