// What a session asks of its client, in no protocol version's words. Each version has its own.
import type { JsonObject } from '../acp/message.ts';
import type {
  AgentActivity,
  HistoryChange,
  History,
  AgentToolItem,
  PromptBlock,
  EndReason,
  AgentItem,
} from './history.ts';
import type { Hooks } from './hooks.ts';
import type { Random } from './ids.ts';
import type { McpReport } from './mcp.ts';

export const PERMISSION_OPTIONS = [
  { optionId: 'allow-once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'allow-always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject-once', name: 'Reject', kind: 'reject_once' },
  { optionId: 'reject-always', name: 'Always reject', kind: 'reject_always' },
] as const;
type PermissionKind = (typeof PERMISSION_OPTIONS)[number]['kind'];

/** What a permission's outcome approves or rejects: undefined for all but our own options. */
export function permissionOf(
  outcome: { readonly outcome: string; readonly optionId?: unknown } | undefined,
): PermissionKind | undefined {
  if (outcome?.outcome !== 'selected') return undefined;
  return PERMISSION_OPTIONS.find(({ optionId }) => optionId === outcome.optionId)?.kind;
}

/** Takes a question back, and waits no longer for its answer, once the turn is cancelled. */
export function untilAborted(cancellationSignal: AbortSignal) {
  return { cancellationSignal, stopWaitingOnCancel: true };
}

export type FormAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

/** What a port needs to know of a session. */
export interface Subject {
  readonly id: string;
  readonly cwd: string;
  readonly history: History;
}

export interface Port {
  /** Tells the client of a change; `isNew` when it began an item. */
  update(session: Subject, change: HistoryChange, isNew: boolean): Promise<void>;
  /** v2 tells it in `state_update`; v1 has no word for it, but of children. */
  activity(session: Subject, activity: AgentActivity): Promise<void>;
  /** The client takes child sessions. */
  readonly children: boolean;
  /** The chosen option's kind; undefined for anything that approves nothing. */
  askPermission(
    session: Subject,
    tool: AgentToolItem,
    signal: AbortSignal,
  ): Promise<PermissionKind | undefined>;
  /** Undefined when the client does not take forms. */
  readonly askForm:
    ((session: Subject, form: Form, signal: AbortSignal) => Promise<FormAnswer>) | undefined;
  /** Sends a `cursor_update`. Undefined when the client does not take session cursors. */
  readonly cursor: ((session: Subject, update: JsonObject) => Promise<void>) | undefined;
  /** Undefined when the client does not take notices. */
  readonly warn: ((session: Subject, title: string) => Promise<void>) | undefined;
  /** What a v1 client may do for its agent; empty in v2, which has none of it. */
  readonly client: ClientTools;
}

/** The session that a change is about, and what changes there: a child's stands in its parent's. */
export function innermost(
  subject: Subject,
  change: HistoryChange,
): { readonly subject: Subject; readonly change: HistoryChange } {
  if (change.change !== 'in') return { subject, change };
  const child = subject.history.child(change.child);
  if (child === undefined) return { subject, change };
  const { id, history } = child;
  return innermost({ id, cwd: subject.cwd, history }, change.of);
}

/** Each there only when the client offers it. They reject with the client's refusal. */
export interface ClientTools {
  readonly readFile?: (session: Subject, path: string) => Promise<string>;
  readonly writeFile?: (session: Subject, path: string, text: string) => Promise<void>;
  readonly start?: (session: Subject, command: string, args: string[]) => Promise<ClientTerminal>;
}

interface ClientTerminal {
  readonly id: string;
  /** What it shows, once its command has ended. */
  finished(): Promise<{ readonly output: string; readonly exitCode: number | undefined }>;
  /** Ends the command if it still runs, and gives the terminal back. */
  release(): Promise<void>;
}

/** A form to fill in: one text, one choice. */
export interface Form {
  readonly message: string;
  readonly text: { readonly name: string; readonly title: string };
  readonly choice: {
    readonly name: string;
    readonly title: string;
    readonly options: readonly string[];
  };
}

// A form as an elicitation, alike in both protocol versions, and its answer.

export function elicitation(sessionId: string, { message, text, choice }: Form) {
  return {
    mode: 'form' as const,
    sessionId,
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        [text.name]: { type: 'string' as const, title: text.title },
        [choice.name]: { type: 'string' as const, title: choice.title, enum: [...choice.options] },
      },
      required: [text.name],
    },
  };
}

/** No answer, an error, and an action that is not known all count as cancelled. */
export function formAnswer(
  answer: { readonly action: string; readonly content?: unknown } | undefined,
): FormAnswer {
  switch (answer?.action) {
    case 'accept':
      return { action: 'accept', content: (answer.content ?? {}) as JsonObject };
    case 'decline':
      return { action: 'decline' };
    default:
      return { action: 'cancel' };
  }
}

// Who plays a script: a session of the client's, or a child of one.

/** What every session of a connection shares. */
export interface Surroundings {
  readonly port: Port;
  /** Multiplies every delay. */
  readonly pace: number;
  readonly hooks: Hooks;
  readonly log: (line: string) => void;
  /** Does what a prompt asks for, until it is done or the turn is cancelled. */
  readonly play: (
    session: Root,
    content: readonly PromptBlock[],
    random: Random,
    signal: AbortSignal,
  ) => Promise<void>;
}

export interface Actor extends Subject {
  readonly around: Surroundings;
  /** What the person said about edits for good; it holds as long as the session is active. */
  edits: 'ask' | 'always' | 'never';
  /** What the client may end by itself while it runs: tool calls and terminals, by id. */
  readonly stoppable: Map<string, AbortController>;
  /** Children at work. */
  readonly children: Map<string, Worker>;
  /** An id no item of this session has, and the same again when all is done again. */
  newId(prefix: string): string;
  /** Writes a change down, then tells the client. */
  change(change: HistoryChange): Promise<void>;
  act(activity: AgentActivity): Promise<void>;
}

/** A session of the client's. */
export interface Root extends Actor {
  /** The MCP servers of which it has not spoken. */
  takeMcpNews(): Promise<readonly McpReport[]>;
  mcpReports(): Promise<readonly McpReport[]>;
  /** What it knows of its history. */
  remembered(): readonly AgentItem[];
}

export interface Worker {
  readonly id: string;
  readonly children: Actor['children'];
  /** Its work ends with its parent's turn. */
  readonly ofTurn: boolean;
  /** How its work ended; it never fails. */
  readonly ended: Promise<EndReason>;
  cancel(): void;
  /** Says again what it is and does, after a restore; those it owns too. */
  announceAgain(): Promise<void>;
}
