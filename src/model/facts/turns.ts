// The one definition of a turn, in the frames of one connection. A turn of v1 lasts from a prompt to its
// answer. In v2 the answer only says that the prompt is in: its turn lasts until the agent says that
// its foreground work is over. Several prompts may share a turn, and the agent may begin one itself.
import { protocolVersionIn } from '../../acp/handshake.ts';
import { str } from '../../acp/json.ts';
import type { Failure, JsonObject, Message, Success } from '../../acp/message.ts';
import { sessionIdOf, updateOf } from '../../acp/update.ts';
import { RESTORES, effectOfAnswer, endsLife, isMethodOf } from '../../acp/methods.ts';
import type { Frame, Seq } from '../../trace/event.ts';
import { isAtWork } from './activity.ts';
import { Exchanges, type Question } from './exchanges.ts';

/** A request of the client. */
export interface TurnPrompt extends Question {
  readonly from: 'client';
  readonly seq: Seq;
  readonly sessionId: string | undefined;
}

export interface TurnEnd {
  readonly sessionId: string;
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

/**
 * A `state_update` ends a turn, if the state told before was this one: it is idle again, or says why
 * work ended whose begin was never told. `prompted`: a prompt waits for the end of its turn.
 */
export function endsTurn(
  update: JsonObject,
  before: string | undefined,
  prompted: boolean,
): boolean {
  if (str(update, 'state') !== 'idle') return false;
  return isAtWork(before) || (prompted && str(update, 'stopReason') !== undefined);
}

interface Prompt {
  readonly asked: TurnPrompt;
  /** The number of its turn, as far as is known: one that waits has that of the work it was sent into. */
  turn: number;
  /** Work went on when it was sent, so that it may wait for the end of that. */
  held: boolean;
  /** The client had cancelled that work, which therefore is not its own. */
  isNext: boolean;
  isIn: boolean;
}

interface Work {
  /** Sent, and not done with. */
  prompts: Prompt[];
  state: string | undefined;
  began: Seq | undefined;
  /** The number of the turn that goes on; 0: none. */
  turn: number;
  cancelled: boolean;
  /** Requests to restore it without an answer: what is told until then was so before. */
  restores: number;
}

/** Turns by session, told what was asked and answered. Its fields are kept with an index. */
export class Turns {
  /** So many have begun. */
  count = 0;
  private readonly work = new Map<string, Work>();
  private version: number | undefined;

  /** The number of the turn that a session is in; 0: in none, or its history is told. */
  at(sessionId: string): number {
    const work = this.work.get(sessionId);
    return work === undefined || work.restores > 0 ? 0 : work.turn;
  }

  /** A request of the client that names a session. */
  asked(asked: TurnPrompt, sessionId: string): void {
    const { method } = asked.request;
    if (isMethodOf(RESTORES, method)) this.of(sessionId).restores++;
    if (method !== 'session/prompt') return;
    const work = this.of(sessionId);
    // In v1 each prompt is a turn of its own.
    if (work.turn === 0 || this.version === 1) work.turn = ++this.count;
    const { prompts, state, cancelled, turn } = work;
    prompts.push({ asked, turn, held: isAtWork(state), isNext: cancelled, isIn: false });
  }

  /** The answer to a request of the client. */
  answered(asked: TurnPrompt, seq: Seq, answer: Success | Failure): TurnEnd | undefined {
    const { sessionId, request } = asked;
    const { method } = request;
    const result = answer.kind === 'success' ? answer.result : undefined;
    if (method === 'initialize') this.version = protocolVersionIn(result) ?? this.version;
    if (sessionId === undefined) return undefined;
    const error = answer.kind === 'failure' ? answer.error : undefined;
    if (endsLife(method) && effectOfAnswer(method, error) !== 'none') this.closed(sessionId);
    if (isMethodOf(RESTORES, method)) this.restored(this.of(sessionId));
    if (method !== 'session/prompt') return undefined;
    const work = this.of(sessionId);
    const reason = str(result, 'stopReason');
    const own = work.prompts.find((prompt) => prompt.asked.seq === asked.seq);
    if (result !== undefined && reason === undefined && this.version !== 1) {
      if (own) own.isIn = true;
      return undefined;
    }
    const number = own?.turn ?? work.turn;
    work.prompts = work.prompts.filter((prompt) => prompt !== own);
    if (work.prompts.length === 0) work.cancelled = false;
    if (!isAtWork(work.state)) work.turn = work.prompts.at(-1)?.turn ?? 0;
    return { sessionId, number, prompts: [asked], began: asked.seq, seq, reason, error };
  }

