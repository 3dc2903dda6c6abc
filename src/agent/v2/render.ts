// History in v2's words: changes as they happen, and items as a replay sends them.
import type {
  ContentBlock,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { childUpdate, peerUpdate, cancelled } from '../children.ts';
import type {
  PromptBlock,
  HistoryChange,
  AgentItem,
  PlanEntry,
  ToolContent,
  ToolFields,
} from '../history.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { defined } from '../../lib/defined.ts';

/** The updates that tell a client of a change. */
export function liveUpdates(change: HistoryChange, here: string): SessionUpdate[] {
  switch (change.change) {
    case 'user':
      return [message('user', change.id, change.content.map(contentBlock))];
    case 'say':
      return [chunk(change.as, change.id, change.text)];
    case 'tool': {
      const { change: _, id, ...fields } = change;
      return [{ sessionUpdate: 'tool_call_update', ...toolBody(id, fields) }];
    }
    case 'terminal': {
      const { id: terminalId, command, cwd } = change;
      const capabilities = { cancel: {} };
      return [{ sessionUpdate: 'terminal_update', terminalId, command, cwd, capabilities }];
    }
    case 'output': {
      const data = base64(change.text);
      return [{ sessionUpdate: 'terminal_output_chunk', terminalId: change.id, data }];
    }
    case 'exit': {
      const ended = { exitStatus: exitOf(change), capabilities: null };
      return [{ sessionUpdate: 'terminal_update', terminalId: change.id, ...ended }];
    }
    case 'plan':
      return [plan(change.id, change.entries)];
    case 'usage':
      return [{ sessionUpdate: 'usage_update', used: change.used, size: change.size }];
    case 'title':
      return [{ sessionUpdate: 'session_info_update', title: change.title }];
    case 'child':
      return [childUpdate(change.id, change)];
    case 'peer':
      return [peerUpdate(change.id, change, here)];
    case 'settings':
    case 'directories':
    case 'end':
    case 'in':
      return [];
    default:
      return assertNever(change);
  }
}

/** The upserts that build an item anew, whole. */
export function replayUpdates(item: AgentItem, here: string): SessionUpdate[] {
  switch (item.kind) {
    case 'user':
      return [message('user', item.id, item.content.map(contentBlock))];
    case 'agent':
    case 'thought':
      return [message(item.kind, item.id, [{ type: 'text', text: item.text }])];
    case 'tool':
      return [{ sessionUpdate: 'tool_call_update', ...toolBody(item.id, item.fields) }];
    case 'terminal': {
      const { id: terminalId, command, cwd, exit } = item;
      const output = { data: base64(item.output) };
      const end = exit ? { exitStatus: exitOf(exit) } : { capabilities: { cancel: {} } };
      return [{ sessionUpdate: 'terminal_update', terminalId, command, cwd, output, ...end }];
    }
    case 'plan':
      return [plan(item.id, item.entries)];
    case 'peer':
      return [peerUpdate(item.id, item, here)];
    case 'child':
      return [];
    default:
      return assertNever(item);
  }
}

/** A tool call's fields, also as the subject of a permission request. */
export function toolBody(toolCallId: string, fields: Partial<ToolFields>): ToolCallUpdate {
  const { title, kind, status, locations, content, input, cancellable } = fields;
  return defined({
    ...{ toolCallId, title, kind, status, rawInput: input },
    locations: locations?.map((place) => ({ ...place })),
    content: content?.map(toolContent),
    capabilities: cancelled(cancellable),
  });
}

function toolContent(part: ToolContent): ToolCallContent {
  switch (part.type) {
    case 'text':
      return { type: 'content', content: { type: 'text', text: part.text } };
    case 'diff':
      return {
        type: 'diff',
        changes: [{ operation: 'modify', path: part.path, fileType: 'text' }],
        patch: { format: 'git_patch', text: gitPatch(part.path, part.before, part.after) },
      };
    case 'terminal':
    case 'client-terminal':
      return { type: 'terminal', terminalId: part.terminalId };
    case 'session':
      // Of November 2026; the types of the SDK are older.
      return part as unknown as ToolCallContent;
    default:
      return assertNever(part);
  }
}

function message(
  from: 'user' | 'agent' | 'thought',
  messageId: string,
  content: ContentBlock[],
): SessionUpdate {
  switch (from) {
    case 'user':
      return { sessionUpdate: 'user_message', messageId, content };
    case 'agent':
      return { sessionUpdate: 'agent_message', messageId, content };
    case 'thought':
      return { sessionUpdate: 'agent_thought', messageId, content };
  }
}

function chunk(as: 'agent' | 'thought', messageId: string, text: string): SessionUpdate {
  const content = { type: 'text', text } as const;
  return as === 'agent'
    ? { sessionUpdate: 'agent_message_chunk', messageId, content }
    : { sessionUpdate: 'agent_thought_chunk', messageId, content };
}

function plan(planId: string, entries: readonly PlanEntry[]): SessionUpdate {
  return {
    sessionUpdate: 'plan_update',
    plan: {
      type: 'items',
      planId,
      entries: entries.map((entry) => ({ ...entry, priority: 'medium' })),
    },
  };
}

function exitOf({ code: exitCode, signal }: { readonly code?: number; readonly signal?: string }) {
  return defined({ exitCode, signal });
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

// It came through the SDK's parser for one version; a text, a link, a resource and an image are
// written alike in both.
function contentBlock(block: PromptBlock): ContentBlock {
  return block as unknown as ContentBlock;
}

// The change of one file as a git patch with one hunk around all that differs. Not `diff`: it does not
// quote names as Git does, and the command would carry one more dependency for forty lines.

const CONTEXT = 3;

/** ACP names the file by its absolute path, without the prefixes that git writes itself. */
export function gitPatch(path: string, before: string, after: string): string {
  const name = quoted(path);
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;

  const from = Math.max(0, head - CONTEXT);
  const kept = Math.min(tail, CONTEXT);
  const size = (lines: readonly string[]) => lines.length - tail + kept - from;
  return [
    `diff --git ${name} ${name}`,
    `--- ${name}`,
    `+++ ${name}`,
    `@@ -${range(from, size(old))} +${range(from, size(now))} @@`,
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + kept).map((line) => ` ${line}`),
    '',
  ].join('\n');
}

/** Git quotes a path with a backslash or a quote in it, such as one of Windows. */
function quoted(path: string): string {
  return /["\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path;
}

function range(from: number, size: number): string {
  return `${String(size === 0 ? from : from + 1)},${String(size)}`;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
