// Prompts of the client, and the user messages by which the agent echoes them: both are the same
// message and stand in the conversation once.
import { arr } from '../acp/json.ts';
import type { Json } from '../acp/message.ts';
import type { Seq, TraceEvent } from '../trace/event.ts';
import { appendPart, contentParts, textOf } from './content-parts.ts';
import type { Draft, ItemList, MessageBody, ReplayFlags } from './conversation-items.ts';
import type { ContentPart } from './conversation-view.ts';

interface Waiting {
  readonly draft: Draft<MessageBody>;
  readonly text: string;
  /** Blocks that are not text, as JSON. */
  readonly others: ReadonlySet<string>;
}

/** A v1 echo on its way: what it said so far, and what to take back if it turns out to be none. */
interface Echo {
  readonly prompt: Waiting;
  readonly parts: ContentPart[];
  readonly first: TraceEvent;
  readonly flags: ReplayFlags;
  readonly lastBefore: Seq;
  /** ItemList.made when it began: an item made since ends it. */
  readonly made: number;
  frames: number;
  /** Characters of the prompt's text it has repeated. */
  said: number;
}

export class Prompts {
  readonly #items: ItemList;
  /** Not echoed yet, oldest first. */
  #waiting: Waiting[] = [];
  #echo: Echo | undefined;
  readonly #made = new WeakSet<Draft>();

  constructor(items: ItemList) {
    this.#items = items;
  }

  ask(params: Json | undefined, event: TraceEvent, flags: ReplayFlags): Draft<MessageBody> {
    const parts = contentParts(arr(params, 'prompt'));
    const body: MessageBody = { type: 'message', role: 'user', parts };
    const draft = this.#items.add(this.#items.freshKey(event), body, event, flags);
    this.#made.add(draft);
    const others = parts.filter((part) => part.type !== 'text').map((part) => JSON.stringify(part));
    this.#waiting.push({ draft, text: textOf(parts), others: new Set(others) });
    return draft;
  }

  /** Whether the client asked it; nothing of the agent's is added to such a message. */
  isPrompt(draft: Draft): boolean {
    return this.#made.has(draft);
  }

  /** The conversation begins anew: nothing waits for an echo in it. */
  clear(): void {
    this.#waiting = [];
    this.#echo = undefined;
  }

  /** No echo is due any more: the turn has ended, or the prompt failed. */
  settle(draft: Draft<MessageBody>): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.draft !== draft);
  }

  /**
   * v2: the waiting prompt that a new user message is, by its text; an empty one is the oldest.
   * It is taken off the list.
   */
  claim(parts: readonly ContentPart[], whole: boolean): Draft<MessageBody> | undefined {
    const text = textOf(parts);
    const found = this.#waiting.find((waiting) =>
      whole && parts.length > 0 ? waiting.text === text : waiting.text.startsWith(text),
    );
    if (found) this.settle(found.draft);
    return found?.draft;
  }

  /**
   * v1: takes a chunk that repeats a waiting prompt. True: it is part of the prompt's message now.
   * A chunk that departs in the middle gives back, as a message of its own, what looked like an
   * echo before it.
   */
  absorb(
    part: ContentPart,
    id: string | undefined,
    event: TraceEvent,
    flags: ReplayFlags,
  ): boolean {
    const echo = this.#echo?.made === this.#items.made ? this.#echo : undefined;
    this.#echo = echo;
    const same = echo && (id === undefined || id === echo.prompt.draft.body.messageId);
    if (same && repeats(echo.prompt, echo.said, part))
      return this.#take(echo, part, id, event, flags);
    if (same && echo.prompt.text.slice(echo.said).trim() !== '') {
      this.#giveBack(echo);
      return false;
    }
    const prompt = this.#waiting.find((waiting) => repeats(waiting, 0, part));
    if (!prompt) return false;
    this.settle(prompt.draft);
    const { last: lastBefore } = prompt.draft;
    const { made } = this.#items;
    this.#echo = { prompt, parts: [], first: event, flags, lastBefore, made, frames: 0, said: 0 };
    return this.#take(this.#echo, part, id, event, flags);
  }

  #take(
    echo: Echo,
    part: ContentPart,
    messageId: string | undefined,
    event: TraceEvent,
    flags: ReplayFlags,
  ): boolean {
    const { draft } = echo.prompt;
    appendPart(echo.parts, part);
    echo.frames++;
    if (part.type === 'text') echo.said += part.text.length;
    if (messageId !== undefined) draft.body.messageId = messageId;
    this.#items.touch(draft, event, flags);
    return true;
  }

  #giveBack({ prompt, parts, first, flags, lastBefore, frames }: Echo): void {
    this.#echo = undefined;
    const last = prompt.draft.last;
    const { messageId } = prompt.draft.body;
    const body: MessageBody = { type: 'message', role: 'user', parts };
    if (messageId !== undefined) body.messageId = messageId;
    delete prompt.draft.body.messageId;
    this.#items.touch(prompt.draft, first, flags);
    prompt.draft.last = lastBefore;
    prompt.draft.frames -= frames + 1;
    const draft = this.#items.add(this.#items.freshKey(first), body, first, flags);
    draft.last = last;
    draft.frames = frames;
  }
}

/** Whether the part is what the prompt says next, after so many characters of its text. */
function repeats({ text, others }: Waiting, said: number, part: ContentPart): boolean {
  if (part.type !== 'text') return others.has(JSON.stringify(part));
  if (part.text === '') return false;
  return text.startsWith(part.text, said) || text.slice(said).trim() === part.text.trim();
}
