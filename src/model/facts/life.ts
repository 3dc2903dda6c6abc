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
  /** True once the client sent a prompt in the session on this connection. */
  prompted: boolean;
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
    prompted: false,
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

/** A request of the client about the session. */
export function askLife(life: SessionLife, method: string, seq: Seq): void {
  if (method !== 'session/prompt') return;
  life.prompted = true;
  life.activity.prompts.push(seq);
}

/** The request waits no more: it was answered, or never reached the agent. */
export function settleLife({ activity }: SessionLife, asked: Seq): void {
  if (activity.prompts.length > 0)
    activity.prompts = activity.prompts.filter((prompt) => prompt !== asked);
}

/** The answer to a request of the client: `life` is that of the session that it made, else of the one it was about. */
export function answerLife(
  life: SessionLife,
  { method, asked }: { readonly method: string; readonly asked: Seq },
  error: { readonly code: number } | undefined,
  seq: Seq,
): void {
  settleLife(life, asked);
  if (error === undefined && isMethodOf(OPENERS, method))
    return openLife(life, ORIGINS[method], seq);
  const effect = effectOfAnswer(method, error);
  if (effect === 'closes') life.closed = seq;
  else if (effect === 'deletes') life.deleted = seq;
  else return;
  life.active = false;
  rest(life);
}

/** The process is gone: no answer comes, and what became of its work nobody knows. */
export function endLife(life: SessionLife): void {
  life.active = false;
  life.activity.prompts = [];
  rest(life);
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
