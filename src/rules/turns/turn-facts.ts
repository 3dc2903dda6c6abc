// Where the work of a session stands: prompts that wait, what the agent reports of its foreground and
// of its background, what it said since, and whether the client cancelled.
import { get, str } from '../../acp/json.ts';
import { isFinal, sessionIdOf } from '../../acp/update.ts';
import type { Millis } from '../../lib/time.ts';
import { refusedBy, streamOf, type Seq } from '../../trace/event.ts';
import { type Version, ASKS } from '../../acp/methods.ts';
import { type Connection, type EarlierRequest, type Session, fact } from '../connection.ts';
import {
  onAnswer,
  onEnd,
  onNotification,
  onOrphan,
  onRequest,
  onTransport,
  onUpdate,
} from '../listen.ts';
import type { FrameStep, UpdateStep } from '../steps.ts';
import type { Fold } from '../rule.ts';
import { isReplay, toolCalls } from '../work/tool-facts.ts';
import { hasBackground, listsToolCall } from '../../model/facts/activity.ts';
import { endsTurn } from '../../model/facts/turns.ts';

/** A frame of the client that ends work, and the output of the agent after it. */
export interface Cancel {
  readonly seq: Seq;
  readonly at: Millis;
  readonly by: 'session/cancel' | 'session/close';
  /** True once the agent answered it, so that it has read it. */
  isRead?: true;
  /** The first output that the agent sent after it can have read the cancel; undefined if none was sent. */
  output?: Seq;
  /** The last output that may have crossed the cancel. */
  crossed?: Seq;
}

/** A prompt and its answer. */
interface Answered {
  readonly prompt: Seq;
  readonly answer: Seq;
}

/** A prompt that waits for its answer. */
export interface Prompt {
  readonly asked: EarlierRequest;
  /** v2: foreground work went on when it was sent. */
  readonly busy: boolean;
  /** No other prompt of the session waited at any time while it did. */
  alone: boolean;
  /**
   * v1: later turns that began and ended one after the other while it waited. Emptied if the agent speaks while no
   * other prompt waits.
   */
  passedBy: readonly Answered[];
  /** A prompt that was sent after a long silence of the agent, while this one waited. */
  retry: Seq | undefined;
  cancel: Cancel | undefined;
  /** v2: some user message came since it was sent, which may be its echo. */
  echoed: boolean;
}

interface TurnEnded {
  readonly seq: Seq;
  readonly cancelled: boolean;
  /** The id of the last message that the agent spoke before it. */
  readonly message: string | undefined;
}

export interface TurnRecord {
  /** Oldest first. */
  open: Prompt[];
  /** The last answer that ended a turn of v1, and the last idle that ended work of v2. */
  ended: TurnEnded | undefined;
  /** What the client sent to end the work that goes on now. */
  cancel: Cancel | undefined;
  /** The last `session/cancel`, whatever became of it. */
  cancelled: Seq | undefined;
  /** v2: the last report of the state; undefined: nothing was reported. */
  stateSeq: Seq | undefined;
  /** v2: a prompt was inserted since the last report, which does not yet say that work goes on. */
  inserted: Seq | undefined;
  /** v2: where the agent first spoke without the report that was due before. */
  early: Seq | undefined;
  /** The last output of the agent, and the last message it spoke in. */
  output: Seq | undefined;
  message: string | undefined;
  /** Tool calls that have no final status, by where they were named. */
  readonly tools: Map<string, Seq>;
  /** Permission requests and forms that wait for the client. */
  asking: number;
}

export const turnOf = fact<Session, TurnRecord>(() => ({
  open: [],
  ended: undefined,
  cancel: undefined,
  cancelled: undefined,
  stateSeq: undefined,
  inserted: undefined,
  early: undefined,
  output: undefined,
  message: undefined,
  tools: new Map(),
  asking: 0,
}));

/** Updates in which an agent speaks. */
export const SPEECH = [
  'agent_message',
  'agent_message_chunk',
  'agent_thought',
  'agent_thought_chunk',
] as const;
/** Updates in which an agent speaks or works. */
export const OUTPUT = [
  ...SPEECH,
  'tool_call',
  'tool_call_update',
  'tool_call_content_chunk',
] as const;
export const USER = ['user_message', 'user_message_chunk'] as const;

/** Milliseconds in which what one side sends may cross what the other sends. */
const CROSSING = 250;

/** What is sent at `at` may have crossed what the other side sent `before`: where nobody knows the times, it may. */
export function mayCross(before: Millis, at: Millis): boolean {
  return !(at - before >= CROSSING);
}

/** Stores output of work that was cancelled. */
export function noteOutput(cancel: Cancel, { seq, at }: Pick<UpdateStep, 'seq' | 'at'>): void {
  if (!cancel.isRead && mayCross(cancel.at, at)) cancel.crossed = seq;
  else cancel.output ??= seq;
}

