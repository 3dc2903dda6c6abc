// The session/update variants of v1 and v2, as the timeline needs them: what an update is about,
// and whether it is conversation history.
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

export function itemKindOf(variant: string): ItemKind | undefined {
  return VARIANTS.get(variant)?.item;
}

/** The id of the item an update is about, where it names one. */
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
