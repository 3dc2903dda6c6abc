// History in v1's words: changes as they happen, and items as a replay sends them.
import type {
  ContentBlock,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
} from '@agentclientprotocol/sdk/unstable';
import { assertNever } from '../../lib/assert-never.ts';
import { childUpdate, peerUpdate } from '../children.ts';
import type { Subject } from '../port.ts';
import type {
  PromptBlock,
  HistoryChange,
  History,
  AgentItem,
  PlanEntry,
  ToolContent,
  ToolFields,
  AgentToolItem,
} from '../history.ts';
import { defined } from '../../lib/defined.ts';

/** The updates that tell a client of a change. A prompt is not told: its sender has it. */
export function liveUpdates(
  change: HistoryChange,
  isNew: boolean,
  { id: here, history }: Subject,
): SessionUpdate[] {
  switch (change.change) {
    case 'say':
      return [speech(change.as, change.id, change.text)];
    case 'tool': {
      const { change: _, id, ...fields } = change;
      const body = toolBody(id, fields, history);
      return isNew ? [toolCall(body)] : [{ sessionUpdate: 'tool_call_update', ...body }];
    }
    case 'output':
      return toolsShowing(change.id, history).map(({ id, fields: { content = [] } }) => ({
        sessionUpdate: 'tool_call_update',
        ...toolBody(id, { content }, history),
      }));
    case 'plan':
      return [plan(change.entries)];
    case 'usage':
      return [{ sessionUpdate: 'usage_update', used: change.used, size: change.size }];
    case 'title':
      return [{ sessionUpdate: 'session_info_update', title: change.title }];
    case 'child':
      return [childUpdate(change.id, change)];
    case 'peer':
      return [peerUpdate(change.id, change, here)];
    case 'user':
    case 'terminal':
    case 'exit':
    case 'settings':
    case 'directories':
    case 'end':
    case 'in':
      return [];
    default:
      return assertNever(change);
  }
}

/** The updates that build an item anew. */
export function replayUpdates(item: AgentItem, history: History, here: string): SessionUpdate[] {
  switch (item.kind) {
    case 'user':
      return item.content.map((block) => ({
        sessionUpdate: 'user_message_chunk',
        messageId: item.id,
        content: contentBlock(block),
      }));
    case 'agent':
    case 'thought':
      return [speech(item.kind, item.id, item.text)];
    case 'tool':
      return [toolCall(toolBody(item.id, item.fields, history))];
    case 'plan':
      return [plan(item.entries)];
    case 'peer':
      return [peerUpdate(item.id, item, here)];
    case 'terminal':
    case 'child':
      return [];
    default:
      return assertNever(item);
  }
}

type ToolBody = Partial<ToolCall> & Pick<ToolCall, 'toolCallId'>;

/** A tool call's fields, the same for a new one, a changed one and one that needs permission. */
export function toolBody(
  toolCallId: string,
  fields: Partial<ToolFields>,
  history: History,
): ToolBody {
  const { title, kind, status, locations, content, input } = fields;
  return defined({
    ...{ toolCallId, title, kind, rawInput: input },
    status: status === 'cancelled' ? ('failed' as const) : status,
    locations: locations?.map((place) => ({ ...place })),
    content: content?.map((part) => toolContent(part, history)),
  });
}

function toolContent(part: ToolContent, history: History): ToolCallContent {
  switch (part.type) {
    case 'text':
      return textContent(part.text);
    case 'diff':
      return { type: 'diff', path: part.path, oldText: part.before, newText: part.after };
    case 'terminal': {
      // In v1 terminals are the client's; one of our own is told as the text it shows.
      const terminal = history.items.get(part.terminalId);
      return textContent(terminal?.kind === 'terminal' ? plainText(terminal.output) : '');
    }
    case 'client-terminal':
      return { type: 'terminal', terminalId: part.terminalId };
    case 'session':
      // Of November 2026; the types of the SDK are older.
      return part as unknown as ToolCallContent;
    default:
      return assertNever(part);
  }
}

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

function plainText(output: string): string {
  return output.replaceAll('\r\n', '\n').replace(COLOURS, '');
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

function toolsShowing(terminalId: string, history: History): AgentToolItem[] {
  const shows = (part: ToolContent) => part.type === 'terminal' && part.terminalId === terminalId;
  return [...history.items.values()].filter(
    (item): item is AgentToolItem =>
      item.kind === 'tool' && (item.fields.content ?? []).some(shows),
  );
}

function toolCall(body: ToolBody): SessionUpdate {
  return { sessionUpdate: 'tool_call', ...body, title: body.title ?? '' };
}

function speech(as: 'agent' | 'thought', messageId: string, text: string): SessionUpdate {
  const sessionUpdate = as === 'agent' ? 'agent_message_chunk' : 'agent_thought_chunk';
  return { sessionUpdate, messageId, content: { type: 'text', text } };
}

function plan(entries: readonly PlanEntry[]): SessionUpdate {
  return {
    sessionUpdate: 'plan',
    entries: entries.map((entry) => ({ ...entry, priority: 'medium' })),
  };
}

// It came through the SDK's parser for one version; a text, a link, a resource and an image are
// written alike in both.
function contentBlock(block: PromptBlock): ContentBlock {
  return block as unknown as ContentBlock;
}