/** Milliseconds without a frame of the agent after which a client may take its turn for lost. */
const LOST = 30_000;

/**
 * True if the agent has sent nothing for long, and waits for no answer in this session. Without times it may have been
 * silent.
 */
export function isSilent(
  { asked }: Prompt,
  at: Millis,
  { last, open }: Pick<Connection, 'last' | 'open'>,
): boolean {
  for (const { session } of open.of('agent')) if (session === asked.session) return false;
  return !(at - Math.max(last.agent?.at ?? 0, asked.at) < LOST);
}

/** Foreground work goes on, as the session reported last. */
export function isWorking({ activity }: Session): boolean {
  return activity.began !== undefined;
}

/** Output that may come while the foreground is idle or blocked: background work tells of itself. */
export function mayBeBackground({ item, itemId, session: { activity } }: UpdateStep): boolean {
  if (!hasBackground(activity)) return false;
  return item !== 'tool' || itemId === undefined || listsToolCall(activity, itemId);
}

/**
 * A `state_update` that reports anew, rather than inside a replay window. Of a child that worked before,
 * nobody can tell in the restore of its parent.
 */
export function isLiveState({ window, place }: UpdateStep): boolean {
  return window === undefined && (place === undefined || place.branch === place.window.root);
}

/** A `state_update` that ends foreground work. The turn is as it was before. */
export function endsWork(step: UpdateStep): boolean {
  const { activity } = step.session;
  return (
    isLiveState(step) &&
    endsTurn(step.update, activity.began !== undefined, activity.prompts.length > 0)
  );
}

export const turnFold: Fold = [
  onRequest(['session/prompt'], ({ asked, session, from, seq, at }, connection) => {
    if (session === undefined || from !== 'client') return;
    const turn = turnOf.of(session);
    const alone = turn.open.length === 0;
    // If several wait, they were marked before.
    const [first] = turn.open;
    if (first !== undefined) first.alone = false;
    const silent = turn.open.find((prompt) => isSilent(prompt, at, connection));
    if (silent) silent.retry ??= seq;
    const busy = isWorking(session);
    const fresh = { cancel: undefined, echoed: false, passedBy: [], retry: undefined };
    turn.open.push({ asked, busy, alone, ...fresh });
  }),
  onAnswer(['session/prompt'], ({ asked, session, result, seq }, { version }) => {
    if (session === undefined) return;
    const turn = turnOf.of(session);
    const place = turn.open.findIndex((prompt) => prompt.asked === asked);
    const [prompt] = place < 0 ? [] : turn.open.splice(place, 1);
    for (const earlier of turn.open.slice(0, Math.max(place, 0))) {
      const last = earlier.passedBy.at(-1)?.answer ?? 0;
      if (asked.seq > last)
        earlier.passedBy = [...earlier.passedBy, { prompt: asked.seq, answer: seq }];
    }
    if (version === 2) {
      const isIn = result !== undefined && session.closed === undefined;
      if (isIn && isFresh(session, asked)) turn.inserted ??= seq;
      return;
    }
    if (turn.open.length > 0) return;
    const { message } = turn;
    turn.ended = { seq, cancelled: prompt?.cancel !== undefined, message };
    turn.cancel = undefined;
    turn.tools.clear();
  }),
  onTransport(({ fact: said }, { sessions }) => {
    const { of } = refusedBy(said) ?? {};
    for (const session of of ? sessions.values() : []) {
      const turn = turnOf.of(session);
      turn.open = turn.open.filter(({ asked }) => asked.seq !== of);
    }
  }),
  onNotification(['session/cancel'], ({ session, from, seq, at }, { version }) => {
    if (session === undefined || from !== 'client') return;
    turnOf.of(session).cancelled = seq;
    cancel(session, { seq, at, by: 'session/cancel' }, version);
  }),
  onRequest(['session/close'], ({ session, from, seq, at }, { version }) => {
    if (session === undefined || from !== 'client') return;
    cancel(session, { seq, at, by: 'session/close' }, version);
  }),
  // What an ended process left open is over in the next one.
  onEnd(({ exit }, { sessions }) => {
    for (const session of exit ? sessions.values() : []) {
      const turn = turnOf.of(session);
      forget(turn);
      turn.open = [];
      turn.ended = turn.cancelled = undefined;
    }
  }),
  onAnswer(['session/close'], (step) => {
    const { session, seq } = step;
    if (session) readCancel(session, 'session/close', step);
    if (session?.closed === seq) forget(turnOf.of(session));
  }),
  // Some agents answer the notification, with an error.
  onOrphan((step, { last: { client }, sessions }) => {
    const { message } = step;
    if (step.from !== 'agent' || message.kind !== 'failure' || message.id.type !== 'null') return;
    if (client?.message.kind !== 'notification' || client.message.method !== 'session/cancel')
      return;
    const session = sessions.get(sessionIdOf(client.message.params) ?? '');
    if (session) readCancel(session, 'session/cancel', step);
  }),
  onUpdate(USER, (step) => {
    if (isReplay(step)) return;
    const turn = turnOf.of(step.session);
    const [prompt] = turn.open;
    if (prompt && isFresh(step.session, prompt.asked)) turn.inserted ??= step.seq;
    for (const open of turn.open) open.echoed = true;
  }),
  onUpdate(OUTPUT, (step, { version }) => {
    if (!isReplay(step)) spoke(turnOf.of(step.session), step, version);
  }),
  onUpdate(['state_update'], (step) => reported(turnOf.of(step.session), step)),
  onRequest(ASKS, ({ session, from }) => {
    if (session && from === 'agent') turnOf.of(session).asking++;
  }),
  onAnswer(ASKS, ({ session, asked }) => {
    if (session && asked.from === 'agent') turnOf.of(session).asking--;
  }),
];

