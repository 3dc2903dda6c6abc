// What a session's history is made of, in no protocol version's words: changes as they happen
// (and as they are stored), and the items that they add up to.
import { assertNever } from '../lib/assert-never.ts';
import { isFinal } from '../acp/update.ts';
import type { Json, JsonObject } from '../acp/message.ts';

/** A content block of a prompt, kept as the client sent it. */
export type PromptBlock = JsonObject & { readonly type: string };

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'diff';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    }
  /** The agent's own, an item of the history. */
  | { readonly type: 'terminal'; readonly terminalId: string }
  /** A v1 client's; it stands in a tool call only while that runs. */
  | { readonly type: 'client-terminal'; readonly terminalId: string }
  /** A link to a session, that of a child. */
  | { readonly type: 'session'; readonly sessionId: string };

export interface ToolFields {
  readonly title: string;
  readonly kind: 'read' | 'edit' | 'execute' | 'other';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';
  readonly locations: readonly { readonly path: string; readonly line: number }[];
  readonly content: readonly ToolContent[];
  readonly input: Json;
  /** The client may end it while it runs (v2 `tool_call/cancel`). */
  readonly cancellable?: boolean;
}

export interface PlanEntry {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

export interface Settings {
  readonly mode: string;
  readonly model: string;
  readonly terse: boolean;
}

export type EndReason = 'end_turn' | 'cancelled' | 'interrupted';

/** What a session does. `idle` after a turn says how that ended. */
export type AgentActivity =
  | { readonly state: 'running' | 'requires_action' }
  | { readonly state: 'idle'; readonly reason?: EndReason };

/** What the parent of a child session says of it. */
export interface ChildFields {
  readonly title: string;
  readonly description: string;
  readonly activity: AgentActivity;
  /** The client may cancel its work. */
  readonly cancellable: boolean;
}

/** One side's view of a message between two sessions. */
export interface PeerFields {
  /** The other session, and the same message there. */
  readonly other: string;
  readonly twin: string;
  readonly sent: boolean;
  readonly text: string;
}

/** One line of a session's file after the first. */
export type HistoryChange =
  | { readonly change: 'user'; readonly id: string; readonly content: readonly PromptBlock[] }
  | {
      readonly change: 'say';
      readonly id: string;
      readonly as: 'agent' | 'thought';
      readonly text: string;
    }
  | ({ readonly change: 'tool'; readonly id: string } & Partial<ToolFields>)
  | {
      readonly change: 'terminal';
      readonly id: string;
      readonly command: string;
      readonly cwd: string;
    }
  | { readonly change: 'output'; readonly id: string; readonly text: string }
  | {
      readonly change: 'exit';
      readonly id: string;
      readonly code?: number;
      readonly signal?: string;
    }
  | { readonly change: 'plan'; readonly id: string; readonly entries: readonly PlanEntry[] }
  | { readonly change: 'usage'; readonly used: number; readonly size: number }
  | { readonly change: 'title'; readonly title: string }
  | ({ readonly change: 'settings' } & Partial<Settings>)
  | { readonly change: 'directories'; readonly directories: readonly string[] }
  | { readonly change: 'end'; readonly reason: EndReason }
  /** A child session, announced or told anew. */
  | ({ readonly change: 'child'; readonly id: string } & Partial<ChildFields>)
  /** A change of that child's own. */
  | { readonly change: 'in'; readonly child: string; readonly of: HistoryChange }
  | ({ readonly change: 'peer'; readonly id: string } & PeerFields);

interface UserItem {
  readonly kind: 'user';
  readonly id: string;
  readonly content: readonly PromptBlock[];
}
interface SpeechItem {
  readonly kind: 'agent' | 'thought';
  readonly id: string;
  readonly text: string;
}
export interface AgentToolItem {
  readonly kind: 'tool';
  readonly id: string;
  readonly fields: Partial<ToolFields>;
}
interface TerminalItem {
  readonly kind: 'terminal';
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly output: string;
  readonly exit?: { readonly code?: number; readonly signal?: string };
}
interface PlanItem {
  readonly kind: 'plan';
  readonly id: string;
  readonly entries: readonly PlanEntry[];
}
/** A child session stands in its parent's history where it was announced. */
interface ChildItem {
  readonly kind: 'child';
  readonly id: string;
  readonly fields: Partial<ChildFields>;
  readonly history: History;
}
interface PeerItem extends PeerFields {
  readonly kind: 'peer';
  readonly id: string;
}
export type AgentItem =
  UserItem | SpeechItem | AgentToolItem | TerminalItem | PlanItem | ChildItem | PeerItem;

const DEFAULTS: Settings = { mode: 'ask', model: 'sketch', terse: false };

/** The fold of a session's changes. Items stand in the order of their first change. */
export class History {
  readonly items = new Map<string, AgentItem>();
  settings: Settings = DEFAULTS;
  directories: readonly string[] = [];
  title: string | undefined;
  usage: { readonly used: number; readonly size: number } | undefined;
  /** Prompts that entered the history so far. */
  prompts = 0;
  /** A turn began and has not ended: it runs, or its process was killed. */
  open = false;

