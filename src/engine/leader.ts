// Of all tabs of this page one stores, acknowledges and answers the agent by itself; the others
// show. When it goes, the browser gives its lock to the next. They tell each other what
// changed in the database they share.
import type { ConnectionId, Seq } from '../trace/event.ts';

const LOCK = 'acp-scope-writer';
const CHANNEL = 'acp-scope';

export type TabMessage =
  | { readonly type: 'stored'; readonly connection: ConnectionId; readonly last: Seq }
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

/** Does the work under a name that other tabs can ask for. */
export async function whileHeld<T>(name: string, work: () => Promise<T>): Promise<T> {
  const manager = locks();
  return manager ? manager.request(name, work) : work();
}

/** Whether some tab works under this name now. */
export async function isHeld(name: string): Promise<boolean> {
  return (await locks()?.request(name, { ifAvailable: true }, (lock) => lock === null)) ?? false;
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
