// Folding a drawn trace into the conversation of session s1, and telling it back as lines of text.
import { parseMessage } from '../acp/message.ts';
import type { ConversationItem } from '../model/conversation-view.ts';
import { ConversationFold } from '../model/conversation.ts';
import { seq, type TraceEvent } from '../trace/event.ts';
import { lineText } from '../trace/line.ts';
import { draw } from './draw.ts';

/** Appends one event as live, or as history replay. */
export function append(fold: ConversationFold, event: TraceEvent, replay = false): void {
  const message = event.type === 'frame' ? parseMessage(lineText(event.line)) : undefined;
  fold.append(event, message, { replay, late: false });
}

/** Folds session s1. `replayed`: seqs that are history replay. */
export function fold(
  picture: string,
  version?: number,
  replayed: readonly number[] = [],
): ConversationFold {
  const conversation = new ConversationFold('s1', version);
  for (const event of draw(picture)) append(conversation, event, replayed.includes(event.seq));
  return conversation;
}

/** One drawn event with this seq. */
export function drawn(line: string, at: number): TraceEvent {
  const [event] = draw(line);
  if (!event) throw new Error(`nothing drawn by ${line}`);
  return { ...event, seq: seq(at) };
}

/** Each item as one line of text. */
export function story(conversation: ConversationFold): string[] {
  return conversation.since(0).items.map(({ item }) => told(item));
}

export function told(item: ConversationItem): string {
  switch (item.type) {
    case 'message':
      return `${item.role}: ${item.parts.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('|')}`;
    case 'tool':
      return `tool: ${item.title} (${item.kind}, ${item.status})`;
    case 'plan':
      return `plan: ${item.entries.map((entry) => `${entry.content} ${entry.status}`).join(', ')}`;
    case 'ask':
      return `ask: ${item.title} → ${item.answer?.words ?? 'waits'}`;
    case 'note':
      return `${item.tone}: ${item.text}`;
  }
}
