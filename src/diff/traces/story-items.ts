// What updates tell, put together: a message out of its chunks, a tool call out of its updates, a
// plan as it was told last. v1 and v2; v2 tells by upserts, where null clears.
import { arr, get, isArray, isObject, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { chunkText, isChunk } from '../../acp/update.ts';
import { joined } from '../../lib/bytes.ts';
import { decodeLossy, fromBase64 } from '../../lib/utf8.ts';
import { contentParts } from '../../model/facts/content-parts.ts';
import { blocksText, textAfter } from '../../model/facts/message-text.ts';
import { echoedBy, NO_ECHOES, prompted, settled, type Echoes } from '../../model/facts/echo.ts';
import { isMessageKind, type ItemKind } from '../../model/facts/variants.ts';
import type { LaneEntry } from './lane.ts';

/** A step while it is told. */
export type StoryStep = {
  -readonly [K in keyof Omit<LaneEntry, 'asker' | 'value'>]: LaneEntry[K];
} & {
  value: Record<string, Json>;
};

export const TURN_END = 'turn end';

const LOOSE: ReadonlySet<string> = new Set([
  'user',
  'agent',
  'thought',
  'peer',
  'tool',
  'terminal',
]);

export function newStep(
  of: string,
  place: number,
  section: number,
  value: Readonly<Record<string, Json>>,
  by = '',
): StoryStep {
  return {
    of,
    weak: `${by} ${of}`,
    first: place,
    last: place,
    frames: 1,
    spans: false,
    section,
    loose: LOOSE.has(of),
    movable: true,
    value: { ...value },
  };
}

/** Text and all else of a message's content. */
export function messageValue(content: Json | undefined): Record<string, Json> {
  const attachments = attachmentsIn(content);
  return { text: blocksText({ content: content ?? null }, 'content'), ...attachments };
}

/** What of it is no text; nothing where there is none. */
function attachmentsIn(content: Json | undefined): { readonly attachments?: readonly Json[] } {
  const blocks = isArray(content) ? content : content === undefined ? [] : [content];
  const attachments = blocks.filter((block) => str(block, 'type') !== 'text' && block !== null);
  return attachments.length > 0 ? { attachments } : {};
}

/** Told with the step: what is said in another session is not the same. */
export interface WithSession {
  readonly sessionId?: string;
}

/** Where an update stands. */
interface At {
  readonly place: number;
  readonly section: number;
  readonly session: number;
  readonly named: WithSession;
  /** The replay window that it belongs to: ids mean the same in it; 0: none. */
  readonly window: number;
  readonly isReplay: boolean;
}

/** What is told of one thing, by what names it. */
interface KnownStep {
  readonly session: number;
  readonly window: number;
  readonly kind: ItemKind;
  readonly id: string | number;
  readonly step: StoryStep;
}

export class StoryItems {
  readonly #version: 1 | 2;
  readonly #push: (step: StoryStep) => void;
  /** The message that is being told, and what of its text is not in it yet: a text that grows by pieces keeps them all. */
  #told: StoryStep | undefined;
  #pieces: string[] = [];
  readonly #known = new Map<string, KnownStep>();
  /** The one that was told of last: most updates go on with it. */
  #newest: KnownStep | undefined;
  /** By session: the message without an id that the next chunk may go on. */
  readonly #running = new Map<number, { readonly kind: ItemKind; readonly step: StoryStep }>();
  /** By session: prompts that the agent may echo. */
  readonly #waiting = new Map<number, Echoes<StoryStep>>();
  /** Of a terminal, its bytes: a character may be cut between two chunks. */
  readonly #output = new Map<StoryStep, Uint8Array[]>();
  /** Messages of the user that may be the echo of a prompt. */
  readonly #echoes = new Map<StoryStep, StoryStep>();

  constructor(version: 1 | 2, push: (step: StoryStep) => void) {
    this.#version = version;
    this.#push = push;
  }

  prompted(session: number, step: StoryStep): void {
    const parts = [{ type: 'text' as const, text: str(step.value, 'text') ?? '' }];
    this.#waiting.set(session, prompted(this.#waiting.get(session) ?? NO_ECHOES, step, parts));
  }

  /** A turn is over: no echo of its prompts is due any more. */
  ended(session: number): void {
    this.#waiting.delete(session);
  }

  /** Something else came: the next chunk without an id begins another message. */
  interrupted(session: number): void {
    this.#running.delete(session);
  }

  item(at: At, kind: ItemKind, id: string | undefined, variant: string, body: Json): void {
    const isMessage = isMessageKind(kind) || kind === 'peer';
    if (isMessage && id === undefined) return this.#anonymous(at, kind, variant, body);
    if (!isMessage || this.#running.get(at.session)?.kind !== kind) this.interrupted(at.session);
    const known = this.#knownAs(at, kind, id ?? at.section);
    if (known) this.#touch(known, at);
    const step = known ?? this.#beginKnown(at, kind, id ?? at.section, variant, body);
    if (isMessage) this.#say(step, variant, body);
    else this.#patch(step, variant, body);
  }

  #knownAs({ session, window }: At, kind: ItemKind, id: string | number): StoryStep | undefined {
    const last = this.#newest;
    const isLast =
      last?.id === id && last.kind === kind && last.session === session && last.window === window;
    if (!isLast) this.#newest = this.#known.get(`${session} ${window} ${kind} ${id}`);
    return this.#newest?.step;
  }

  #beginKnown(at: At, kind: ItemKind, id: string | number, variant: string, body: Json): StoryStep {
    const { session, window } = at;
    const isMessage = isMessageKind(kind) || kind === 'peer';
    const step = this.#begin(at, kind, isMessage ? { text: '' } : {}, variant, body);
    step.spans = kind === 'tool' || kind === 'terminal';
    this.#newest = { session, window, kind, id, step };
    this.#known.set(`${session} ${window} ${kind} ${id}`, this.#newest);
    return step;
  }

  #anonymous(at: At, kind: ItemKind, variant: string, body: Json): void {
    const running = this.#running.get(at.session);
    const goesOn = running?.kind === kind && isChunk(variant);
    const step = goesOn ? running.step : this.#begin(at, kind, { text: '' }, variant, body);
    if (goesOn) this.#touch(step, at);
    this.#running.set(at.session, { kind, step });
    this.#say(step, variant, body);
  }

  #begin(
    at: At,
    kind: ItemKind,
    value: Record<string, Json>,
    variant: string,
    body: Json,
  ): StoryStep {
    const step = newStep(kind, at.place, at.section, { ...value, ...at.named });
    this.#push(step);
    const waiting = this.#waiting.get(at.session);
    if (kind !== 'user' || at.isReplay || !waiting) return step;
    const prompt = echoedBy(waiting, contentParts(get(body, 'content')), !isChunk(variant));
    if (prompt) {
      this.#echoes.set(step, prompt);
      this.#waiting.set(at.session, settled(waiting, prompt));
    }
    return step;
  }

  #touch(step: StoryStep, { place }: At): void {
    step.last = place;
    step.frames++;
  }

  #say(step: StoryStep, variant: string, body: Json): void {
    const content = get(body, 'content');
    if (!isObject(body) || (!isChunk(variant) && content === undefined)) return;
    if (step !== this.#told) this.#putTogether();
    const { value } = step;
    if (isChunk(variant)) {
      this.#told = step;
      this.#pieces.push(chunkText(body) ?? '');
    } else {
      this.#putTogether();
      value['text'] = textAfter(str(value, 'text') ?? '', variant, body, Infinity);
      Reflect.deleteProperty(value, 'attachments');
    }
    const { attachments } = attachmentsIn(content);
    if (attachments) value['attachments'] = [...arr(value, 'attachments'), ...attachments];
  }

  #putTogether(): void {
    const value = this.#told?.value;
    if (value) value['text'] = (str(value, 'text') ?? '') + this.#pieces.join('');
    this.#told = undefined;
    this.#pieces = [];
  }

  /**
   * An update that is about no item: a mode, commands, a title; v2: what the session does. `turn`: where the
   * turn that it ends began.
   */
  told(at: At, variant: string, body: Json, turn: number | undefined): void {
    this.interrupted(at.session);
    const { sessionUpdate: _, ...rest } = isObject(body) ? body : {};
    if (variant !== 'state_update' || at.isReplay)
      return this.#push(newStep(variant, at.place, at.section, { ...rest, ...at.named }));
    if (turn === undefined) return;
    this.ended(at.session);
    const { state: __, background: ___, ...end } = rest;
    const value = { result: end, ...at.named };
    const step = newStep(TURN_END, at.place, at.section, value, 'answer');
    step.began = turn;
    this.#push(step);
  }

  /** Takes an update over into what is known of a tool call, terminal, plan or compaction. */
  #patch(step: StoryStep, variant: string, body: Json): void {
    const { value } = step;
    if (!isObject(body)) return;
    switch (variant) {
      case 'tool_call_content_chunk': {
        const content = get(body, 'content');
        if (content !== undefined) value['content'] = [...arr(value, 'content'), content];
        return;
      }
      case 'terminal_output_chunk':
        return this.#put(step, this.#output.get(step) ?? [], str(body, 'data'));
      case 'compaction_summary_chunk':
        value['summary'] = (str(value, 'summary') ?? '') + (chunkText(body) ?? '');
        return;
      case 'plan_removed':
        value['removed'] = true;
        return;
    }
    for (const [key, item] of Object.entries(fieldsOf(variant, body))) {
      if (key === 'sessionUpdate') continue;
      if (key === 'output') this.#output.delete(step);
      if (item === null && this.#version === 2) Reflect.deleteProperty(value, key);
      else if (key === 'output' && isObject(item)) this.#put(step, [], str(item, 'data'));
      else if (item !== null) value[key] = item;
    }
  }

  #put(step: StoryStep, before: Uint8Array[], base64: string | undefined): void {
    before.push(fromBase64(base64 ?? '') ?? new Uint8Array());
    this.#output.set(step, before);
    step.value['output'] = '';
  }

  /** Without echoes of prompts, and without messages that say nothing. */
  settled(steps: readonly StoryStep[]): readonly StoryStep[] {
    this.#putTogether();
    for (const [{ value }, parts] of this.#output) value['output'] = decodeLossy(joined(parts));
    const gone = new Set<StoryStep>();
    for (const [echo, prompt] of this.#echoes) {
      if (echo.value['text'] !== prompt.value['text']) continue;
      gone.add(echo);
      prompt.frames += echo.frames;
    }
    return steps.filter((step) => {
      const { text, sessionId: _, ...others } = step.value;
      return !gone.has(step) && (text !== '' || Object.keys(others).length > 0);
    });
  }
}

function fieldsOf(variant: string, body: JsonObject): JsonObject {
  const plan = variant === 'plan_update' ? get(body, 'plan') : undefined;
  return isObject(plan) ? plan : body;
}
