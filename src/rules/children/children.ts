// Child sessions as the agent tells them: announced first, owned by one, told again after a restore.
// Family `child` of the catalogue, and links to sessions; what a client may ask of a child stands in
// child-control.ts.
import { REPLAY_SEVERITY } from '../../model/replay/faults.ts';
import { childIdOf } from '../../acp/update.ts';
import { objects, str } from '../../acp/json.ts';
import { ASKS, RESTORES } from '../../acp/methods.ts';
import type { Claim } from '../../model/facts/children.ts';
import { type Connection, type Session, isOpening } from '../connection.ts';
import { clientHas } from '../init/handshake.ts';
import { isOrdinary } from '../../model/facts/life.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  type Undecided,
  quote,
  mayBeUnseen,
} from '../rule.ts';
import { byComparison } from '../restore/compared.ts';
import { wasBusy } from '../restore/window-facts.ts';
import { isSeenWhole } from '../sessions/setup-facts.ts';
import { sessionLinks, TOOL_UPDATES } from '../work/tool-content.ts';
import type { Frame } from '../../trace/event.ts';
import { wasChild } from './child-facts.ts';

const PEERS = ['session_message', 'session_message_chunk'] as const;

/** Whether a name in a frame is one the client has heard of, or asked for. */
function isKnown(id: string, connection: Connection): boolean {
  const session = connection.sessions.get(id);
  return session !== undefined && (session.origin !== undefined || isOpening(session));
}

/** A name that nothing told the client; undefined: it may yet be explained. */
function stranger(
  id: string,
  what: string,
  pointer: string,
  connection: Connection,
): RuleFault | Undecided | undefined {
  if (connection.open.making > 0) return undefined;
  if (isSeenWhole(connection))
    return fail(`${what} ${quote(id)}, which nothing announced`, pointer);
  return mayBeUnseen(id, 'announced', pointer);
}

const OBJECTIONS: Readonly<Record<Claim<Session>['why'], string>> = {
  itself: 'is announced as its own child',
  above: 'is announced as a child of a session that it owns',
  'other parent': 'is announced by a second parent',
  ordinary: 'is a session of the client, announced as a child',
};

/** Told before the last restore of its root was answered, and not since. */
function isStale(session: Session, { windows }: Connection): boolean {
  const child = windows.children.of(session);
  return child?.past !== undefined && child.now.told === undefined && !windows.around(session);
}

/** What a child says whose announcement is due, on the stream of its parent. */
function unconfirmed(what: string, { via }: Frame): RuleFault | Undecided {
  const seen = `\`${what}\` of a child that was not announced since its parent’s restore`;
  const place = { pointer: '/params/sessionId' };
  if (via?.stream !== 'session') return fail(seen, place);
  const why = `${seen}, on a stream of its own: the announcement may have been sent before`;
  return undecidable(why, 'the same over stdio or WebSocket', place);
}

