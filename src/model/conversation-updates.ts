// Folds the session/update frames of one session into its items. See conversation.ts for the rules.
import { arr, get, str } from '../acp/json.ts';
import type { Json, JsonObject } from '../acp/message.ts';
import type { SessionUpdate } from '../acp/update.ts';
import type { TraceEvent } from '../trace/event.ts';
import { appendPart, contentPart, contentParts, textOf, toolPart } from './content-parts.ts';
import type {
  Draft,
  ItemList,
  MessageBody,
  NoteBody,
  PlanBody,
  ReplayFlags,
  ToolBody,
} from './conversation-items.ts';
import type { ContentPart } from './conversation-view.ts';
import type { Prompts } from './conversation-prompts.ts';
import type { Settings } from './conversation-settings.ts';
import { newTool, patchTool, planEntries } from './conversation-tools.ts';
import { compactionWords, noticeWords, quiet, turnEnd, type Words } from './conversation-words.ts';

/** A frame as the fold sees it. */
export interface Place extends ReplayFlags {
  readonly event: TraceEvent;
  /** A restore of the session is not answered yet: what comes is no echo and no end of a turn. */
  readonly restoring: boolean;
}

/** What a compaction was told piece by piece. */
interface Compaction {
  readonly draft: Draft<NoteBody>;
  status: string;
  summary: string;
  error: string | undefined;
}

const ROLES: ReadonlyMap<string, MessageBody['role']> = new Map([
  ['user_message', 'user'],
  ['agent_message', 'agent'],
  ['agent_thought', 'thought'],
]);

/** Variants that v1 does not have. */
const ONLY_V2 = new Set(['user_message', 'agent_message', 'agent_thought', 'state_update']);

export class UpdateFold {
  readonly #items: ItemList;
  readonly #prompts: Prompts;
  readonly #settings: Settings;
  #version: 1 | 2;
  #state: string | undefined;
  /** v1: the plan of this turn. */
  #plan: Draft<PlanBody> | undefined;
  #compactions = new Map<string, Compaction>();

  constructor(items: ItemList, prompts: Prompts, settings: Settings, version: 1 | 2) {
    this.#items = items;
    this.#prompts = prompts;
    this.#settings = settings;
    this.#version = version;
  }

  get version(): 1 | 2 {
    return this.#version;
  }

  /** The conversation begins anew. */
  clear(): void {
    this.#plan = undefined;
    this.#compactions.clear();
  }

  newTurn(): void {
    this.#plan = undefined;
  }

  update({ variant, update }: SessionUpdate, place: Place): void {
    if (ONLY_V2.has(variant)) this.#version = 2;
    const role = ROLES.get(variant.replace(/_chunk$/, ''));
    if (role) {
      if (variant.endsWith('_chunk')) this.#chunk(role, update, place);
      else this.#message(role, update, place);
      return;
    }
    switch (variant) {
      case 'tool_call':
      case 'tool_call_update':
        return this.tool(update, place);
      case 'tool_call_content_chunk':
        return this.#toolChunk(update, place);
      case 'plan':
        return this.#wholePlan(update, place);
      case 'plan_update':
        return this.#planById(update, place);
      case 'plan_removed': {
        const plan = this.#items.find(`p:${str(update, 'planId')}`, 'plan');
        if (plan) this.#items.remove(plan);
        return;
      }
      case 'compaction_update':
      case 'compaction_summary_chunk':
        return this.#compaction(variant, update, place);
      case 'notice':
        return this.note(noticeWords(update), place);
      case 'state_update':
        return this.#stateUpdate(update, place);
      case 'current_mode_update':
        return this.mode(str(update, 'currentModeId'), place);
      case 'config_option_update':
        return this.options(update, place);
    }
  }

  /** Applies a tool call as an update, a permission or a `tool_call` carries it. */
  tool(update: JsonObject, place: Place): void {
    const draft = this.#toolOf(update, place);
    if (draft) patchTool(draft.body, update, this.#version);
  }

  mode(id: string | undefined, place: Place): void {
    const text = this.#settings.mode(id);
    if (text !== undefined) this.note(quiet(text), place);
  }

  options(holder: Json | undefined, place: Place): void {
    for (const text of this.#settings.options(holder)) this.note(quiet(text), place);
  }

  /** One quiet line; the same line twice running is one. */
  note(words: Words, place: Place): void {
    const last = this.#items.last;
    if (last?.body.type === 'note' && last.body.text === words.text)
      this.#items.touch(last, place.event, place);
    else
      this.#items.add(
        this.#items.freshKey(place.event),
        { type: 'note', ...words },
        place.event,
        place,
      );
  }

  #chunk(role: MessageBody['role'], update: JsonObject, place: Place): void {
    const part = contentPart(get(update, 'content'));
    const messageId = str(update, 'messageId');
    if (this.#version === 2 && messageId !== undefined) {
      const draft = this.#messageById(role, messageId, [part], false, place);
      return appendPart(draft.body.parts, part);
    }
    const live = !place.restoring && !isHistoric(place);
    if (role === 'user') {
      if (live && this.#prompts.absorb(part, messageId, place.event, place)) return;
      this.newTurn();
    }
    appendPart(this.#messageInRow(role, messageId, place).body.parts, part);
  }

  /** v1: the message that stands last, if the chunk goes on with it; else a new one. */
  #messageInRow(
    role: MessageBody['role'],
    messageId: string | undefined,
    { event, ...flags }: Place,
  ): Draft<MessageBody> {
    const last = this.#items.last;
    if (last?.body.type === 'message' && last.body.role === role) {
      const draft = last as Draft<MessageBody>;
      const goesOn = messageId === undefined || messageId === draft.body.messageId;
      const sameTime = isHistoric(draft) === isHistoric(flags);
      if (goesOn && sameTime && !this.#prompts.isPrompt(draft)) {
        this.#items.touch(draft, event, flags);
        return draft;
      }
    }
    const body: MessageBody = { type: 'message', role, parts: [] };
    if (messageId !== undefined) body.messageId = messageId;
    const key = messageId === undefined ? undefined : `m:${role}:${messageId}`;
    const free = key !== undefined && !this.#items.find(key, 'message');
    return this.#items.add(free ? key : this.#items.freshKey(event), body, event, flags);
  }

  /** An upsert: `content` omitted leaves, null or an array replaces. */
  #message(role: MessageBody['role'], update: JsonObject, place: Place): void {
    const messageId = str(update, 'messageId');
    const content = get(update, 'content');
    const parts = contentParts(content);
    const draft =
      messageId === undefined
        ? this.#messageInRow(role, undefined, place)
        : this.#messageById(role, messageId, parts, true, place);
    if (content !== undefined) draft.body.parts = parts;
  }

