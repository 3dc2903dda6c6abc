// Frames that name a session which is not open on this connection, and what they are answered. Family
// `setup` of the catalogue.
import { isObject, str } from '../../acp/json.ts';
import { endsLife, isMethodOf, MAKERS, RESTORES } from '../../acp/methods.ts';
import { deniesSession, unknownSessionReply } from '../../model/facts/denial.ts';
import type { Seq } from '../../trace/event.ts';
import { type Connection, type Session, fact, isOpening } from '../connection.ts';
import { isChild } from '../children/child-facts.ts';
import { onAnswer, onEnd, onNotification, onRequest, onUpdate } from '../listen.ts';
import type { AnswerStep, FrameStep } from '../steps.ts';
import {
  catalogue,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  type Undecided,
  quote,
  type Fold,
  mayBeUnseen,
} from '../rule.ts';
import { byComparison } from '../restore/compared.ts';
import { isSeenWhole, setups } from './setup-facts.ts';

/** Methods that only make sense in a session that this connection has open. */
const INSIDE = [
  'session/prompt',
  'session/set_mode',
  'session/set_config_option',
  'tool_call/cancel',
  'terminal/cancel',
] as const;
const NOTIFIED = ['session/cancel'] as const;

/** Neither made nor restored here, nor about to be. */
function isUnknown(session: Session): boolean {
  return !session.active && !isOpening(session);
}

function unknownWords({ origin, deleted }: Session): string {
  if (deleted !== undefined) return `which #${deleted} deleted`;
  return origin === 'listed'
    ? 'which was listed, but neither loaded nor resumed on this connection'
    : 'which was neither made, loaded, resumed nor forked on this connection';
}

/** False if a response that made the session may be missing: the client knows an id that no frame gave. */
function isSurelyUnknown(connection: Connection): boolean {
  return isSeenWhole(connection) && connection.open.making === 0;
}

function namesUnknown(session: Session | undefined, connection: Connection): Outcome {
  if (session === undefined) return undefined;
  if (!isUnknown(session)) return 'pass';
  // What is used after its close is a rule of its own: close/use-after.
  if (session.closed !== undefined) return undefined;
  const pointer = '/params/sessionId';
  if (!isSurelyUnknown(connection)) return mayBeUnseen(session.id, 'opened', pointer);
  return fail(`${quote(session.id)}, ${unknownWords(session)}`, pointer);
}

/** Open requests that name a session which is not open on this connection. */
const strangers = fact<Connection, Set<Seq>>(() => new Set());
/** The client uses it without having opened it, and was not refused. */
const used = fact<Session, { is: boolean }>(() => ({ is: false }));

export const strangersFold: Fold = [
  onRequest(INSIDE, ({ session, from }) => {
    if (session !== undefined && from === 'client') used.of(session).is ||= isUnknown(session);
  }),
  onAnswer(INSIDE, ({ session, error }) => {
    if (session !== undefined && error !== undefined) used.of(session).is = false;
  }),
  onRequest(INSIDE, ({ session, from, seq }, connection) => {
    if (session === undefined || from !== 'client') return;
    if (isUnknown(session) && isSurelyUnknown(connection)) strangers.of(connection).add(seq);
  }),
  onAnswer(INSIDE, ({ asked }, connection) => {
    strangers.of(connection).delete(asked.seq);
  }),
];

/** Methods that agents may answer from what they stored: some store a session from its first prompt on. */
const STORED: ReadonlySet<string> = new Set([...RESTORES, 'session/fork', 'session/delete']);

/** The agent may have closed or deleted the session by the time it answered. */
function isEnding(session: Session, { open }: Connection): boolean {
  return [...open.of('client')].some(
    (asked) => asked.session === session && endsLife(asked.request.method),
  );
}

/** Returns the frame that opened the session before the request; undefined if the session is not open. */
function openedBefore(session: Session | undefined, { asked }: AnswerStep): Seq | undefined {
  if (!session?.active || session.opened === undefined) return undefined;
  return session.opened < asked.seq ? session.opened : undefined;
}

