// The one definition of a turn, in the frames of one connection. A turn of v1 lasts from a prompt to its
// answer. In v2 the answer only says that the prompt is in: its turn lasts until the agent says that
// its foreground work is over. Several prompts may share a turn, and the agent may begin one itself.
import { str } from '../../acp/json.ts';
import type { Failure, JsonObject, Message, Success } from '../../acp/message.ts';
import { sessionIdOf, updateOf } from '../../acp/update.ts';
import { MAKERS, RESTORES, isMethodOf } from '../../acp/methods.ts';
import type { Frame, Seq } from '../../trace/event.ts';
import {
  isAtWork,
  tellState,
  type ActivityFacts,
  type SentPrompt,
  type TurnPrompt,
} from './activity.ts';
import { Exchanges } from './exchanges.ts';
import { HandshakeFold } from './handshake.ts';
import { answerLife, unknownLife, type SessionLife } from './life.ts';

interface Ended {
  /** Of the turns of the connection, from 1, in the order they began. */
  readonly number: number;
  /** The prompts that are done with; none: the agent began it by itself. */
  readonly prompts: readonly TurnPrompt[];
  /** Where it began: v1 with its prompt; v2 where work was told to go on, if that was told. */
  readonly began: Seq;
  /** The frame that ended it. */
  readonly seq: Seq;
  readonly reason: string | undefined;
  /** Of a prompt that was refused. */
  readonly error: Failure['error'] | undefined;
}

export interface TurnEnd extends Ended {
  readonly sessionId: string;
}

/**
 * A `state_update` ends a turn: work that went on is over, or the update says why work ended whose begin was never
 * told. `isPrompted`: a prompt waits for the end of its turn.
 */
export function endsTurn(update: JsonObject, isWorking: boolean, isPrompted: boolean): boolean {
  if (str(update, 'state') !== 'idle') return false;
  return isWorking || (isPrompted && str(update, 'stopReason') !== undefined);
}

/** The number of the turn that a session is in; 0: in none, or its history is told. */
export function turnNumber({ turn, restores }: ActivityFacts): number {
  return restores > 0 ? 0 : turn;
}

/** Numbers the turns of a connection and ends them. Its fields are kept with an index. */
export class Turns {
  /** How many turns have begun. */
  count = 0;
  /** How many frames ended a turn. */
  ends = 0;
  readonly hello: Pick<HandshakeFold, 'chosen' | 'isOver'>;

  constructor(hello: Pick<HandshakeFold, 'chosen' | 'isOver'>) {
    this.hello = hello;
  }

  /** A request of the client that names the session. */
  asked(activity: ActivityFacts, asked: TurnPrompt): void {
    const { method } = asked.request;
    if (isMethodOf(RESTORES, method)) activity.restores++;
    if (method !== 'session/prompt') return;
    activity.prompted = true;
    // In v1 each prompt is a turn of its own.
    if (activity.turn === 0 || this.hello.chosen === 1) activity.turn = ++this.count;
    const { prompts, began, cancelled, turn } = activity;
    prompts.push({ asked, turn, held: began !== undefined, isNext: cancelled, isIn: false });
  }

  /** The answer to such a request. */
  answered(
    activity: ActivityFacts,
    asked: TurnPrompt,
    seq: Seq,
    answer: Success | Failure,
  ): Ended | undefined {
    const { method } = asked.request;
    if (isMethodOf(RESTORES, method)) this.restored(activity);
    if (method !== 'session/prompt') return undefined;
    const error = answer.kind === 'failure' ? answer.error : undefined;
    const reason = answer.kind === 'success' ? str(answer.result, 'stopReason') : undefined;
    const own = activity.prompts.find((prompt) => prompt.asked.seq === asked.seq);
    if (error === undefined && reason === undefined && this.hello.chosen !== 1) {
      if (own) own.isIn = true;
      return undefined;
    }
    const number = own?.turn ?? activity.turn;
    withdraw(activity, asked.seq);
    if (activity.prompts.length === 0) activity.cancelled = false;
    this.ends++;
    return { number, prompts: [asked], began: asked.seq, seq, reason, error };
  }

  /** Such a request that the agent never got. */
  refused(activity: ActivityFacts, { request, seq }: TurnPrompt): void {
    if (isMethodOf(RESTORES, request.method)) this.restored(activity);
    withdraw(activity, seq);
  }

