// The session/update variants of v1 and v2: what an update is about, whether it is conversation
// history, and where each item was first spoken of.
import { get, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';

/** What an update adds to. Message ids are unique per kind of message only. */
export type ItemKind =
  'user' | 'agent' | 'thought' | 'tool' | 'terminal' | 'plan' | 'compaction' | 'peer';

interface Variant {
  readonly item: ItemKind;
  readonly id: string;
}

const message = (item: ItemKind): Variant => ({ item, id: 'messageId' });
const tool: Variant = { item: 'tool', id: 'toolCallId' };
const terminal: Variant = { item: 'terminal', id: 'terminalId' };
const compaction: Variant = { item: 'compaction', id: 'compactionId' };

const VARIANTS: ReadonlyMap<string, Variant> = new Map([
  ['user_message', message('user')],
  ['user_message_chunk', message('user')],
  ['agent_message', message('agent')],
  ['agent_message_chunk', message('agent')],
  ['agent_thought', message('thought')],
  ['agent_thought_chunk', message('thought')],
  ['session_message', message('peer')],
  ['session_message_chunk', message('peer')],
  ['tool_call', tool],
  ['tool_call_update', tool],
  ['tool_call_content_chunk', tool],
  ['terminal_update', terminal],
  ['terminal_output_chunk', terminal],
  ['compaction_update', compaction],
  ['compaction_summary_chunk', compaction],
  ['plan_update', { item: 'plan', id: 'planId' }],
  ['plan_removed', { item: 'plan', id: 'planId' }],
]);

/** Those that say something of an item. */
export const ITEM_UPDATES: readonly string[] = [...VARIANTS.keys()];
/** The fields that name what they say something of. */
export const ITEM_IDS: ReadonlySet<string> = new Set([...VARIANTS.values()].map(({ id }) => id));

export function itemKindOf(variant: string): ItemKind | undefined {
  return VARIANTS.get(variant)?.item;
}

/** Whether updates of this variant make items; a plan of v1 has no id, and is one. */
export function makesItem(variant: string): boolean {
  return variant === 'plan' || VARIANTS.has(variant);
}

export function itemIdOf(variant: string, update: JsonObject): string | undefined {
  const known = VARIANTS.get(variant);
  if (known === undefined) return undefined;
  return str(variant === 'plan_update' ? get(update, 'plan') : update, known.id);
}

export function isMessageKind(kind: ItemKind | undefined): boolean {
  return kind === 'user' || kind === 'agent' || kind === 'thought';
}

/**
 * Whether an update carries conversation: messages, those between sessions too, and tool calls. Commands, modes, config, usage,
 * titles and plans are state, which an agent may tell at any time.
 */
export function isHistory(kind: ItemKind | undefined): boolean {
  return isMessageKind(kind) || kind === 'tool' || kind === 'peer';
}

/**
 * Where each message, tool call, terminal and plan of a session was first spoken of. Replay cursors
 * name such ids, and pins stand on the frame where an id first appeared.
 */
export class Items {
  private readonly byKind = new Map<ItemKind, Map<string, number>>();
  /** The event that spoke of the session's first item. */
  first: number | undefined;
  private lastKind: ItemKind | undefined;
  private lastId = '';
  private lastIndex = 0;

  /** The event that first named this item: `index` itself if it is new. */
  of(kind: ItemKind, id: string, index: number): number {
    if (kind === this.lastKind && id === this.lastId) return this.lastIndex;
    const known = this.known(kind, id, index);
    this.lastKind = kind;
    this.lastId = id;
    this.lastIndex = known;
    return known;
  }

  /** The first items under any of these ids: one id may name a message and its thought. */
  find(ids: readonly string[]): number[] {
    return [...this.byKind.values()].flatMap((items) => ids.flatMap((id) => items.get(id) ?? []));
  }

  /** Every item, with the event that first spoke of it; those of a kind in order. */
  all(): { readonly kind: ItemKind; readonly id: string; readonly index: number }[] {
    return [...this.byKind].flatMap(([kind, items]) =>
      [...items].map(([id, index]) => ({ kind, id, index })),
    );
  }

  /** The event that first named this item. */
  get(kind: ItemKind, id: string): number | undefined {
    return this.byKind.get(kind)?.get(id);
  }

  /** The event that spoke of the first item of this kind. */
  firstOf(kind: ItemKind): number | undefined {
    return this.byKind.get(kind)?.values().next().value;
  }

  private known(kind: ItemKind, id: string, index: number): number {
    let items = this.byKind.get(kind);
    if (items === undefined) this.byKind.set(kind, (items = new Map<string, number>()));
    const known = items.get(id);
    if (known !== undefined) return known;
    items.set(id, index);
    this.first ??= index;
    return index;
  }
}
