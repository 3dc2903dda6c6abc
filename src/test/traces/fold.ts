// Folding a drawn trace into the state of session s1, and telling its conversation as lines of text.
import { parseMessage } from '../../acp/message.ts';
import type { ConversationItem } from '../../model/sessions/conversation-view.ts';
import { reduce } from '../../model/fold/reduce.ts';
import { freshState, type SessionState } from '../../model/fold/state.ts';
import { itemView } from '../../model/fold/look.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { draw } from './draw.ts';

/** The state after one event more, taken as live or as history replay. */
export function append(state: SessionState, event: TraceEvent, replay = false): SessionState {
  const message = event.type === 'frame' ? parseMessage(lineText(event.line)) : undefined;
  return reduce(state, event, message, { replay, late: false });
}

/** Folds session s1. `replayed`: seqs that are history replay. */
export function fold(
  picture: string,
  version?: number,
  replayed: readonly number[] = [],
): SessionState {
  return draw(picture).reduce(
    (state, event) => append(state, event, replayed.includes(event.seq)),
    freshState('s1', version),
  );
}

/** One drawn event with this seq. */
export function drawn(line: string, at: number): TraceEvent {
  const [event] = draw(line);
  if (!event) throw new Error(`nothing drawn by ${line}`);
  return { ...event, seq: seq(at) };
}

export function itemsOf({ items }: SessionState): ConversationItem[] {
  return items.slice(0, items.length).map(itemView);
}

/** Each item as one line of text. */
export function story(state: SessionState): string[] {
  return itemsOf(state).map(told);
}

function told(item: ConversationItem): string {
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
