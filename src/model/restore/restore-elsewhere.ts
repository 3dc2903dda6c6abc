// What other traces know of a session that is restored in this one: its items, and whether it has
// history, was made or listed, or was deleted.
import { knowsHistory } from '../facts/history-known.ts';
import type { Elsewhere } from './restore-verdict.ts';
import { isMade } from '../facts/sessions.ts';
import type { TraceIndex } from '../trace-index.ts';

/** `earlier`: the traces that began before the one with the restore. */
export function elsewhereIn(earlier: readonly TraceIndex[], sessionId: string): Elsewhere {
  const known = earlier.flatMap((index) => {
    const session = index.sessionNamed(sessionId);
    return session === undefined ? [] : [{ index, session }];
  });
  return {
    items: longest(known.map(({ session }) => session.items.all())),
    history: known.some(({ index, session }) => knowsHistory(index, session.index)),
    known: known.some(({ session }) => isMade(session)),
    gone: known.some(({ session }) => session.deleted),
  };
}

function longest<T>(lists: readonly (readonly T[])[]): readonly T[] {
  return lists.reduce((most, list) => (list.length > most.length ? list : most), []);
}
