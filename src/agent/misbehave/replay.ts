// Faults in what a history replay holds.
import { randomBytes } from 'node:crypto';
import {
  SessionUpdate as is,
  type ContentChunk,
  type SessionUpdate,
  type UserMessage,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { Item } from '../history.ts';

/** `lossy-replay`: no tool calls, no terminals, and of each agent message the first half. */
export function loses(items: readonly Item[]): Item[] {
  return items.flatMap((item): Item[] => {
    if (item.kind === 'tool' || item.kind === 'terminal') return [];
    return [item.kind === 'agent' ? { ...item, text: firstHalf(item.text) } : item];
  });
}

/** Cut behind a character, never inside one. */
function firstHalf(text: string): string {
  const characters = [...text];
  return characters.slice(0, Math.ceil(characters.length / 2)).join('');
}

/** `unstable-message-ids`: new ids each time. Tool calls, terminals and plans keep theirs. */
export function renames(items: readonly Item[]): Item[] {
  return items.map((item) => {
    const isMessage = item.kind === 'user' || item.kind === 'agent' || item.kind === 'thought';
    return isMessage ? { ...item, id: `msg_${randomBytes(8).toString('hex')}` } : item;
  });
}

/** `missing-baseline`: what was an upsert of a message becomes its chunks alone. */
export function chunksOnly(update: SessionUpdate): SessionUpdate[] {
  if (is.isUserMessage(update))
    return blocks(update, (chunk) => ({ sessionUpdate: 'user_message_chunk', ...chunk }));
  if (is.isAgentMessage(update))
    return blocks(update, (chunk) => ({ sessionUpdate: 'agent_message_chunk', ...chunk }));
  if (is.isAgentThought(update))
    return blocks(update, (chunk) => ({ sessionUpdate: 'agent_thought_chunk', ...chunk }));
  return [update];
}

function blocks(
  { messageId, content }: UserMessage,
  chunk: (chunk: ContentChunk) => SessionUpdate,
): SessionUpdate[] {
  return (content ?? []).map((block) => chunk({ messageId, content: block }));
}