  /** Takes in one change; true when it began a new item. */
  apply(change: HistoryChange): boolean {
    const before = this.items.size;
    switch (change.change) {
      case 'user':
        this.prompts++;
        this.open = true;
        this.items.set(change.id, { kind: 'user', id: change.id, content: change.content });
        break;
      case 'say': {
        const said = this.items.get(change.id);
        const text = said?.kind === change.as ? said.text : '';
        this.items.set(change.id, { kind: change.as, id: change.id, text: text + change.text });
        break;
      }
      case 'tool': {
        const { change: _, id, ...fields } = change;
        const tool = this.items.get(id);
        const known = tool?.kind === 'tool' ? tool.fields : {};
        this.items.set(id, { kind: 'tool', id, fields: { ...known, ...fields } });
        break;
      }
      case 'terminal': {
        const { change: _, ...terminal } = change;
        this.items.set(change.id, { kind: 'terminal', ...terminal, output: '' });
        break;
      }
      case 'output':
        this.terminal(change.id, (item) => ({ ...item, output: item.output + change.text }));
        break;
      case 'exit': {
        const { change: _, id, ...exit } = change;
        this.terminal(id, (item) => ({ ...item, exit }));
        break;
      }
      case 'plan':
        this.items.set(change.id, { kind: 'plan', id: change.id, entries: change.entries });
        break;
      case 'usage':
        this.usage = { used: change.used, size: change.size };
        break;
      case 'title':
        this.title = change.title;
        break;
      case 'settings': {
        const { change: _, ...settings } = change;
        this.settings = { ...this.settings, ...settings };
        break;
      }
      case 'directories':
        this.directories = change.directories;
        break;
      case 'end':
        this.open = false;
        break;
      case 'child': {
        const { change: _, id, ...fields } = change;
        const known = this.child(id);
        const history = known?.history ?? new History();
        this.items.set(id, { kind: 'child', id, fields: { ...known?.fields, ...fields }, history });
        break;
      }
      case 'in':
        return this.child(change.child)?.history.apply(change.of) ?? false;
      case 'peer': {
        const { change: _, ...peer } = change;
        this.items.set(change.id, { kind: 'peer', ...peer });
        break;
      }
      default:
        assertNever(change);
    }
    return this.items.size > before;
  }

  /** A child of its own, not of a child. */
  child(id: string): ChildItem | undefined {
    const item = this.items.get(id);
    return item?.kind === 'child' ? item : undefined;
  }

  children(): ChildItem[] {
    return [...this.items.values()].filter((item) => item.kind === 'child');
  }

  /** Whether this is a session below it, at any depth. */
  owns(id: string): boolean {
    return this.children().some((child) => child.id === id || child.history.owns(id));
  }

  private terminal(id: string, change: (item: TerminalItem) => TerminalItem): void {
    const item = this.items.get(id);
    if (item?.kind === 'terminal') this.items.set(id, change(item));
  }
}

/** The changes that bring what an interrupted or cancelled turn left open to an end. */
export function closing(history: History): HistoryChange[] {
  return [...history.items.values()].flatMap((item): HistoryChange[] => {
    if (item.kind === 'terminal' && !item.exit)
      return [{ change: 'exit', id: item.id, signal: 'SIGTERM' }];
    if (item.kind === 'tool' && !isFinal(item.fields.status))
      return [
        {
          change: 'tool',
          id: item.id,
          status: 'cancelled',
          ...(item.fields.cancellable ? { cancellable: false } : {}),
        },
      ];
    return [];
  });
}

/** The changes that end children whose process was killed. */
export function orphaned(history: History): HistoryChange[] {
  return history.children().flatMap(({ id, fields, history: own }): HistoryChange[] => {
    const inside = [...orphaned(own), ...closing(own)];
    const ends = fields.activity !== undefined && fields.activity.state !== 'idle';
    return [
      ...inside.map((of): HistoryChange => ({ change: 'in', child: id, of })),
      ...(ends ? [childEnd(id, 'interrupted')] : []),
    ];
  });
}

export function childEnd(id: string, reason: EndReason): HistoryChange {
  return { change: 'child', id, activity: { state: 'idle', reason }, cancellable: false };
}

/** The text blocks of a prompt, as one text. */
export function textOfBlocks(content: readonly PromptBlock[]): string {
  return content
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}
