// The conversation of one session as a client should hold it, folded frame by frame.
//
// v1. Chunks append to the message that stands last; another role, another stated messageId, or any
// item made in between starts a new one. A prompt stands where it was asked, once, also if the agent
// echoes it. `session/load` makes the agent re-send everything, so a client rebuilds from empty: the
// conversation begins anew at the first history of a load, or at an answer without any. A v1 resume
// allows no history; if some comes all the same, it is added, as a trusting client would.
// v2. Messages, tool calls, plans and compactions are upserts by id, and so is their replay: what is
// known stays in its place and takes the replayed value, what is not known is added at the end.
import { get, obj, str } from '../acp/json.ts';
import type { Failure, Message, Request, Success } from '../acp/message.ts';
import { updateOf } from '../acp/update.ts';
import type { Frame, TraceEvent } from '../trace/event.ts';
import {
  ItemList,
  type AskBody,
  type Draft,
  type ItemChanges,
  type MessageBody,
  type ReplayFlags,
} from './conversation-items.ts';
import { Prompts } from './conversation-prompts.ts';
import { Settings } from './conversation-settings.ts';
import { UpdateFold, type Place } from './conversation-updates.ts';
import {
  answerWords,
  askTitle,
  exitWords,
  failureWords,
  quiet,
  turnEnd,
  type Words,
} from './conversation-words.ts';
import { Exchanges } from './exchanges.ts';
import { itemKindOf } from './variants.ts';

/** A request that waits for its answer, and the item it made. */
interface Asked {
  readonly request: Request;
  readonly prompt?: Draft<MessageBody>;
  readonly ask?: Draft<AskBody>;
  /** A restore: whether history of it has come. */
  replayed?: boolean;
}

const RESTORES = new Set(['session/load', 'session/resume']);
const ASKS = new Set(['session/request_permission', 'elicitation/create']);

export class ConversationFold {
  readonly #sessionId: string;
  readonly #items = new ItemList();
  readonly #prompts = new Prompts(this.#items);
  readonly #settings = new Settings();
  readonly #updates: UpdateFold;
  readonly #exchanges = new Exchanges();
  /** By the seq of the request. */
  readonly #open = new Map<number, Asked>();
  readonly #restores = new Set<Asked>();

  /** `version`: what the connection speaks; if not known, v1 until something of v2 is seen. */
  constructor(sessionId: string, version?: number) {
    this.#sessionId = sessionId;
    const known = version !== undefined && version >= 2 ? 2 : 1;
    this.#updates = new UpdateFold(this.#items, this.#prompts, this.#settings, known);
  }

  /**
   * The next event of the connection. Frames of other sessions are passed over, so all may be
   * given. `message` is what a frame says. Never throws.
   */
  append(event: TraceEvent, message: Message | undefined, flags: ReplayFlags): void {
    const { replay, late } = flags;
    const place: Place = { event, replay, late, restoring: this.#restores.size > 0 };
    switch (event.type) {
      case 'frame':
        if (message) this.#frame(event, message, place);
        return;
      case 'exit':
        return this.#end(exitWords(event), place);
      case 'gap':
        return this.#note(missing(event.count, event.reason), place);
      case 'start':
      case 'stderr':
      case 'mark':
        return;
    }
  }

  /** What changed after `version`, 0 for all; ask again with the version it gives. */
  since(version: number): ItemChanges {
    return this.#items.since(version);
  }

  #frame(frame: Frame, message: Message, place: Place): void {
    switch (message.kind) {
      case 'request':
        return this.#request(frame, message, place);
      case 'notification': {
        if (str(message.params, 'sessionId') !== this.#sessionId) return;
        if (message.method === 'session/update') this.#update(message.params, place);
        if (message.method === 'session/cancel') this.#note(quiet('Cancel requested'), place);
        return;
      }
      case 'success':
      case 'failure':
        return this.#answer(frame, message, place);
      case 'invalid':
        return;
    }
  }

  #update(params: Request['params'], place: Place): void {
    const found = updateOf(params);
    if (!found) return;
    const makesItems = found.variant === 'plan' || itemKindOf(found.variant) !== undefined;
    if (makesItems) for (const restore of this.#restores) this.#replayBegins(restore);
    this.#updates.update(found, place);
  }

  #request(frame: Frame, request: Request, place: Place): void {
    const { method, params } = request;
    const mine = str(params, 'sessionId') === this.#sessionId;
    // Answers to these name the session, or carry its modes and options.
    const makes = method === 'session/new' || method === 'session/fork';
    if (!mine && !makes) return;
    const asked = mine ? this.#asked(frame, request, place) : { request };
    this.#exchanges.ask({ index: frame.seq, from: frame.from, request });
    this.#open.set(frame.seq, asked);
  }