/** Nothing was reported since it was sent, so that its work is yet to be reported. */
function isFresh(session: Session, { seq }: EarlierRequest): boolean {
  return !isWorking(session) && (turnOf.of(session).stateSeq ?? 0) < seq;
}

/** v2 has nothing to cancel while it is idle, but prompts that are not inserted. */
function cancel(session: Session, made: Cancel, version: number | undefined): void {
  const turn = turnOf.of(session);
  for (const prompt of turn.open) prompt.cancel ??= made;
  const active = version === 2 ? isWorking(session) : turn.open.length > 0;
  if (active) turn.cancel ??= made;
}

/** The agent answered what cancelled the work. Other streams may bring earlier output later. */
function readCancel(session: Session, by: Cancel['by'], { frame }: FrameStep): void {
  if (streamOf(frame) !== undefined) return;
  const { cancel: its, open } = turnOf.of(session);
  for (const one of [its, ...open.map((prompt) => prompt.cancel)])
    if (one?.by === by) one.isRead = true;
}

/** What is restored later reports anew. */
function forget(turn: TurnRecord): void {
  turn.stateSeq = turn.inserted = turn.early = turn.cancel = undefined;
  turn.tools.clear();
}

function spoke(turn: TurnRecord, step: UpdateStep, version: Version | undefined): void {
  const { seq, item, itemId } = step;
  turn.output = seq;
  const [only] = turn.open;
  if (only && turn.open.length === 1) only.passedBy = [];
  if (!mayBeBackground(step))
    for (const { cancel: its } of [turn, ...turn.open]) if (its) noteOutput(its, step);
  if (item !== 'tool') turn.message = itemId;
  else if (itemId !== undefined) {
    if (!isOpen(step, itemId, version)) turn.tools.delete(itemId);
    else if (!turn.tools.has(itemId)) turn.tools.set(itemId, seq);
  }
  if (isUnreported(step)) turn.early ??= seq;
}

/** Whether a tool call has no final status after an update. What says nothing of it leaves it as it was. */
function isOpen(
  { update, session, variant }: UpdateStep,
  id: string,
  version: Version | undefined,
): boolean {
  const status = get(update, 'status');
  const clears = variant === 'tool_call' || (status === null && version === 2);
  if (typeof status === 'string' || clears) return !isFinal(str(update, 'status'));
  return toolCalls.of(session).get(id)?.final === undefined;
}

/** Output that should have a report of foreground work before it, and has none. */
export function isUnreported(step: UpdateStep): boolean {
  if (mayBeBackground(step)) return false;
  const turn = turnOf.of(step.session);
  if (step.session.activity.own === 'requires_action') {
    // A tool call that the user refused may end before anything goes on.
    if (step.item === 'tool' && isFinal(str(step.update, 'status'))) return false;
    return turn.asking === 0 && turn.cancel === undefined;
  }
  return turn.inserted !== undefined && !isWorking(step.session);
}

function reported(turn: TurnRecord, step: UpdateStep): void {
  const { update, seq, session } = step;
  const state = str(update, 'state');
  if (state === undefined) return;
  const cancelled = str(update, 'stopReason') === 'cancelled';
  if (endsWork(step)) turn.ended = { seq, cancelled, message: turn.message };
  if (state === 'idle') {
    turn.cancel = undefined;
    turn.tools.clear();
  }
  // A report of the same state does not answer for a prompt that was inserted since.
  if (
    state !== 'idle' ||
    session.activity.own !== 'idle' ||
    get(update, 'stopReason') !== undefined
  )
    turn.inserted = undefined;
  turn.early = undefined;
  turn.stateSeq = seq;
}