  /** A `state_update` of the session. */
  told(activity: ActivityFacts, seq: Seq, update: JsonObject): Ended | undefined {
    const { began, prompts } = activity;
    const isOver = endsTurn(update, began !== undefined, prompts.length > 0);
    const state = str(update, 'state');
    tellState(activity, update);
    if (state !== undefined) {
      activity.own = state;
      activity.began = isAtWork(state) ? (began ?? seq) : undefined;
    }
    if (activity.restores > 0) return undefined;
    if (activity.turn === 0 && (isOver || activity.began !== undefined))
      activity.turn = ++this.count;
    if (!isOver) return undefined;
    const number = activity.turn;
    const reason = str(update, 'stopReason');
    const isLater = ({ held, isIn, isNext }: SentPrompt) =>
      (held && !isIn) || (isNext && reason === 'cancelled');
    const over = prompts.filter((prompt) => !isLater(prompt)).map((prompt) => prompt.asked);
    activity.prompts = prompts.filter(isLater);
    activity.turn = activity.prompts.length > 0 ? ++this.count : 0;
    for (const prompt of activity.prompts) {
      prompt.held = prompt.isNext = false;
      prompt.turn = activity.turn;
    }
    activity.cancelled = false;
    const first = began ?? over[0]?.seq ?? seq;
    this.ends++;
    return { number, prompts: over, began: first, seq, reason, error: undefined };
  }

  /** Work that was told to go on then is a turn, whose begin this connection has not seen. */
  private restored(activity: ActivityFacts): void {
    activity.restores--;
    if (activity.restores === 0 && activity.turn === 0 && activity.began !== undefined)
      activity.turn = ++this.count;
  }
}

/** The client sent `session/cancel`. */
export function cancelTurn(activity: ActivityFacts): void {
  if (activity.began !== undefined || activity.prompts.length > 0) activity.cancelled = true;
}

/** The prompt is done with. */
function withdraw(activity: ActivityFacts, seq: Seq): void {
  activity.prompts = activity.prompts.filter(({ asked }) => asked.seq !== seq);
  if (activity.began === undefined) activity.turn = activity.prompts.at(-1)?.turn ?? 0;
}

/** The turns of frames that nobody else reads. */
export class TurnReader {
  readonly #exchanges = new Exchanges<TurnPrompt>();
  readonly #hello = new HandshakeFold();
  readonly #turns = new Turns(this.#hello);
  readonly #lives = new Map<string, SessionLife>();

  /** Returns the prompts and the work that run in a session after the newest frame. */
  of(sessionId: string): ActivityFacts {
    return this.#life(sessionId).activity;
  }

  /** What the frame ends. Given are all frames from the first on. */
  take({ seq, from }: Pick<Frame, 'seq' | 'from'>, message: Message): TurnEnd | undefined {
    if (message.kind === 'invalid') return undefined;
    if (message.kind === 'success' || message.kind === 'failure') {
      const asked = from === 'agent' ? this.#exchanges.answer(from, message.id) : undefined;
      return asked && this.#answered(asked, seq, message);
    }
    const { method, params } = message;
    const sessionId = sessionIdOf(params);
    if (message.kind === 'request' && from === 'client') {
      const asked = { from, seq, request: message };
      this.#exchanges.ask(asked);
      if (sessionId !== undefined) this.#turns.asked(this.of(sessionId), asked);
    }
    if (message.kind === 'request' || sessionId === undefined) return undefined;
    if (from === 'client' && method === 'session/cancel') cancelTurn(this.of(sessionId));
    const found = from === 'agent' && method === 'session/update' && updateOf(params);
    if (!found || found.variant !== 'state_update') return undefined;
    const end = this.#turns.told(this.of(sessionId), seq, found.update);
    return end && { ...end, sessionId };
  }

  #answered(asked: TurnPrompt, seq: Seq, answer: Success | Failure): TurnEnd | undefined {
    const { method, params } = asked.request;
    if (method === 'initialize') this.#hello.answer(asked, answer, seq);
    const sessionId = sessionIdOf(params);
    if (sessionId === undefined) return undefined;
    const life = this.#life(sessionId);
    const error = answer.kind === 'failure' ? answer.error : undefined;
    if (!isMethodOf(MAKERS, method)) answerLife(life, method, error, seq);
    const end = this.#turns.answered(life.activity, asked, seq, answer);
    return end && { ...end, sessionId };
  }

  #life(sessionId: string): SessionLife {
    const known = this.#lives.get(sessionId) ?? unknownLife();
    this.#lives.set(sessionId, known);
    return known;
  }
}
