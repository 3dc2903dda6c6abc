// Sessions with their children under them, as lists show them.
import type { SessionFacts } from '../facts/facts-view.ts';

interface TreeLine {
  readonly session: SessionFacts;
  /** 0: it is nobody's child, or of one that is not in the list. */
  readonly depth: number;
}

/** In the order given, each followed by its children and theirs. */
export function sessionTree(sessions: readonly SessionFacts[]): readonly TreeLine[] {
  const ids = new Set(sessions.map(({ sessionId }) => sessionId));
  const below = new Map<string | undefined, SessionFacts[]>();
  for (const session of sessions) {
    const { parent } = session;
    const under = parent !== undefined && ids.has(parent) ? parent : undefined;
    const known = below.get(under);
    if (known) known.push(session);
    else below.set(under, [session]);
  }
  const lines = (parent: string | undefined, depth: number): readonly TreeLine[] =>
    (below.get(parent) ?? []).flatMap((session) => [
      { session, depth },
      ...lines(session.sessionId, depth + 1),
    ]);
  return lines(undefined, 0);
}

/** Likewise all that stand under a session that is nobody's child. */
export function sessionsBelow(
  sessions: readonly SessionFacts[],
  root: SessionFacts,
): readonly TreeLine[] {
  const tree = sessionTree(sessions);
  const at = tree.findIndex(({ session, depth }) => session === root && depth === 0);
  if (at < 0) return [];
  const end = tree.findIndex(({ depth }, i) => i > at && depth === 0);
  return tree.slice(at + 1, end < 0 ? undefined : end);
}

/** The session that owns it, or owns the one that does; itself, where nobody does. */
export function rootSession(sessions: readonly SessionFacts[], of: SessionFacts): SessionFacts {
  const parent = sessions.find(({ sessionId }) => sessionId === of.parent);
  return parent ? rootSession(sessions, parent) : of;
}

/** A query for the frames of a session and of its children; undefined: it has none. */
export function treeQuery(
  sessions: readonly SessionFacts[],
  { sessionId, chip }: SessionFacts,
): string | undefined {
  return sessions.some(({ parent }) => parent === sessionId) ? `session:${chip}+` : undefined;
}
