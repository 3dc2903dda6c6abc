// Sessions that are closed or deleted, and what comes of them after. Families `close` and `delete` of
// the catalogue.
import { CODE } from '../../acp/message.ts';
import { objects, str } from '../../acp/json.ts';
import type { Seq, FrameRef } from '../../trace/event.ts';
import { cancelledPrompt, openPrompt, otherEnd } from '../turns/cancel.ts';
import { type Session, fact, type SessionAtAgent, isOpening } from '../connection.ts';
import { onAnswer, onNotification, onRequest, onUpdate } from '../listen.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
  type Fold,
} from '../rule.ts';
import { endsWork, isWorking, turnOf, type Cancel } from '../turns/turn-facts.ts';

/** Closed, and no restore of it is under way. */
function closedAt(session: Session | undefined): Seq | undefined {
  return session === undefined || isOpening(session) ? undefined : session.closed;
}

/** The frame that is at fault stands first: there the reader is led. */
function afterClose(session: Session | undefined, what: string, seq: Seq): Outcome {
  const closed = closedAt(session);
  if (closed === undefined) return undefined;
  return fail(`\`${what}\` after #${closed} closed the session`, { seqs: [seq, closed] });
}

/** A close on its way: whether work went on when it was asked, and how that ended. */
interface Closing {
  request: Seq | undefined;
  working: boolean;
  idle: Ending | undefined;
}
interface Ending {
  readonly seq: Seq;
  readonly reason: string | undefined;
  readonly cancel: Cancel | undefined;
}
const closing = fact<Session, Closing>(() => ({
  request: undefined,
  working: false,
  idle: undefined,
}));

/** Goes before the fold of turns: it looks at the work as it was before the frame. */
export const closingFold: Fold = [
  onRequest(['session/close'], ({ session, from, seq }) => {
    if (session === undefined || from !== 'client') return;
    const turn = turnOf.of(session);
    const its = closing.of(session);
    its.request = seq;
    // Work that is cancelled already ends as cancel/idle says.
    its.working = isWorking(session) && turn.cancel === undefined;
    its.idle = undefined;
  }),
  onUpdate(['state_update'], (step) => {
    const its = closing.of(step.session);
    const turn = turnOf.of(step.session);
    if (its.request === undefined || !endsWork(step)) return;
    const reason = str(step.update, 'stopReason');
    its.idle = { seq: step.seq, reason, cancel: turn.cancel };
  }),
  onAnswer(['session/close'], ({ session }) => {
    if (session) closing.of(session).request = undefined;
  }),
];

const USES = ['session/prompt', 'session/set_config_option', 'session/set_mode'] as const;

/** Where a session was deleted, on whatever connection, and not met again since. */
interface Deleted {
  where: FrameRef | undefined;
}
const deletion = fact<SessionAtAgent, Deleted>(() => ({ where: undefined }));

export const deletionFold: Fold = [
  onAnswer(['session/delete'], ({ session, result, seq }, { id }) => {
    if (session && result !== undefined)
      deletion.of(session.stored).where = { connection: id, seq };
  }),
  // An agent may bring it back, and then it is one that exists.
  onAnswer(['session/new', 'session/load', 'session/resume', 'session/prompt'], (step) => {
    if (step.session && step.result !== undefined)
      deletion.of(step.session.stored).where = undefined;
  }),
];

