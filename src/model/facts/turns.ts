// Where turns begin and end, in the frames of one connection. A turn of v1 lasts from a prompt to its
// answer. In v2 the answer only says that the prompt is in: its turn lasts until the agent says that
// its foreground work is over. Several prompts may share a turn, and the agent may begin one itself.
import { num, str } from '../../acp/json.ts';
import type { Failure, JsonObject, Message, Request, Success } from '../../acp/message.ts';
import { sessionIdOf, updateOf } from '../../acp/update.ts';
import { RESTORES, isMethodOf } from '../../acp/methods.ts';
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
  cancelled: boolean;
  /** Requests to restore it without an answer: what is told until then was so before. */
  restores: number;
}

export class TurnReader {
  readonly #exchanges = new Exchanges<TurnPrompt>();
  readonly #work = new Map<string, Work>();
  #version: number | undefined;

  /** What the frame ends. Given are all frames from the first on. */
  take({ seq, from }: Frame, message: Message): TurnEnd | undefined {
    switch (message.kind) {
      case 'request':
        if (from === 'client') this.#asked(seq, message);
        return undefined;
      case 'notification': {
        const { method, params } = message;
        const sessionId = sessionIdOf(params);
        if (sessionId === undefined) return undefined;
        if (from === 'client' && method === 'session/cancel') this.#cancelled(sessionId);
        const found = from === 'agent' && method === 'session/update' && updateOf(params);
        if (!found || found.variant !== 'state_update') return undefined;
        return this.#told(sessionId, seq, found.update);
      }
      case 'success':
      case 'failure': {
        const asked = from === 'agent' ? this.#exchanges.answer(from, message.id) : undefined;
        return asked && this.#answered(asked, seq, message);
      }
      case 'invalid':
        return undefined;
    }
  }

  #asked(seq: Seq, request: Request): void {
    const { method, params } = request;
    const sessionId = sessionIdOf(params);
    const asked: TurnPrompt = { from: 'client', seq, request, sessionId };
    this.#exchanges.ask(asked);
    if (sessionId === undefined) return;
    if (isMethodOf(RESTORES, method)) this.#of(sessionId).restores++;
    if (method !== 'session/prompt') return;
    const { prompts, state, cancelled } = this.#of(sessionId);
    prompts.push({ asked, held: isAtWork(state), isNext: cancelled, isIn: false });
  }

  #answered(asked: TurnPrompt, seq: Seq, answer: Success | Failure): TurnEnd | undefined {
    const { sessionId, request } = asked;
    const { method } = request;
    const result = answer.kind === 'success' ? answer.result : undefined;
    if (method === 'initialize') this.#version = num(result, 'protocolVersion') ?? this.#version;
    if (sessionId === undefined) return undefined;
    if (method === 'session/close' && result !== undefined) this.#work.delete(sessionId);
    if (isMethodOf(RESTORES, method)) this.#of(sessionId).restores--;
    if (method !== 'session/prompt') return undefined;
    const work = this.#of(sessionId);
    const reason = str(result, 'stopReason');
    if (result !== undefined && reason === undefined && this.#version !== 1) {
      for (const prompt of work.prompts) prompt.isIn ||= prompt.asked === asked;
      return undefined;
    }
    work.prompts = work.prompts.filter((prompt) => prompt.asked !== asked);
    if (work.prompts.length === 0) work.cancelled = false;
    const error = answer.kind === 'failure' ? answer.error : undefined;
    return { sessionId, prompts: [asked], began: asked.seq, seq, reason, error };
  }

  #cancelled(sessionId: string): void {
    const work = this.#of(sessionId);
    if (isAtWork(work.state) || work.prompts.length > 0) work.cancelled = true;
  }

  #told(sessionId: string, seq: Seq, update: JsonObject): TurnEnd | undefined {
    const work = this.#of(sessionId);
    const { state: before, began, prompts } = work;
    work.state = str(update, 'state') ?? before;
    work.began = isAtWork(work.state) ? (began ?? seq) : undefined;
    if (work.restores > 0 || !endsTurn(update, before, prompts.length > 0)) return undefined;
    const reason = str(update, 'stopReason');
    const isLater = ({ held, isIn, isNext }: Prompt) =>
      (held && !isIn) || (isNext && reason === 'cancelled');
    const over = prompts.filter((prompt) => !isLater(prompt)).map((prompt) => prompt.asked);
    work.prompts = prompts.filter(isLater);
    for (const prompt of work.prompts) prompt.held = prompt.isNext = false;
    work.cancelled = false;
    const first = began ?? over[0]?.seq ?? seq;
    return { sessionId, prompts: over, began: first, seq, reason, error: undefined };
  }

  #of(sessionId: string): Work {
    const known = this.#work.get(sessionId);
    if (known !== undefined) return known;
    const made = { prompts: [], state: undefined, began: undefined, cancelled: false, restores: 0 };
    this.#work.set(sessionId, made);
    return made;
  }
}