  /** A request of the client that the agent never got. */
  refused({ request, seq }: TurnPrompt, sessionId: string): void {
    const work = this.of(sessionId);
    if (isMethodOf(RESTORES, request.method)) this.restored(work);
    work.prompts = work.prompts.filter(({ asked }) => asked.seq !== seq);
    if (!isAtWork(work.state)) work.turn = work.prompts.at(-1)?.turn ?? 0;
  }

  /** The client sent `session/cancel`. */
  cancelled(sessionId: string): void {
    const work = this.of(sessionId);
    if (isAtWork(work.state) || work.prompts.length > 0) work.cancelled = true;
  }

  /** A `state_update` of the agent. */
  told(sessionId: string, seq: Seq, update: JsonObject): TurnEnd | undefined {
    const work = this.of(sessionId);
    const { state: before, began, prompts } = work;
    work.state = str(update, 'state') ?? before;
    work.began = isAtWork(work.state) ? (began ?? seq) : undefined;
    if (work.restores > 0) return undefined;
    const isOver = endsTurn(update, before, prompts.length > 0);
    if (work.turn === 0 && (isOver || isAtWork(work.state))) work.turn = ++this.count;
    if (!isOver) return undefined;
    const number = work.turn;
    const reason = str(update, 'stopReason');
    const isLater = ({ held, isIn, isNext }: Prompt) =>
      (held && !isIn) || (isNext && reason === 'cancelled');
    const over = prompts.filter((prompt) => !isLater(prompt)).map((prompt) => prompt.asked);
    work.prompts = prompts.filter(isLater);
    work.turn = work.prompts.length > 0 ? ++this.count : 0;
    for (const prompt of work.prompts) {
      prompt.held = prompt.isNext = false;
      prompt.turn = work.turn;
    }
    work.cancelled = false;
    const first = began ?? over[0]?.seq ?? seq;
    return { sessionId, number, prompts: over, began: first, seq, reason, error: undefined };
  }

  /** Prompts that are not in are still answered. */
  private closed(sessionId: string): void {
    const prompts = this.of(sessionId).prompts.filter(({ isIn }) => !isIn);
    this.work.delete(sessionId);
    if (prompts.length === 0) return;
    Object.assign(this.of(sessionId), { prompts, turn: prompts.at(-1)?.turn });
  }

  /** Work that was told to go on then is a turn, whose begin this connection has not seen. */
  private restored(work: Work): void {
    work.restores--;
    if (work.restores === 0 && work.turn === 0 && isAtWork(work.state)) work.turn = ++this.count;
  }

  private of(sessionId: string): Work {
    const known = this.work.get(sessionId);
    if (known !== undefined) return known;
    const made: Work = {
      ...{ prompts: [], state: undefined, began: undefined },
      ...{ turn: 0, cancelled: false, restores: 0 },
    };
    this.work.set(sessionId, made);
    return made;
  }
}

/** The turns of frames that nobody else reads. */
export class TurnReader {
  readonly #exchanges = new Exchanges<TurnPrompt>();
  readonly #turns = new Turns();

  /** The number of the turn that a session is in by now; 0: in none, or its history is told. */
  at(sessionId: string): number {
    return this.#turns.at(sessionId);
  }

  /** What the frame ends. Given are all frames from the first on. */
  take({ seq, from }: Pick<Frame, 'seq' | 'from'>, message: Message): TurnEnd | undefined {
    switch (message.kind) {
      case 'request': {
        if (from !== 'client') return undefined;
        const sessionId = sessionIdOf(message.params);
        const asked: TurnPrompt = { from, seq, request: message, sessionId };
        this.#exchanges.ask(asked);
        if (sessionId !== undefined) this.#turns.asked(asked, sessionId);
        return undefined;
      }
      case 'notification': {
        const { method, params } = message;
        const sessionId = sessionIdOf(params);
        if (sessionId === undefined) return undefined;
        if (from === 'client' && method === 'session/cancel') this.#turns.cancelled(sessionId);
        const found = from === 'agent' && method === 'session/update' && updateOf(params);
        if (!found || found.variant !== 'state_update') return undefined;
        return this.#turns.told(sessionId, seq, found.update);
      }
      case 'success':
      case 'failure': {
        const asked = from === 'agent' ? this.#exchanges.answer(from, message.id) : undefined;
        return asked && this.#turns.answered(asked, seq, message);
      }
      case 'invalid':
        return undefined;
    }
  }
}