  #asked(frame: Frame, request: Request, place: Place): Asked {
    const { method, params } = request;
    if (frame.from === 'client') {
      if (method === 'session/prompt') {
        this.#updates.newTurn();
        return { request, prompt: this.#prompts.ask(params, frame, place) };
      }
      const asked: Asked = { request };
      if (RESTORES.has(method)) this.#restores.add(asked);
      return asked;
    }
    if (!ASKS.has(method)) return { request };
    const tool = obj(params, 'toolCall') ?? obj(get(params, 'subject'), 'toolCall');
    if (tool) this.#updates.tool(tool, place);
    const title = askTitle(method, params, this.#toolTitle(str(tool, 'toolCallId')));
    const body: AskBody = { type: 'ask', method, title, request: frame.seq };
    return { request, ask: this.#items.add(this.#items.freshKey(frame), body, frame, place) };
  }

  #answer(frame: Frame, answer: Success | Failure, place: Place): void {
    const exchange = this.#exchanges.answer(frame.from, answer.id);
    const asked = exchange && this.#open.get(exchange.index);
    if (!asked) return;
    this.#open.delete(exchange.index);
    this.#restores.delete(asked);
    const { request, ask, prompt } = asked;
    if (ask) {
      const words = answerWords(request.method, request.params, answer);
      ask.body.answer = { seq: frame.seq, words };
      this.#items.touch(ask, frame, place);
    } else if (exchange.from === 'client') {
      if (prompt) this.#prompts.settle(prompt);
      if (answer.kind === 'failure') this.#failed(request, answer, place);
      else this.#succeeded(asked, answer, place);
    }
  }

  #failed({ method, params }: Request, answer: Failure, place: Place): void {
    if (str(params, 'sessionId') === this.#sessionId)
      this.#note(failureWords(method, answer), place);
  }

  #succeeded(asked: Asked, { result }: Success, place: Place): void {
    const { method, params } = asked.request;
    switch (method) {
      case 'session/prompt':
        if (asked.prompt) this.#prompted(asked.prompt, result, place);
        return;
      case 'session/new':
      case 'session/fork':
        if (str(result, 'sessionId') === this.#sessionId) this.#settings.begin(result);
        return;
      case 'session/load':
      case 'session/resume':
        this.#settings.begin(result);
        if (asked.replayed) return;
        this.#replayBegins(asked);
        return this.#note(quiet(`Restored by ${method}, without history`), place);
      case 'session/set_mode':
        return this.#updates.mode(str(params, 'modeId'), place);
      case 'session/set_config_option':
        return this.#updates.options(result, place);
      case 'session/close':
        return this.#note(quiet('Session closed'), place);
      case 'session/delete':
        return this.#note(quiet('Session deleted'), place);
    }
  }

  /** v1: the turn is over. v2: the prompt is inserted, under this id. */
  #prompted(prompt: Draft<MessageBody>, result: Success['result'], place: Place): void {
    const messageId = str(result, 'messageId');
    if (messageId === undefined || str(result, 'stopReason') !== undefined)
      return this.#updates.version === 1 ? this.#note(turnEnd(result), place) : undefined;
    if (prompt.body.messageId !== undefined) return;
    const key = `m:user:${messageId}`;
    if (this.#items.find(key, 'message')) return this.#items.remove(prompt);
    prompt.body.messageId = messageId;
    this.#items.name(prompt, key);
    this.#items.touch(prompt, place.event, place);
  }

  /** What `session/load` brings takes the place of everything known. */
  #replayBegins(restore: Asked): void {
    if (restore.replayed) return;
    restore.replayed = true;
    if (restore.request.method !== 'session/load') return;
    this.#items.clear();
    this.#prompts.clear();
    this.#updates.clear();
  }

  #end(words: Words, place: Place): void {
    for (const ask of this.#items.openAsks()) {
      ask.body.answer = { seq: place.event.seq, words: 'Never answered: the agent had ended' };
      this.#items.touch(ask, place.event, place);
    }
    this.#note(words, place);
  }

  #note(words: Words, place: Place): void {
    this.#updates.note(words, place);
  }

  #toolTitle(toolCallId: string | undefined): string | undefined {
    return this.#items.find(`t:${toolCallId}`, 'tool')?.body.title;
  }
}

function missing(count: number, reason: string): Words {
  return {
    tone: 'warn',
    text: `${count} ${count === 1 ? 'event is' : 'events are'} missing here: ${reason}`,
  };
}
