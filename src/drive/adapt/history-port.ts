// The store as the adapter asks for it. Synchronous: what is asked next on the wire finds it done.
import type { Version } from '../../acp/methods.ts';
import type { Entry } from './entry.ts';

/** Whether this process may write a session's history. */
export type Claim =
  /** `stored`: there is one already. */
  | { readonly kind: 'ours'; readonly stored: boolean }
  /** It cannot be had, and why, as a sentence that names the fix. */
  | { readonly kind: 'refused'; readonly why: string };

export interface HistoryPort {
  /** Takes the session for this process, without writing anything. */
  claim(session: string): Claim;
  /** Takes it up: makes the history where there is none, as known from its begin or not. */
  begin(session: string, begin: 'new' | 'middle', acp: Version): void;
  /** Makes the new session's history from the other's, as far as that position. */
  copy(from: string, to: string, until: number, acp: Version): void;
  add(session: string, entry: Entry): void;
  /** Notes in a history that is another's what it does not have. */
  missed(session: string, why: string): void;
  /** Where its end is now. */
  position(session: string): number;
  /** Gives the session free for other processes. */
  release(session: string): void;
  remove(session: string): void;
}
