// What follows from the answers to permission requests, and from taking them back. Family `perm` of
// the catalogue.
import { CODE } from '../../acp/message.ts';
import { get, str } from '../../acp/json.ts';
import type { Connection, Session } from '../connection.ts';
import { onAnswer, onRequest, onUpdate, onEndOfEach } from '../listen.ts';
import type { AnswerStep, EndStep } from '../steps.ts';
import {
  catalogue,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Undecided,
  quote,
} from '../rule.ts';
import { PERMISSION, permissions, askedTool, type Permission } from './permissions.ts';
import { rulingOf } from '../../model/facts/permission.ts';
import { isReplay, permissionToolCall, toolCalls } from '../work/tool-facts.ts';
import type { Seq } from '../../trace/event.ts';
import { listsToolCall } from '../../model/facts/activity.ts';
import { isLiveState, mayCross, turnOf } from '../turns/turn-facts.ts';

function permissionOf({ session, asked }: AnswerStep): Permission | undefined {
  return session && permissions.of(session).open.get(asked);
}

function answerWords({ result, error }: AnswerStep): string {
  return error === undefined ? quote(get(result, 'outcome')) : `the error ${error.code}`;
}

function answerPointer({ error }: AnswerStep): string {
  return error === undefined ? '/result/outcome' : '/error';
}

/** Milliseconds in which a client that lives on would have answered what it cancelled. */
const LONG_ENOUGH = 30_000;

/** Returns the first prompt after this frame whose turn has ended; undefined if there is no such prompt. */
function endedAfter(session: Session, seq: Seq, { answered }: Connection): Seq | undefined {
  return [...answered.client.values()].find(
    ({ method, request, heldIn }) =>
      method === 'session/prompt' && request > seq && heldIn === session,
  )?.request;
}

function unansweredIn(session: Session, { at }: EndStep, connection: Connection) {
  const { last } = connection;
  return [...permissions.of(session).open.values()].flatMap(
    ({ asked, cancel }): (RuleFault | Undecided)[] => {
      if (cancel === undefined) return [];
      const where = {
        side: 'client',
        seqs: [asked.seq, cancel.seq],
        session: session.id,
        method: PERMISSION,
      } as const;
      const seen = `no answer after #${cancel.seq} cancelled`;
      const next =
        endedAfter(session, cancel.seq, connection) ?? turnOf.of(session).open[0]?.asked.seq;
      if (next !== undefined && next > cancel.seq)
        return [fail(`${seen}, and #${next} is the next prompt already`, where)];
      if (at - Math.max(cancel.at, last.client?.at ?? 0) >= LONG_ENOUGH)
        return [fail(`${seen}, and 30 s or more of silence`, where)];
      return [
        undecidable(
          `${seen}, and the trace ends`,
          'a recording that goes on until the answer, or for 30 s of silence',
          where,
        ),
      ];
    },
  );
}

/** Questions of a turn that ended without them, which the client is not to blame for. */
function outlivedIn(session: Session, { at }: EndStep, connection: Connection): RuleFault[] {
  const asks = [...permissions.of(session).open.values()];
  return asks.flatMap(({ asked, cancel, withdrawn, outlived }) => {
    if (outlived === undefined || cancel !== undefined || withdrawn !== undefined) return [];
    const next = endedAfter(session, outlived.seq, connection);
    if (next === undefined && !(at - outlived.at >= LONG_ENOUGH)) return [];
    const until = next === undefined ? '30 s or more passed' : `the next turn (#${next}) ended too`;
    return [
      fail(`#${outlived.seq} ends the turn while #${asked.seq} waits, and ${until}`, {
        seqs: [asked.seq, outlived.seq],
        side: 'agent',
        session: session.id,
        method: PERMISSION,
      }),
    ];
  });
}

/** It ran without an answer to its question, which came too late or waits still. */
function unasked(tool: string, asked: Seq, seq: Seq, pointer: string): RuleFault {
  const seen =
    asked < seq
      ? `${quote(tool)} is completed, though #${asked} asks whether it may run`
      : `asks whether ${quote(tool)} may run, which was completed in #${seq}`;
  return fail(seen, {
    due: 'a question and its answer before what they are about',
    pointer,
    seqs: asked < seq ? [asked, seq] : [seq, asked],
    severity: 'warning',
    sentence: 'unasked',
  });
}

