// Of all tabs of this page that have a link one stores, acknowledges and answers the agent by
// itself; the others show. When it goes or loses its link, the browser gives its lock to the next.
// They tell each other what changed in the database they share.
import type { StoredTrace } from '../../storage/schema.ts';
import type { ConnectionId } from '../../trace/event.ts';

const LOCK = 'acp-scope-writer';
const CHANNEL = 'acp-scope';
/** Held while a file is read into this trace. */
const READING = 'acp-scope-reading:';

export type TabMessage =
  | { readonly type: 'stored'; readonly trace: StoredTrace }
  /** The list of traces changed: named, deleted, imported. */
  | { readonly type: 'traces' }
  /** A mark or a suppression of this trace was set or taken back. */
  | { readonly type: 'annotated'; readonly connection: ConnectionId }
  /** How we drive this connection was chosen or changed. */
  | { readonly type: 'drive'; readonly connection: ConnectionId };

export interface Tabs {
  tell(message: TabMessage): void;
}

export function joinTabs(onMessage: (message: TabMessage) => void): Tabs {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => undefined };
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data);
  return { tell: (message) => channel.postMessage(message) };
}

/** Reads a file into a trace, so that other tabs can tell. */
export async function whileReading<T>(
  connection: ConnectionId,
  work: () => Promise<T>,
): Promise<T> {
  const manager = locks();
  return manager ? manager.request(READING + connection, work) : work();
}

/** Whether some tab reads a file into this trace now. */
export async function isBeingRead(connection: ConnectionId): Promise<boolean> {
  const held = locks()?.request(READING + connection, { ifAvailable: true }, (lock) => !lock);
  return (await held) ?? false;
}

/** None where the page is of no origin, as one that opens from a file. */
export function locks(): LockManager | undefined {
  if (globalThis.origin === 'null') return undefined;
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
}

/** This tab's place among those that want to lead. */
export class Leadership {
  readonly #onLead: () => void;
  /** Takes the tab out of the queue, or from its head. */
  #leave: (() => void) | undefined;

  /** `onLead`: no other tab leads, this one does from now on. */
  constructor(onLead: () => void) {
    this.#onLead = onLead;
  }

  /** Leads as soon as no other tab does. */
  seek(): void {
    // Without locks there is no telling who else is there: store; nothing is stored twice anyway.
    const manager = locks();
    if (!manager) return this.#onLead();
    if (this.#leave) return;
    const left = new AbortController();
    this.#leave = () => left.abort();
    const held = manager.request(LOCK, { signal: left.signal }, async () => {
      this.#onLead();
      await new Promise((resolve) => left.signal.addEventListener('abort', resolve));
    });
    held.catch(() => {
      // Refused by a browser that keeps locks from this context.
      if (!left.signal.aborted) this.#onLead();
    });
  }

  /** Leaves it to another tab. */
  yield(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}
