// The connection itself, as its frames make it: handshake, sessions that are made, restored, listed,
// closed and deleted, requests that wait. Folded after the rules have judged a frame.
import { isObject, obj, objects, str } from '../acp/json.ts';
import type { Origin, Session } from './connection.ts';
import { onAnswer, onRequest, onUpdate } from './listen.ts';
import type { OpenConnection } from './open-connection.ts';
import type { Fold } from './rule.ts';
import type { AnswerStep } from './step.ts';

const OPENING: ReadonlySet<string> = new Set(['session/load', 'session/resume']);
const CHILDLIKE: ReadonlySet<Origin> = new Set([undefined, 'listed', 'child']);

/** Whether a session is another one, or owned by it. */
export function isWithin(session: Session, other: Session): boolean {
  for (let at: Session | undefined = session; at; at = at.parent) if (at === other) return true;
  return false;
}

/** Folds into the connection it is made for; other folds only have it to read. */
export function lifecycle(connection: OpenConnection): Fold {
  return {
    on: [
      onRequest(['initialize'], ({ asked, from }) => {
        // One that was answered stands until another is.
        if (from === 'client' && connection.handshake?.result === undefined)
          connection.handshake = { asked, result: undefined, answer: undefined };
      }),
      onAnswer(['initialize'], (step) => handshaken(connection, step)),
      onRequest(['session/load', 'session/resume'], ({ session, from }) => {
        if (session && from === 'client') session.opening++;
      }),
      onAnswer('all', (step) => {
        if (step.asked.from === 'client') sessionAnswered(connection, step);
      }),
      onUpdate(['subagent_update'], ({ update, seq, session }) => {
        const id = str(update, 'sessionId') ?? str(update, 'childSessionId');
        if (id === undefined) return;
        const child = connection.session(id);
        // A session that is nobody's child stays so, whatever is said of it.
        if (!CHILDLIKE.has(child.origin) || isWithin(session, child)) return;
        child.parent ??= session;
        announce(child, 'child', seq, true);
      }),
    ],
  };
}

function handshaken(connection: OpenConnection, { asked, result, seq }: AnswerStep): void {
  if (asked.from !== 'client' || !isObject(result)) return;
  connection.handshake = { asked, result, answer: seq };
  const { params } = asked.request;
  connection.clientCapabilities =
    obj(params, connection.version === 2 ? 'capabilities' : 'clientCapabilities') ?? {};
  connection.agentCapabilities =
    obj(result, connection.version === 2 ? 'capabilities' : 'agentCapabilities') ?? {};
  connection.authMethods = objects(result, 'authMethods');
}

function sessionAnswered(connection: OpenConnection, step: AnswerStep): void {
  const { method, session, result, seq } = step;
  if (OPENING.has(method) && session) session.opening--;
  if (result === undefined) return;
  switch (method) {
    case 'session/new':
    case 'session/fork':
      // A fork's answer names the session it made; its request the one it came from.
      return announced(connection, result, method === 'session/new' ? 'new' : 'fork', seq);
    case 'session/load':
    case 'session/resume':
      if (session) announce(session, method === 'session/load' ? 'load' : 'resume', seq, true);
      return;
    case 'session/list':
      for (const info of objects(result, 'sessions')) {
        const id = str(info, 'sessionId');
        if (id !== undefined) announce(connection.session(id), 'listed', seq, false);
      }
      return;
    case 'session/close':
      if (session) Object.assign(session, { active: false, closed: seq });
      return;
    case 'session/delete':
      if (session) Object.assign(session, { active: false, deleted: seq });
      return;
  }
}

function announced(
  connection: OpenConnection,
  result: AnswerStep['result'],
  origin: Origin,
  seq: AnswerStep['seq'],
): void {
  const id = str(result, 'sessionId');
  if (id !== undefined) announce(connection.session(id), origin, seq, true);
}

function announce(session: Session, origin: Origin, seq: AnswerStep['seq'], active: boolean): void {
  session.origin = origin === 'listed' ? (session.origin ?? origin) : origin;
  session.announced ??= seq;
  if (!active) return;
  session.active = true;
  session.closed = undefined;
  session.deleted = undefined;
}