/** How an agent answers a request in a session that is not open. The comparison judges restores. */
function unknownReply(step: AnswerStep, connection: Connection): Outcome {
  const { asked, error, from, session } = step;
  // A child session may reject a request because the session is a child.
  if (from !== 'agent' || session === undefined || isChild(session)) return undefined;
  const stranger = strangers.of(connection).has(asked.seq);
  const reply = unknownSessionReply(error?.code);
  // v1 does not say what an agent does with a deleted session.
  const lax = session.deleted !== undefined && connection.version !== 2;
  if (error === undefined)
    return stranger
      ? fail(`a result for ${quote(session.id)}, which is not open here`, {
          pointer: '/result',
          ...(lax ? { severity: 'hint' as const } : {}),
        })
      : undefined;
  if (reply !== 'other code') return undefined;
  const isDenial = deniesSession(error, session.id);
  // The denial itself is a rule of its own: setup/open-session-denied.
  if (isDenial && openedBefore(session, step) !== undefined) return undefined;
  if (!stranger && !isDenial) return undefined;
  return fail(`the code ${error.code} ${quote(error.message)}`, {
    pointer: '/error/code',
    severity: lax ? 'hint' : 'warning',
  });
}

/** Whether −32002 names the session that it is about. */
function denialData(step: AnswerStep, connection: Connection): Outcome {
  const { asked, error, method, session, from } = step;
  if (from !== 'agent' || session === undefined || isChild(session)) return undefined;
  if (error === undefined || unknownSessionReply(error.code) !== 'not found') return undefined;
  const stranger = strangers.of(connection).has(asked.seq);
  const isDenial = deniesSession(error, session.id);
  if (isDenial && openedBefore(session, step) !== undefined) return undefined;
  const named = str(error.data, 'sessionId');
  if (named === session.id) return 'pass';
  // A rejected restore most likely lacks its session, unless the error names something else.
  const isRestore = isMethodOf(RESTORES, method) && !isObject(error.data);
  const isAbout = stranger || isRestore || isDenial;
  // Only v2 asks for it; but what is there is to be right.
  if (named === undefined && (connection.version !== 2 || !isAbout))
    return stranger ? 'pass' : undefined;
  const words =
    named === undefined ? 'without `data.sessionId`' : `with \`data.sessionId\` ${quote(named)}`;
  return fail(`−32002 to \`${method}\` ${words}`, {
    due: '`error.data.sessionId` is the session that the request named',
    pointer: '/error',
    severity: 'warning',
  });
}

/** Sessions that the agent spoke of before anything told where they come from. */
interface Early {
  readonly seqs: Seq[];
  readonly method: string;
}
const early = fact<Connection, Map<string, Early>>(() => new Map());
const MOST_EARLY = 100;
const MOST_SEQS = 1000;

function isStray(session: Session | undefined, from: string): session is Session {
  if (session === undefined || from !== 'agent' || !isUnknown(session)) return false;
  // What comes after its close is a rule of its own: close/update-after.
  return session.closed === undefined && session.deleted === undefined;
}

function strays(
  session: Session | undefined,
  { from }: FrameStep,
  connection: Connection,
): Outcome {
  if (session?.active === true) return 'pass';
  if (!isStray(session, from) || connection.open.making > 0) return undefined;
  // That the agent goes along with it is said of its answer: setup/unknown-session-reply.
  if (used.of(session).is) return undefined;
  const pointer = '/params/sessionId';
  if (!isSeenWhole(connection)) return mayBeUnseen(session.id, 'opened', pointer);
  return fail(`${quote(session.id)}, ${unknownWords(session)}`, {
    pointer,
    // It was named to the client at least.
    ...(session.origin === 'listed' ? { severity: 'warning' as const } : {}),
  });
}

/** What was early, once it is clear that no answer will explain it. */
function unexplained(
  connection: Connection,
  made: string | undefined,
  verdict: (id: string, early: Early) => RuleFault | Undecided,
): readonly (RuleFault | Undecided)[] {
  return [...early.of(connection)]
    .filter(([id]) => id !== made && connection.sessions.get(id)?.active !== true)
    .map(([id, one]) => verdict(id, one));
}

