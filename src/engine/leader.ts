// Of all tabs of this page one stores, acknowledges and answers the agent by itself; the others
// show. When it goes, the browser gives its lock to the next. They tell each other what
// changed in the database they share.
import type { StoredTrace } from '../storage/schema.ts';
import type { ConnectionId } from '../trace/event.ts';

const LOCK = 'acp-scope-writer';
const CHANNEL = 'acp-scope';
/** Held while a file is read into this trace. */
const READING = 'acp-scope-reading:';

export type TabMessage =
  | { readonly type: 'stored'; readonly trace: StoredTrace }
  /** The list of traces changed: named, deleted, imported. */
  | { readonly type: 'traces' }
  /** How we drive this connection was chosen or changed. */
  | { readonly type: 'drive'; readonly connection: ConnectionId };

export interface Tabs {
  tell(message: TabMessage): void;
}

/** `onLead` is called once, when this tab leads. */
export function joinTabs(onLead: () => void, onMessage: (message: TabMessage) => void): Tabs {
  lead(onLead);
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

function locks(): LockManager | undefined {
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
}

function lead(onLead: () => void): void {
  // Without locks there is no telling who else is there: store; nothing is stored twice anyway.
  const manager = locks();
  if (!manager) return onLead();
  const held = manager.request(LOCK, () => {
    onLead();
    return new Promise<never>(() => undefined); // until the tab ends
  });
  held.catch(onLead); // refused by a browser that keeps locks from this context
}