export const CHILDREN = rulesOf({ side: 'agent' })({
  'child/unannounced': {
    severity: 'error',
    feature: 'subagents',
    clause: 'a child session is announced before anything else names it',
    on: onUpdate(PEERS, ({ update }, connection): Outcome => {
      const named = ['senderSessionId', 'recipientSessionId'].flatMap((key) => {
        const id = str(update, key);
        return id === undefined ? [] : [[key, id] as const];
      });
      if (named.length === 0) return undefined;
      return judged(
        named.flatMap(([key, id]) =>
          isKnown(id, connection)
            ? []
            : (stranger(id, `\`${key}\` is`, `/params/update/${key}`, connection) ?? []),
        ),
      );
    }),
  },
  'child/not-gated': {
    versions: [1],
    severity: 'error',
    needs: 'capabilities',
    clause: 'links to sessions are sent only to a client that takes child sessions',
    on: onUpdate(TOOL_UPDATES, ({ update }, connection) => {
      const [link] = sessionLinks(update);
      if (link === undefined) return undefined;
      if (clientHas(connection, 'subagents')) return 'pass';
      const [, pointer] = link;
      return fail('`session` content, and the client does not advertise `subagents`', pointer);
    }),
  },
  'child/ownership': {
    severity: 'error',
    feature: 'subagents',
    clause:
      'a child has one parent, which is neither itself nor owned by it, and is no session of the client’s',
    on: onUpdate(['subagent_update'], ({ session, update }, connection): Outcome => {
      const id = childIdOf(update);
      const child = id === session.id ? session : connection.sessions.get(id ?? '');
      if (id === undefined) return undefined;
      if (child === undefined) return 'pass';
      const { children } = connection.windows;
      const why = children.objection(session, child, isOrdinary(child));
      if (why === undefined) return 'pass';
      const parent = children.parentOf(child);
      const of = parent === undefined ? '' : `; it is ${quote(parent.id)}’s`;
      return fail(`${quote(id)} ${OBJECTIONS[why]}${of}`, '/params/update/sessionId');
    }),
  },
  'child/reannounce': {
    gaps: 'before',
    severity: REPLAY_SEVERITY['child/reannounce'],
    feature: 'subagents',
    clause: 'a child that goes on after a restore is announced again before it says anything',
    on: [
      onUpdate('all', (step, connection) => {
        const child = connection.windows.children.of(step.session);
        if (child?.past === undefined) return undefined;
        if (!isStale(step.session, connection))
          return child.now.told === undefined ? undefined : 'pass';
        // Whether late updates are history, the comparison of the replay tells. History on a stream of
        // its own says nothing of the updates before it on another stream.
        if (step.late || step.place?.isLoose) return undefined;
        return unconfirmed(step.variant, step.frame);
      }),
      byComparison('child/reannounce'),
      onRequest('all', ({ session, from, method, frame }, connection) =>
        from === 'agent' && session && isStale(session, connection)
          ? unconfirmed(method, frame)
          : undefined,
      ),
    ],
  },
  'child/replay-request': {
    severity: 'error',
    feature: 'subagents',
    clause: 'a replay asks nothing again: no permission, no form',
    on: [
      onRequest(ASKS, ({ session, from, method }, { windows }) => {
        const window = session && windows.around(session);
        if (from !== 'agent' || !session || !window || window.session === session) return undefined;
        // What was at work before the restore may ask.
        if (wasBusy(window) || window.branches.get(session)?.busy === true) return undefined;
        return fail(`\`${method}\` of a child while \`${window.method}\` (#${window.seq}) is open`);
      }),
      onAnswer(RESTORES, ({ session, asked }, { windows }) => {
        const window = windows.asked(asked.seq);
        return session && window && window.branches.size > 1 ? 'pass' : undefined;
      }),
    ],
  },
  'child/listed': {
    severity: 'warning',
    feature: 'subagents',
    clause: 'child sessions are found through their parents, not in the list of sessions',
    on: onAnswer(['session/list'], ({ result }, { world }): Outcome => {
      if (result === undefined) return undefined;
      return judged(
        objects(result, 'sessions').flatMap((info, i): RuleFault[] => {
          const id = str(info, 'sessionId');
          if (id === undefined || !wasChild(world.session(id))) return [];
          return [
            fail(`${quote(id)}, a child session`, {
              pointer: `/result/sessions/${i}`,
              session: id,
            }),
          ];
        }),
      );
    }),
  },
  'content/session-unknown': {
    severity: 'warning',
    feature: 'subagents',
    clause: 'a tool call links to sessions that are known on this connection',
    on: onUpdate(TOOL_UPDATES, ({ update }, connection): Outcome => {
      const links = sessionLinks(update);
      if (links.length === 0) return undefined;
      return judged(
        links.flatMap(([item, at]) => {
          const id = str(item, 'sessionId');
          if (id === undefined || isKnown(id, connection)) return [];
          return stranger(id, 'a link to', `${at}/sessionId`, connection) ?? [];
        }),
      );
    }),
  },
});
