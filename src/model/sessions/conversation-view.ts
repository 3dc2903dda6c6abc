// The conversation as a client should hold it, one item a message, tool call, plan or event.
import type { Json } from '../../acp/message.ts';
import type { Millis } from '../../lib/time.ts';
import type { Seq } from '../../trace/event.ts';
import type { PermissionOption } from '../facts/facts-view.ts';

export interface ItemBase {
  /** Stable while the item grows: `m:agent:<messageId>`, `t:<toolCallId>`, `#<seq>`. */
  readonly key: string;
  /** First and last frame that made it. */
  readonly first: Seq;
  readonly last: Seq;
  readonly frames: number;
  readonly at: Millis;
  /** It began in a history replay. */
  readonly replay: boolean;
  /** Some of it came after the answer of its replay window. */
  readonly late: boolean;
}

export interface MessageItem extends ItemBase {
  readonly type: 'message';
  readonly role: 'user' | 'agent' | 'thought' | 'peer';
  readonly messageId?: string;
  readonly parts: readonly ContentPart[];
  /** Of a message between sessions, where it was told; this session, where it was not. */
  readonly sender?: string;
  readonly recipient?: string;
}

/** A content block, told apart for drawing. Unknown blocks keep their JSON. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  | { readonly type: 'audio'; readonly mimeType: string; readonly data: string }
  | { readonly type: 'link'; readonly uri: string; readonly name: string }
  /** `data`: base64. */
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly text?: string;
      readonly mimeType?: string;
      readonly data?: string;
    }
  | { readonly type: 'other'; readonly name: string; readonly value: Json };

export type ToolPart =
  | { readonly type: 'content'; readonly part: ContentPart }
  | {
      readonly type: 'diff';
      readonly path: string;
      readonly oldText?: string;
      readonly newText: string;
    }
  /** v2: a git patch, already text. */
  | { readonly type: 'patch'; readonly paths: readonly string[]; readonly text: string }
  | { readonly type: 'terminal'; readonly terminalId: string }
  | { readonly type: 'other'; readonly value: Json };

export interface ToolItem extends ItemBase {
  readonly type: 'tool';
  readonly toolCallId: string;
  readonly title: string;
  readonly kind: string;
  readonly status: string;
  readonly parts: readonly ToolPart[];
  readonly locations: readonly { readonly path: string; readonly line?: number }[];
}

export interface PlanItem extends ItemBase {
  readonly type: 'plan';
  readonly entries: readonly {
    readonly content: string;
    readonly status: string;
    readonly priority?: string;
  }[];
}

/** `never`: none came until then; its words say so. */
interface AskAnswer {
  readonly seq: Seq;
  readonly words: string;
  readonly never?: true;
}

/** A permission or elicitation, open or answered. */
export interface AskItem extends ItemBase {
  readonly type: 'ask';
  readonly method: string;
  readonly title: string;
  /** What a permission may be answered with. */
  readonly options: readonly PermissionOption[];
  /** Seq of the request: the key into ConnectionFacts.open while it waits. */
  readonly request: Seq;
  readonly answer?: AskAnswer;
  /** How it was answered after the moment that is shown. */
  readonly later?: AskAnswer;
}

/** Turn ends, errors, mode changes, notices, exits: one quiet line. */
export interface NoteItem extends ItemBase {
  readonly type: 'note';
  readonly tone: 'quiet' | 'warn' | 'error';
  readonly text: string;
}

export type ConversationItem = MessageItem | ToolItem | PlanItem | AskItem | NoteItem;

/** An agent-owned terminal (v2), or a client terminal (v1) seen through its answers. */
export interface TerminalView {
  readonly terminalId: string;
  readonly session?: string;
  readonly command?: string;
  readonly cwd?: string;
  readonly exit?: string;
  /** All bytes so far, capped to the last 1 MiB. */
  readonly output: Uint8Array;
  readonly last: Seq;
}