function keepEarly(
  session: Session | undefined,
  step: FrameStep,
  method: string,
  connection: Connection,
): void {
  if (!isStray(session, step.from) || connection.open.making === 0) return;
  const held = early.of(connection);
  let one = held.get(session.id);
  if (one === undefined) {
    if (held.size >= MOST_EARLY) return;
    held.set(session.id, (one = { seqs: [], method }));
  }
  if (one.seqs.length < MOST_SEQS) one.seqs.push(step.seq);
}

export const earlyFold: Fold = [
  onUpdate('all', (step, connection) => {
    if (!step.session.active) keepEarly(step.session, step, 'session/update', connection);
  }),
  onRequest('all', (step, connection) => {
    if (step.from === 'agent' && !step.method.startsWith('_'))
      keepEarly(step.session, step, step.method, connection);
  }),
  onAnswer(MAKERS, (_, connection) => {
    if (connection.open.making === 0) early.of(connection).clear();
  }),
];

export const SETUP_UNKNOWN = catalogue({
  'setup/unknown-session': {
    side: 'client',
    severity: 'warning',
    clause: 'a session is made, loaded, resumed or forked on a connection before it is used there',
    on: [
      onRequest(INSIDE, ({ session, from }, connection) =>
        from === 'client' ? namesUnknown(session, connection) : undefined,
      ),
      onNotification(NOTIFIED, ({ session, from }, connection) =>
        from === 'client' ? namesUnknown(session, connection) : undefined,
      ),
    ],
  },
  'setup/unknown-session-reply': {
    side: 'agent',
    severity: 'error',
    clause:
      'a request for a session that does not exist, or is not open here, is answered with −32002',
    on: [
      onAnswer(INSIDE, unknownReply),
      onAnswer([...INSIDE, ...RESTORES], denialData),
      byComparison('setup/unknown-session-reply'),
    ],
  },
  'setup/open-session-denied': {
    side: 'agent',
    severity: 'error',
    clause:
      'an agent knows the sessions that it made, forked, loaded or resumed on this connection, until they are closed or deleted',
    on: onAnswer('all', (step, connection) => {
      const { asked, error, method, session, seq } = step;
      if (asked.from !== 'client' || session === undefined || isChild(session)) return undefined;
      const opened = openedBefore(session, step);
      if (opened === undefined || isEnding(session, connection)) return undefined;
      if (error === undefined) return 'pass';
      if (STORED.has(method) && !setups.of(session.stored).prompted) return undefined;
      if (!deniesSession(error, session.id)) return undefined;
      if (connection.gaps > 0) return mayBeUnseen(session.id, 'closed', '/error');
      return fail(
        `the code ${error.code} ${quote(error.message)} for ${quote(session.id)}, which #${opened} opened`,
        { pointer: '/error', seqs: [opened, asked.seq, seq] },
      );
    }),
  },
  'setup/update-unknown-session': {
    side: 'agent',
    severity: 'error',
    clause: 'an agent speaks of sessions that were made or restored on this connection',
    on: [
      onUpdate('all', (step, connection) => strays(step.session, step, connection)),
      onRequest('all', (step, connection) =>
        step.from === 'client' || step.method.startsWith('_')
          ? undefined
          : strays(step.session, step, connection),
      ),
      onAnswer(MAKERS, ({ result }, connection) => {
        if (connection.open.making > 0 || early.of(connection).size === 0) return undefined;
        return judged(
          unexplained(connection, str(result, 'sessionId'), (id, { seqs, method }) =>
            fail(`${quote(id)}, and no answer named it`, {
              pointer: '/params/sessionId',
              seqs,
              session: id,
              method,
            }),
          ),
        );
      }),
      onEnd((_, connection) =>
        unexplained(connection, undefined, (id, { seqs, method }) =>
          undecidable(
            `${quote(id)} may be the session that was about to be made when the trace ended`,
            'a recording that goes on until the answer',
            { pointer: '/params/sessionId', seqs, session: id, method },
          ),
        ),
      ),
    ],
  },
});