export const CLOSE = rulesOf({ side: 'agent' })({
  'close/update-after': {
    severity: 'error',
    clause: 'of a session that is closed, the agent says nothing more on this connection',
    on: [
      onAnswer(['session/close'], ({ result }) => (result === undefined ? undefined : 'pass')),
      onUpdate('all', ({ session, variant, seq }) =>
        session.closed === undefined ? undefined : afterClose(session, variant, seq),
      ),
      onRequest('all', ({ session, from, method, seq }) =>
        from === 'agent' ? afterClose(session, method, seq) : undefined,
      ),
    ],
  },
  'close/cancel-first': {
    severity: 'error',
    clause: 'closing a session cancels its work, and says so before it is closed',
    on: [
      // v1: the prompt that was open says it.
      onAnswer(['session/prompt'], (step, { version }) =>
        version === 1
          ? cancelledPrompt(openPrompt(step.session, step.asked), 'session/close', step)
          : undefined,
      ),
      // v2: an idle state between the request and its answer.
      onUpdate(['state_update'], (step) =>
        closing.of(step.session).request !== undefined &&
        endsWork(step) &&
        str(step.update, 'stopReason') === 'cancelled'
          ? 'pass'
          : undefined,
      ),
      onAnswer(['session/close'], ({ session, result, seq }, { version, gaps }) => {
        if (session === undefined || result === undefined || version !== 2) return undefined;
        const { request, working, idle } = closing.of(session);
        if (request === undefined || !working) return undefined;
        if (idle === undefined)
          return gaps > 0
            ? undecidable('events are missing', 'a recording without a gap')
            : fail('no idle state between the request to close running work and its answer', {
                seqs: [request, seq],
              });
        if (idle.cancel === undefined || idle.reason === 'cancelled') return undefined;
        return otherEnd(`the stop reason ${quote(idle.reason)}`, idle.cancel, [idle.seq, seq]);
      }),
    ],
  },
  'close/unknown': {
    versions: [2],
    severity: 'warning',
    clause: 'to close a session that is not there succeeds, or is answered with −32002',
    on: onAnswer(['session/close'], ({ session, error, asked, seq }, { gaps, handshake }) => {
      if (session === undefined || session.active || isOpening(session)) return undefined;
      if (gaps > 0 || handshake === undefined) return undefined;
      // Whether it was there when it was asked counts.
      if (session.closed !== undefined && session.closed > asked.seq) return undefined;
      if (error === undefined || error.code === CODE.notFound) return 'pass';
      if (error.code === CODE.methodNotFound || error.code === CODE.authRequired) return undefined;
      return fail(`the error ${error.code}`, { pointer: '/error/code', seqs: [asked.seq, seq] });
    }),
  },
  'close/use-after': {
    side: 'client',
    severity: 'warning',
    clause: 'a session that was closed is restored before it is used again',
    on: [
      onRequest(USES, ({ session, from, method, seq }) => {
        if (from !== 'client' || session === undefined) return undefined;
        return session.closed === undefined ? 'pass' : afterClose(session, method, seq);
      }),
      onNotification(['session/cancel'], ({ session, from, method, seq }) =>
        from === 'client' ? afterClose(session, method, seq) : undefined,
      ),
    ],
  },
  'delete/idempotent': {
    severity: 'warning',
    clause: 'to delete a session that is not there succeeds',
    on: onAnswer(['session/delete'], ({ session, error, seq }) => {
      if (session === undefined) return undefined;
      if (error === undefined) return 'pass';
      if (error.code === CODE.methodNotFound || error.code === CODE.authRequired) return undefined;
      const pointer = '/error/code';
      if (session.deleted !== undefined)
        return fail(`the error ${error.code} for a session that #${session.deleted} deleted`, {
          pointer,
          seqs: [session.deleted, seq],
        });
      return error.code === CODE.notFound
        ? fail('the error −32002 for a session that is not there', pointer)
        : undefined;
    }),
  },
  'delete/still-listed': {
    severity: 'error',
    clause: 'a session that was deleted is not listed any more',
    on: onAnswer(['session/list'], ({ result, asked, seq }, { id, world }) => {
      if (result === undefined) return undefined;
      const faults = objects(result, 'sessions').flatMap((info, i): RuleFault[] => {
        const listed = str(info, 'sessionId');
        const where = listed === undefined ? undefined : deletion.of(world.session(listed)).where;
        if (listed === undefined || where === undefined) return [];
        const here = where.connection === id;
        // The list may have been made before.
        if (here && asked.seq < where.seq) return [];
        return [
          fail(`${quote(listed)}, deleted in ${here ? '' : where.connection}#${where.seq}`, {
            pointer: `/result/sessions/${i}/sessionId`,
            seqs: [...(here ? [where.seq] : []), seq],
            session: listed,
          }),
        ];
      });
      return judged(faults);
    }),
  },
});
