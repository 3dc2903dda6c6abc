// The restores under way. Of a session that is being restored here, the agent's updates wait until
// it is known whether the agent tells the history itself; then they come behind it, in their order.
import type { JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import type { SessionUpdate } from '../../acp/update.ts';
import type { Side } from '../../trace/event.ts';

// What the adapter does about a line.

/** A history to be told to the editor, up to the position it had when it was asked for. */
export interface PendingReplay {
  readonly session: string;
  readonly until: number;
  readonly acp: Version;
  readonly compactions: boolean;
}

export type AdapterAction =
  /** The line goes on as it came. */
  | { readonly do: 'pass' }
  /** A line of ours, or one that was held: to that side, without its 0x0A. */
  | { readonly do: 'send'; readonly to: Side; readonly line: string }
  | { readonly do: 'replay'; readonly replay: PendingReplay }
  /** One sentence for stderr. */
  | { readonly do: 'say'; readonly text: string };

/** In order; nothing: the line is held, or answered by nobody. */
export type Actions = readonly AdapterAction[];

export const PASS: Actions = [{ do: 'pass' }];

export function send(to: Side, line: string): AdapterAction {
  return { do: 'send', to, line };
}

export function sayAction(text: string): AdapterAction {
  return { do: 'say', text };
}

export interface AdapterWindow {
  readonly session: string;
  /** Updates wait: the history may have to come before them. */
  holding: boolean;
  readonly held: string[];
  heldChars: number;
  /** The agent told history, or so much that it must be. */
  agentTells: boolean;
  /** How far the history goes that is to be told, of a session that was active before. */
  readonly until: number | undefined;
}

/** Characters that wait at most. An agent that sends more before its answer replays by itself. */
const MOST_HELD = 64 * 1024 * 1024;

const MESSAGES = new Set([
  'user_message',
  'agent_message',
  'agent_thought',
  'agent_message_chunk',
  'agent_thought_chunk',
  'compaction_update',
]);

export class AdapterWindows {
  readonly #open: AdapterWindow[] = [];

  /** Whether any update may have to wait. */
  get holding(): boolean {
    return this.#open.some(({ holding }) => holding);
  }

  open(window: Omit<AdapterWindow, 'held' | 'heldChars' | 'agentTells'>): AdapterWindow {
    const opened = { ...window, held: [], heldChars: 0, agentTells: false };
    this.#open.push(opened);
    return opened;
  }

  /** The first window of the session: an update belongs to the restore that is answered next. */
  of(session: string): AdapterWindow | undefined {
    return this.#open.find((window) => window.session === session);
  }

  close(window: AdapterWindow): void {
    const at = this.#open.indexOf(window);
    if (at >= 0) this.#open.splice(at, 1);
  }

  /** Everything that waits, for a stream that ends. */
  drain(): AdapterAction[] {
    return this.#open.flatMap(letGo);
  }
}

/** Takes an update into a window that holds; what may go on now. */
export function hold(
  window: AdapterWindow,
  line: string,
  { variant }: SessionUpdate,
  acp: 1 | 2,
): readonly AdapterAction[] {
  window.held.push(line);
  window.heldChars += line.length;
  const user = variant === 'user_message_chunk' || variant === 'user_message';
  // A v1 agent may greet in a resume; what the user said, it only repeats.
  window.agentTells ||= user || (acp === 2 && MESSAGES.has(variant));
  window.agentTells ||= window.heldChars > MOST_HELD;
  return window.agentTells ? letGo(window) : [];
}

export function letGo(window: AdapterWindow): AdapterAction[] {
  window.holding = false;
  return window.held.splice(0).map((line) => send('client', line));
}

// The editor's requests on their way, as far as their answers matter to the adapter.

export interface RestoreSeen {
  readonly kind: 'restore';
  readonly window: AdapterWindow;
  /** The line, where the adapter may have to ask again in other words. */
  readonly request: string | undefined;
}

export type AskedOfHistory =
  | { readonly kind: 'initialize'; readonly client: JsonObject }
  | { readonly kind: 'new' }
  /** `until`: how far the history goes that the new session shares; undefined: it has none. */
  | { readonly kind: 'fork'; readonly from: string; readonly until: number | undefined }
  | RestoreSeen
  | { readonly kind: 'prompt'; readonly session: string; readonly prompt: string }
  | { readonly kind: 'close' | 'delete'; readonly session: string };

/** A request of ours to the agent, made in the place of one of the editor's. */
export interface Own {
  /** The editor's id, as it stood in its line. */
  readonly editorId: string;
  readonly window: AdapterWindow;
}
