// Which sessions are child sessions: on this connection, and on any connection of the trace set.
import { childIdOf } from '../../acp/update.ts';
import { type Session, fact, type SessionAtAgent } from '../connection.ts';
import { onUpdate } from '../listen.ts';
import type { Fold } from '../rule.ts';

const announced = fact<SessionAtAgent, { asChild: boolean }>(() => ({ asChild: false }));

export const familyFold: Fold = [
  onUpdate(['subagent_update'], ({ update }, connection) => {
    const child = connection.sessions.get(childIdOf(update) ?? '');
    if (child !== undefined && isChild(child)) announced.of(child.stored).asChild = true;
  }),
];

/** True if this connection announced the session as a child. */
export function isChild(session: Session): boolean {
  return session.connection.windows.children.of(session) !== undefined;
}

/** True if any connection announced the session as a child. */
export function wasChild(stored: SessionAtAgent): boolean {
  return announced.of(stored).asChild;
}