  /** v2: the message of that id; a new one, or the prompt that it echoes. */
  #messageById(
    role: MessageBody['role'],
    messageId: string,
    says: readonly ContentPart[],
    whole: boolean,
    { event, ...flags }: Place,
  ): Draft<MessageBody> {
    const key = `m:${role}:${messageId}`;
    const known = this.#items.find(key, 'message');
    if (known) {
      this.#items.touch(known, event, flags);
      return known;
    }
    const live = !flags.restoring && !isHistoric(flags);
    const prompt = role === 'user' && live ? this.#prompts.claim(says, whole) : undefined;
    if (!prompt) {
      const body: MessageBody = { type: 'message', role, messageId, parts: [] };
      return this.#items.add(key, body, event, flags);
    }
    prompt.body.messageId = messageId;
    this.#items.name(prompt, key);
    this.#items.moveToEnd(prompt);
    this.#items.touch(prompt, event, flags);
    if (!whole) prompt.body.parts = [];
    return prompt;
  }

  #toolOf(update: JsonObject, { event, ...flags }: Place): Draft<ToolBody> | undefined {
    const toolCallId = str(update, 'toolCallId');
    if (toolCallId === undefined) return undefined;
    const known = this.#items.find(`t:${toolCallId}`, 'tool');
    if (known) this.#items.touch(known, event, flags);
    return known ?? this.#items.add(`t:${toolCallId}`, newTool(toolCallId), event, flags);
  }

  #toolChunk(update: JsonObject, place: Place): void {
    const content = get(update, 'content');
    const draft = this.#toolOf(update, place);
    if (!draft || content === undefined) return;
    const part = toolPart(content);
    const last = draft.body.content.at(-1);
    if (part.type !== 'content' || last?.type !== 'content') {
      draft.body.content.push(part);
      return;
    }
    const joined = [last.part];
    appendPart(joined, part.part);
    draft.body.content.splice(-1, 1, ...joined.map((each) => ({ ...part, part: each })));
  }

  /** v1: replaces the plan of this turn. */
  #wholePlan(update: JsonObject, { event, ...flags }: Place): void {
    const entries = planEntries(update);
    if (this.#plan) {
      this.#plan.body.entries = entries;
      this.#items.touch(this.#plan, event, flags);
    } else {
      this.#plan = this.#items.add(
        this.#items.freshKey(event),
        { type: 'plan', entries },
        event,
        flags,
      );
    }
  }

  #planById(update: JsonObject, { event, ...flags }: Place): void {
    const key = `p:${str(get(update, 'plan'), 'planId')}`;
    const entries = planEntries(update);
    const known = this.#items.find(key, 'plan');
    if (known) {
      known.body.entries = entries;
      this.#items.touch(known, event, flags);
    } else {
      this.#items.add(key, { type: 'plan', entries }, event, flags);
    }
  }

  /** Its first frame fixes its place; later ones patch it there. */
  #compaction(variant: string, update: JsonObject, { event, ...flags }: Place): void {
    const id = str(update, 'compactionId');
    if (id === undefined) return;
    const known = this.#compactions.get(id);
    if (known) this.#items.touch(known.draft, event, flags);
    const compaction = known ?? {
      draft: this.#items.add<NoteBody>(
        `c:${id}`,
        { type: 'note', tone: 'quiet', text: '' },
        event,
        flags,
      ),
      status: 'in_progress',
      summary: '',
      error: undefined,
    };
    this.#compactions.set(id, compaction);
    if (variant === 'compaction_summary_chunk') {
      compaction.summary += textOf([contentPart(get(update, 'content'))]);
    } else {
      compaction.status = str(update, 'status') ?? compaction.status;
      const summary = get(update, 'summary');
      if (summary !== undefined)
        compaction.summary = textOf(arr(update, 'summary').map(contentPart));
      if (get(update, 'error') !== undefined) compaction.error = str(update, 'error');
    }
    const { status, summary, error } = compaction;
    Object.assign(compaction.draft.body, compactionWords(status, summary, error));
  }

  /** A snapshot: only the step from work to idle ends a turn, and only outside a restore. */
  #stateUpdate(update: JsonObject, place: Place): void {
    const before = this.#state;
    this.#state = str(update, 'state');
    if (this.#state !== 'idle' || before === 'idle' || place.restoring) return;
    if (before === undefined && str(update, 'stopReason') === undefined) return;
    this.note(turnEnd(update), place);
  }
}

function isHistoric({ replay, late }: ReplayFlags): boolean {
  return replay || late;
}