export const PERMISSION_ANSWERS = catalogue({
  'perm/answer-after-cancel': {
    versions: [1],
    side: 'client',
    severity: 'error',
    clause: 'after `session/cancel`, permission requests that wait are answered with `cancelled`',
    on: [
      onAnswer([PERMISSION], (step) => {
        const permission = permissionOf(step);
        if (permission?.cancel === undefined) return undefined;
        if (rulingOf(permission.options, step.result, step.error) === 'cancelled') return 'pass';
        return fail(`${answerWords(step)} after #${permission.cancel.seq} cancelled`, {
          pointer: answerPointer(step),
          seqs: [permission.asked.seq, permission.cancel.seq, step.seq],
          ...(step.error?.code === CODE.requestCancelled ? { severity: 'hint' } : {}),
        });
      }),
      onEndOfEach(unansweredIn),
    ],
  },
  'perm/cancelled-alone': {
    versions: [1],
    side: 'client',
    severity: 'warning',
    clause:
      'in v1 `cancelled` says that the turn was cancelled; a user who refuses chooses an option',
    on: [
      onAnswer([PERMISSION], (step) => {
        const options = permissionOf(step)?.options;
        return options && rulingOf(options, step.result, step.error) !== 'cancelled'
          ? 'pass'
          : undefined;
      }),
      // A client may send `session/cancel` after its response.
      onAnswer(['session/prompt'], ({ session, seq }, { gaps }) => {
        if (session === undefined || gaps > 0 || turnOf.of(session).open.length > 1)
          return undefined;
        return permissions.of(session).groundless.map(({ request, answer }) =>
          fail('`cancelled`, although nothing was cancelled and a reject option was offered', {
            pointer: '/result/outcome',
            seqs: [request, answer, seq],
            method: PERMISSION,
          }),
        );
      }),
    ],
  },
  'perm/left-waiting': {
    versions: [1],
    side: 'agent',
    severity: 'warning',
    clause: 'a turn ends once its permission requests are answered or withdrawn',
    on: [
      onAnswer([PERMISSION], (step) =>
        permissionOf(step)?.outlived === undefined ? 'pass' : undefined,
      ),
      onEndOfEach(outlivedIn),
    ],
  },
  'perm/withdrawn-answer': {
    versions: [2],
    side: 'client',
    severity: 'error',
    clause: 'a permission request that the agent takes back is answered with `cancelled`',
    on: onAnswer([PERMISSION], (step) => {
      const permission = permissionOf(step);
      const { withdrawn, asked } = permission ?? {};
      if (permission === undefined || withdrawn === undefined || asked === undefined)
        return undefined;
      if (rulingOf(permission.options, step.result, step.error) === 'cancelled') return 'pass';
      const seen = `${answerWords(step)} after #${withdrawn.seq} took it back`;
      const more = {
        pointer: answerPointer(step),
        seqs: [asked.seq, withdrawn.seq, step.seq],
      };
      if (step.error?.code === CODE.requestCancelled)
        return fail(seen, { ...more, severity: 'warning' });
      if (mayCross(withdrawn.at, step.at))
        return undecidable(
          `${seen}; the two may have crossed`,
          'a recording on the side of the client',
          more,
        );
      return fail(seen, more);
    }),
  },
  'perm/withdraw-missing': {
    versions: [2],
    side: 'agent',
    severity: 'warning',
    clause: 'permission requests of cancelled work are taken back with `$/cancel_request`',
    on: onUpdate(['state_update'], (step) => {
      const { session, update, seq } = step;
      if (str(update, 'stopReason') !== 'cancelled' || !isLiveState(step)) return undefined;
      const waiting = [...permissions.of(session).open.values()].filter(
        ({ cancel, tool }) => cancel !== undefined && !listsToolCall(session.activity, tool),
      );
      if (waiting.length === 0) return undefined;
      return judged(
        waiting.flatMap(({ asked, cancel, withdrawn }): RuleFault[] =>
          withdrawn !== undefined || cancel === undefined
            ? []
            : [
                fail(`#${asked.seq} still waits when its work is cancelled`, {
                  seqs: [asked.seq, cancel.seq, seq],
                  method: PERMISSION,
                }),
              ],
        ),
      );
    }),
  },
  'perm/proceed-anyway': {
    side: 'agent',
    severity: 'error',
    clause: 'a tool call runs once it is approved, and not at all where it was not',
    on: [
      onRequest([PERMISSION], ({ session, params, seq }, { version }) => {
        const tool = askedTool(params);
        const call = tool === undefined ? undefined : session && toolCalls.of(session).get(tool);
        if (call?.final === undefined || call.status !== 'completed' || call.replayed)
          return undefined;
        // Where it says another status: tool/status-regress.
        const status = str(permissionToolCall(params, version), 'status') ?? 'completed';
        return status === 'completed' ? unasked(call.id, seq, call.final, '/params') : undefined;
      }),
      onUpdate(['tool_call_update'], (step, { gaps }) => {
        const { session, itemId, update, seq } = step;
        if (itemId === undefined || isReplay(step)) return undefined;
        const { denied, open } = permissions.of(session);
        const denial = denied.get(itemId);
        const status = str(update, 'status');
        if (status === undefined) return undefined;
        if (denial === undefined) {
          const waits = [...open.values()].find(
            ({ tool, withdrawn, cancel }) => tool === itemId && !withdrawn && !cancel,
          );
          if (waits === undefined || status !== 'completed' || gaps > 0) return undefined;
          return unasked(itemId, waits.asked.seq, seq, '/params/update/status');
        }
        // Also of one that was said to run: that may have crossed the answer, and this says what came of it.
        if (status === 'failed' || status === 'cancelled') return 'pass';
        if (status !== 'completed') return undefined;
        const { request, answer, began, words, isSoft } = denial;
        return fail(`${quote(itemId)} is completed, though ${words}`, {
          pointer: '/params/update/status',
          seqs: [request, answer, ...(began === undefined ? [] : [began]), seq],
          ...(isSoft ? { severity: 'warning' } : {}),
        });
      }),
      onEndOfEach((session) =>
        [...permissions.of(session).denied].flatMap(
          ([tool, { request, answer, began, words }]): Undecided[] =>
            began === undefined
              ? []
              : [
                  undecidable(
                    `${quote(tool)} was said to run when the trace ended, though ${words}`,
                    'a recording that goes on until it ends',
                    { seqs: [request, answer, began], session: session.id },
                  ),
                ],
        ),
      ),
    ],
  },
  'perm/late-resume': {
    versions: [2],
    side: 'agent',
    severity: 'warning',
    clause: 'an answer that comes after its work ended does not take that work up again',
    on: onUpdate(['state_update'], (step) => {
      const { late } = permissions.of(step.session);
      if (late === undefined || !isLiveState(step)) return undefined;
      if (str(step.update, 'state') !== 'running') return 'pass';
      return fail(`\`running\` right after the late answer #${late.answer}, and no prompt`, {
        pointer: '/params/update/state',
        seqs: [late.request, late.answer, step.seq],
        // Background work that the agent does not report may have asked, and goes on.
        ...(late.wasCancelled ? {} : { severity: 'hint' }),
      });
    }),
  },
});
