// Items as views show them: without what only the reducer needs.
import type { ConversationItem, ToolItem, ToolPart } from '../sessions/conversation-view.ts';
import type { Item, ToolBody } from './state.ts';

export function itemView(item: Item): ConversationItem {
  const { key, first, last, frames, at, replay, late, body } = item;
  const base = { key, first, last, frames, at, replay, late };
  switch (body.type) {
    case 'message': {
      const { type, role, messageId, parts, peer } = body;
      const sender = peer?.senderSessionId;
      const recipient = peer?.recipientSessionId;
      return {
        ...base,
        type,
        role,
        parts,
        ...(messageId === undefined ? {} : { messageId }),
        ...(sender === undefined ? {} : { sender }),
        ...(recipient === undefined ? {} : { recipient }),
      };
    }
    case 'tool':
      return { ...base, ...toolView(body) };
    case 'plan':
      return { ...base, type: 'plan', entries: body.entries };
    case 'ask': {
      const { answer, ...asked } = body;
      return { ...base, ...asked, ...(answer && { answer }) };
    }
    case 'note':
      return { ...base, type: 'note', tone: body.tone, text: body.text };
  }
}

type ToolView = Omit<ToolItem, 'key' | 'first' | 'last' | 'frames' | 'at' | 'replay' | 'late'>;

function toolView(body: ToolBody): ToolView {
  const { type, toolCallId, kind, status, locations } = body;
  return {
    type,
    toolCallId,
    title: toolTitle(body),
    kind,
    status,
    locations,
    parts: toolParts(body),
  };
}

export function toolTitle({ title, name, toolCallId }: ToolBody): string {
  return title ?? name ?? toolCallId;
}

/** Some agents give no content at all: then what the tool put out is better than nothing. */
function toolParts({ content, rawOutput }: ToolBody): readonly ToolPart[] {
  if (content.length > 0 || rawOutput === undefined || rawOutput === null) return content;
  if (typeof rawOutput !== 'string') return [{ type: 'other', value: rawOutput }];
  return [{ type: 'content', part: { type: 'text', text: rawOutput } }];
}
