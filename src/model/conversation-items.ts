// The items of one conversation while they grow, in order, with what changed since when. Bodies are
// changed in place by the fold alone; what leaves here is a copy.
import type { Json } from '../acp/message.ts';
import type { Millis } from '../lib/time.ts';
import type { Seq, TraceEvent } from '../trace/event.ts';
import type {
  AskItem,
  ContentPart,
  ConversationItem,
  MessageItem,
  NoteItem,
  PlanItem,
  ToolItem,
  ToolPart,
} from './conversation-view.ts';

/** How a frame belongs to a history replay: inside a replay window, or after its answer. */
export interface ReplayFlags {
  readonly replay: boolean;
  readonly late: boolean;
}

export interface MessageBody {
  readonly type: 'message';
  readonly role: MessageItem['role'];
  messageId?: string;
  parts: ContentPart[];
}
export interface ToolBody {
  readonly type: 'tool';
  readonly toolCallId: string;
  name?: string;
  title?: string;
  kind: string;
  status: string;
  content: ToolPart[];
  rawOutput?: Json;
  locations: ToolItem['locations'];
}
export interface PlanBody {
  readonly type: 'plan';
  entries: PlanItem['entries'];
}
export interface AskBody {
  readonly type: 'ask';
  readonly method: string;
  readonly title: string;
  readonly request: Seq;
  answer?: NonNullable<AskItem['answer']>;
}
export interface NoteBody {
  readonly type: 'note';
  tone: NoteItem['tone'];
  text: string;
}
export type Body = MessageBody | ToolBody | PlanBody | AskBody | NoteBody;

/** An item in the making. */
export interface Draft<B extends Body = Body> {
  readonly key: string;
  readonly first: Seq;
  readonly at: Millis;
  /** Whether it began in a history replay. */
  readonly replay: boolean;
  readonly body: B;
  last: Seq;
  frames: number;
  /** Whether any of it came late. */
  late: boolean;
  /** The version that changed it last. */
  changed: number;
}

/** Changed items with their places; items from `total` on are gone. */
export interface ItemChanges {
  readonly version: number;
  readonly total: number;
  readonly items: readonly { readonly index: number; readonly item: ConversationItem }[];
}

export class ItemList {
  #drafts: Draft[] = [];
  #names = new Map<string, Draft>();
  #version = 0;
  #made = 0;

  /** How many items were ever made: tells whether something came between. */
  get made(): number {
    return this.#made;
  }
  get last(): Draft | undefined {
    return this.#drafts.at(-1);
  }

  /** The draft of a key or a name given to it; undefined also where its type is another. */
  find<T extends Body['type']>(
    name: string,
    type: T,
  ): Draft<Extract<Body, { type: T }>> | undefined {
    const draft = this.#names.get(name);
    return draft?.body.type === type ? (draft as Draft<Extract<Body, { type: T }>>) : undefined;
  }

  /** A key for an item without an id of its own. One frame may make several. */
  freshKey(event: TraceEvent): string {
    let key = `#${event.seq}`;
    for (let n = 2; this.#names.has(key); n++) key = `#${event.seq}.${n}`;
    return key;
  }

  add<B extends Body>(key: string, body: B, event: TraceEvent, flags: ReplayFlags): Draft<B> {
    const draft: Draft<B> = {
      key,
      body,
      first: event.seq,
      at: event.at,
      last: event.seq,
      frames: 1,
      replay: flags.replay,
      late: flags.late,
      changed: ++this.#version,
    };
    this.#drafts.push(draft);
    this.#names.set(key, draft);
    this.#made++;
    return draft;
  }

  /** The frame added to the draft, or changed it. */
  touch(draft: Draft, event: TraceEvent, flags: ReplayFlags): void {
    draft.last = event.seq;
    draft.frames++;
    draft.late ||= flags.late;
    draft.changed = ++this.#version;
  }

  /** A second name to find it by; its key stays. */
  name(draft: Draft, name: string): void {
    this.#names.set(name, draft);
  }

  moveToEnd(draft: Draft): void {
    if (this.last === draft) return;
    this.#cut(draft);
    this.#drafts.push(draft);
    draft.changed = this.#version;
  }

  remove(draft: Draft): void {
    this.#cut(draft);
    for (const [name, named] of this.#names) if (named === draft) this.#names.delete(name);
  }

  clear(): void {
    if (this.#drafts.length === 0) return;
    this.#drafts = [];
    this.#names.clear();
    this.#version++;
  }

  /** Asks that nobody has answered. */
  openAsks(): Draft<AskBody>[] {
    return this.#drafts.filter(
      (draft): draft is Draft<AskBody> =>
        draft.body.type === 'ask' && draft.body.answer === undefined,
    );
  }

  since(version: number): ItemChanges {
    const items = this.#drafts.flatMap((draft, index) =>
      draft.changed > version ? [{ index, item: itemOf(draft) }] : [],
    );
    return { version: this.#version, total: this.#drafts.length, items };
  }

  /** Takes it out; everything behind it moves up and so counts as changed. */
  #cut(draft: Draft): void {
    const at = this.#drafts.indexOf(draft);
    if (at < 0) return;
    this.#drafts.splice(at, 1);
    this.#version++;
    for (const moved of this.#drafts.slice(at)) moved.changed = this.#version;
  }
}

function itemOf(draft: Draft): ConversationItem {
  const { key, first, last, frames, at, replay, late } = draft;
  const base = { key, first, last, frames, at, replay, late };
  const { body } = draft;
  switch (body.type) {
    case 'message':
      return { ...base, ...body, parts: [...body.parts] };
    case 'tool':
      return { ...base, ...toolItem(body) };
    case 'plan':
    case 'ask':
    case 'note':
      return { ...base, ...body };
  }
}

function toolItem(body: ToolBody) {
  const { type, toolCallId, kind, status, locations } = body;
  const title = body.title ?? body.name ?? toolCallId;
  return { type, toolCallId, title, kind, status, locations, parts: toolParts(body) };
}

/** Some agents give no content at all: then what the tool put out is better than nothing. */
function toolParts({ content, rawOutput }: ToolBody): ToolPart[] {
  if (content.length > 0 || rawOutput === undefined || rawOutput === null) return [...content];
  if (typeof rawOutput !== 'string') return [{ type: 'other', value: rawOutput }];
  return [{ type: 'content', part: { type: 'text', text: rawOutput } }];
}
