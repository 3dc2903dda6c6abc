// Requests that are cancelled one by one, and a client that cancels and goes. Family `cancel` of the
// catalogue.
import { get } from '../../acp/json.ts';
import { otherSide, type Seq } from '../../trace/event.ts';
import {
  type EarlierFrame,
  type EarlierRequest,
  type Connection,
  crashWords,
} from '../connection.ts';
import { onAnswer, onEnd, onNotification } from '../listen.ts';
import type { EndStep } from '../steps.ts';
import { catalogue, fail, undecidable, type RuleFault, type Undecided, quote } from '../rule.ts';
import { cancelOf } from '../asking/permissions.ts';
import { isLeftToCancel, whyAnswerDue, owedAt } from '../wire/rpc-answers.ts';
import { mayCross } from './turn-facts.ts';

/** Milliseconds of silence in which an answer that is owed would have come. */
const LONG_ENOUGH = 30_000;

/** Why an answer should have come before the trace ended; undefined: it may have been on its way. */
function whyDue(
  { from, seq }: EarlierRequest,
  since: Seq,
  connection: Connection,
  { at, exit }: EndStep,
): string | undefined {
  const crash = crashWords(exit);
  if (from === 'client' && crash !== undefined) return crash;
  for (const done of connection.answered[from].values())
    if (done.request > seq && done.request > since)
      return `#${done.request}, asked later, was answered in #${done.answer}`;
  const silence = at - (connection.last[otherSide(from)]?.at ?? at);
  return silence >= LONG_ENOUGH ? `${Math.round(silence / 1000)} s of silence` : undefined;
}

/**
 * Why a client must have answered a request that the agent withdrew; undefined: it may be about to. A command may run
 * on, and nothing is known of methods outside ACP.
 */
function whyWithdrawn(
  { from, request, session }: EarlierRequest,
  cancelled: Pick<EarlierFrame, 'seq' | 'at'>,
  { last, answered }: Connection,
): string | undefined {
  const { method } = request;
  if (from !== 'agent' || method === 'terminal/wait_for_exit' || method.startsWith('_'))
    return undefined;
  for (const turn of answered.client.values())
    if (turn.method === 'session/prompt' && turn.request > cancelled.seq && turn.heldIn === session)
      return `the turn of #${turn.request}, sent later, ended`;
  if (last.client === undefined || !(last.client.at - cancelled.at >= LONG_ENOUGH))
    return undefined;
  const seconds = Math.round((last.client.at - cancelled.at) / 1000);
  return `the client sent #${last.client.seq} ${seconds} s later`;
}

export const CANCEL_REQUEST = catalogue({
  'cancel/request-target': {
    side: 'sender',
    severity: 'warning',
    clause: '`$/cancel_request` names an open request of its own sender',
    on: onNotification(['$/cancel_request'], ({ params, from, seq, at }, connection) => {
      const id = get(params, 'requestId');
      if (typeof id !== 'string' && typeof id !== 'number') return undefined;
      if (connection.open.find(from, id) !== undefined) return 'pass';
      const pointer = '/params/requestId';
      const done = connection.answered[from].get(JSON.stringify(id));
      const last = connection.last[otherSide(from)];
      // The answer was on its way when it was sent.
      if (done !== undefined && done.answer === last?.seq && mayCross(last.at, at)) return 'pass';
      if (done !== undefined)
        return fail(`${quote(id)}, which #${done.answer} answered`, {
          severity: 'hint',
          pointer,
          seqs: [done.answer, seq],
        });
      if (connection.gaps > 0 || connection.handshake === undefined)
        return undecidable(
          'events are missing before it',
          'a recording from the start of the connection, without a gap',
          pointer,
        );
      const theirs = connection.open.find(otherSide(from), id);
      if (theirs !== undefined)
        return fail(
          `${quote(id)}, which is a request of the ${otherSide(from)} (#${theirs.seq})`,
          pointer,
        );
      return fail(`${quote(id)}, under which the ${from} asked nothing`, pointer);
    }),
  },
  'cancel/request-unanswered': {
    side: 'receiver',
    severity: 'error',
    clause: 'a request that is cancelled is answered all the same',
    on: [
      onAnswer('all', ({ asked }) => (asked.cancelled === undefined ? undefined : 'pass')),
      onEnd((step, connection) => {
        const open = [...connection.open.of('client'), ...connection.open.of('agent')];
        return open.flatMap((asked): (RuleFault | Undecided)[] => {
          const { cancelled, seq, request } = asked;
          if (cancelled === undefined) return [];
          const where = owedAt(asked, seq, cancelled.seq);
          const seen = `no answer to \`${request.method}\`, which #${cancelled.seq} cancelled`;
          const why =
            whyWithdrawn(asked, cancelled, connection) ??
            whyDue(asked, cancelled.seq, connection, step);
          if (why !== undefined) return [fail(`${seen}: ${why}`, where)];
          return [
            undecidable(
              `${seen}, and the trace ends`,
              'a recording that goes on until the answer, or for 30 s of silence',
              where,
            ),
          ];
        });
      }),
    ],
  },
  'cancel/stop-sending': {
    side: 'client',
    severity: 'hint',
    clause: 'a client that cancels goes on to answer what the agent asks',
    on: [
      onAnswer('all', ({ asked }) => (cancelOf(asked) === undefined ? undefined : 'pass')),
      onEnd((step, connection) => {
        return [...connection.open.of('agent')].flatMap((asked): RuleFault[] => {
          const cancelled = cancelOf(asked);
          if (cancelled === undefined || asked.session === undefined) return [];
          if (!isLeftToCancel(asked, connection)) return [];
          const owed = whyAnswerDue(asked, connection, step);
          const why = whyDue(asked, cancelled, connection, step) ?? owed;
          if (why === undefined) return [];
          return [
            fail(`no answer to \`${asked.request.method}\` after #${cancelled}: ${why}`, {
              ...owedAt(asked, ...[asked.seq, cancelled].sort((a, b) => a - b)),
              // As much as rpc/response-missing, which leaves it to this rule.
              ...(owed !== undefined && { severity: 'warning' }),
            }),
          ];
        });
      }),
    ],
  },
});
