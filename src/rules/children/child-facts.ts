// What is known of child sessions beyond their connection: that a stored session is one, and that a
// session was lived by a client that takes them.
import { childIdOf } from '../../acp/update.ts';
import { clientHas } from '../init/handshake.ts';
import { obj } from '../../acp/json.ts';
import { isRunning } from '../../model/facts/children.ts';
import {
  type Connection,
  type RestoreWindow,
  type Session,
  fact,
  type SessionAtAgent,
} from '../connection.ts';
import { onUpdate } from '../listen.ts';
import type { Fold } from '../rule.ts';

interface Family {
  /** Some connection announced it as a child. */
  isChild: boolean;
  /** A child of it was announced as it was made, not only in a replay. */
  hadChildren: boolean;
  /** As a child it was at work, as was told last while it lived. */
  isAtWork: boolean;
}

const families = fact<SessionAtAgent, Family>(() => ({
  isChild: false,
  hadChildren: false,
  isAtWork: false,
}));

export const familyFold: Fold = [
  onUpdate(['subagent_update'], ({ session, update, replay, late }, connection) => {
    const child = connection.sessions.get(childIdOf(update) ?? '');
    if (child === undefined || !isChild(child)) return;
    const family = families.of(child.stored);
    family.isChild = true;
    if (replay || late) return;
    families.of(session.stored).hadChildren = true;
    const state = obj(update, 'state');
    if (state !== undefined) family.isAtWork = isRunning({ state });
  }),
];

/** Announced as a child on this connection. */
export function isChild(session: Session): boolean {
  return session.connection.windows.children.of(session) !== undefined;
}

/** Announced as a child, here or on another connection. */
export function wasChild(stored: SessionAtAgent): boolean {
  return families.of(stored).isChild;
}

/** A child that still worked when its connection ended: its agent may well miss some of it. */
export function wasCut(stored: SessionAtAgent): boolean {
  return families.of(stored).isAtWork;
}

/** Every client of v2 takes child sessions. */
function takesChildren(connection: Connection): boolean {
  return connection.version === 2 || clientHas(connection, 'subagents');
}

/**
 * The session was lived with child sessions and is restored without, or the other way round: a launch
 * is a tool call on one side, and a session on the other.
 */
export function isOtherTree({ session, branches }: RestoreWindow): boolean {
  const { hadChildren } = families.of(session.stored);
  return hadChildren ? !takesChildren(session.connection) : branches.size > 1;
}
