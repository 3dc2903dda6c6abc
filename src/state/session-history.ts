// What happened to a session, for the view of its history.
import type { SessionEvent } from '../model/session-history.ts';
import type { App } from './app.svelte.ts';

/** On every connection in memory, in the order of time. */
export function historyOf({ engine }: App, sessionId: string): Promise<readonly SessionEvent[]> {
  return engine.sessionHistory(sessionId);
}
