// What a restore asks for and what its answer must be preceded by: replay cursors, the state
// snapshot, and history that nobody asked for. Family `resume` of the catalogue, and `load`.
import { REPLAY_SEVERITY } from '../../model/fidelity/fault-book.ts';
import { CODE } from '../../acp/message.ts';
import { get, obj, parseJson, str } from '../../acp/json.ts';
import { RESTORES } from '../../acp/methods.ts';
import { OF_OTHERS } from '../../model/restore/clauses/cursor.ts';
import { requestFaults } from '../../model/restore/clauses/request.ts';
import { wishOf } from '../../model/facts/restore.ts';
import { deniesSession } from '../../model/facts/denial.ts';
import type { Connection, RestoreWindow } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import type { AnswerStep } from '../steps.ts';
import {
  catalogue,
  fail,
  mayBeUnseen,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
} from '../rule.ts';
import { frameWords, setups } from '../sessions/setup-facts.ts';
import {
  answeredWindow,
  isRecordedWhole,
  toldIn,
  wasBusy,
  windowOf,
  type WindowTold,
} from './window-facts.ts';
import { byComparison } from './compared.ts';

const RESUME = ['session/resume'] as const;

function isAnswered({ result, session, asked }: AnswerStep): RestoreWindow | undefined {
  return result === undefined ? undefined : answeredWindow(session, asked.seq);
}

/** The agent tells of this type of cursor in its capabilities. */
function isAnnounced(type: string, { agentCapabilities }: Connection): boolean {
  const metas = [agentCapabilities, obj(agentCapabilities, 'session')].map((at) =>
    obj(at, '_meta'),
  );
  return metas.some((meta) => meta !== undefined && JSON.stringify(meta).includes(type.slice(1)));
}

export const RESUME_RULES = catalogue({
  'resume/no-replay-without-cursor': {
    side: 'agent',
    severity: 'error',
    clause: 'without a replay cursor no history comes before the answer',
    on: onAnswer(RESUME, (step): Outcome => {
      const window = isAnswered(step);
      if (window?.wish !== 'none') return undefined;
      const { messageSeqs, otherSeqs } = toldIn(window);
      const { background, state } = window.root;
      const busy = wasBusy(window);
      const others = otherSeqs
        .filter(({ id }) => id === undefined || !background.some((work) => work.id === id))
        .map(({ seq }) => seq);
      if (messageSeqs.length + others.length === 0) return 'pass';
      const method = 'session/update';
      if (state !== undefined && state !== 'idle')
        return undecidable(
          `history before the answer, but the session is ${state}: it may be live`,
          'a restore of a session that rests',
          { seqs: [...messageSeqs, ...others], method },
        );
      const faults: RuleFault[] = [];
      const came = (seqs: WindowTold['messageSeqs'], what: string, lenient: boolean) => {
        if (seqs.length === 0) return;
        const words = `${seqs.length} ${seqs.length === 1 ? 'update' : 'updates'} of ${what}`;
        const live = busy ? '; the session was at work, so they may be live' : '';
        faults.push(
          fail(`${words} before #${step.seq} answered${live}`, {
            seqs,
            method,
            ...(lenient || busy ? { severity: 'warning' } : {}),
          }),
        );
      };
      came(messageSeqs, 'messages', false);
      came(others, 'tool calls, plans or terminals', true);
      return faults;
    }),
  },
  'resume/state-snapshot': {
    versions: [2],
    side: 'agent',
    severity: 'error',
    clause: 'a `state_update` tells the current state before the answer, after any replay',
    on: onAnswer(RESUME, (step, connection): Outcome => {
      const window = isAnswered(step);
      if (window === undefined) return undefined;
      const { stateAt } = window.root;
      if (stateAt === undefined) {
        if (!isRecordedWhole(window, connection))
          return undecidable('events are missing before the answer', 'a recording without a gap');
        return fail('a result, and no `state_update` before it', {
          seqs: [window.seq, step.seq],
        });
      }
      const { afterState } = toldIn(window);
      if (wasBusy(window) || afterState.length === 0) return 'pass';
      return fail(`history after the snapshot (#${stateAt})`, {
        severity: 'warning',
        seqs: afterState,
        method: 'session/update',
      });
    }),
  },
  'resume/snapshot-is-not-completion': {
    versions: [2],
    side: 'agent',
    severity: 'hint',
    clause: 'the snapshot of a restore ends no work, so it carries no usage',
    on: onUpdate(['state_update'], ({ session, update }) => {
      const window = windowOf(session);
      if (window === undefined || wasBusy(window)) return undefined;
      return get(update, 'usage') === undefined || get(update, 'usage') === null
        ? 'pass'
        : fail('`usage` in a snapshot', '/params/update/usage');
    }),
  },
  'resume/cursor-unknown': {
    versions: [2],
    side: 'client',
    severity: 'warning',
    clause:
      'a replay cursor is `{"type":"start"}`, or has a type of an agent’s own that begins with `_`',
    on: onRequest(RESUME, ({ method, params }) => {
      const cursor = get(params, 'replayFrom');
      const wish = wishOf(method, 2, cursor);
      if (wish === 'none') return undefined;
      if (wish !== 'unknown' && wish !== 'malformed') return 'pass';
      const pointer = '/params/replayFrom';
      // Without a type it is no cursor of any agent's: the schema forbids it.
      const isCursor = wish === 'unknown';
      return fail(
        `the cursor ${quote(cursor)}`,
        isCursor ? { pointer } : { pointer, severity: 'error' },
      );
    }),
  },
  'resume/cursor-unknown-reply': {
    versions: [2],
    side: 'agent',
    severity: REPLAY_SEVERITY['resume/cursor-unknown-reply'],
    clause:
      'a replay cursor that the agent does not know, or cannot read, is refused with −32602, not taken for another',
    on: [
      onAnswer(RESUME, ({ session, asked, result, error }): Outcome => {
        const window = answeredWindow(session, asked.seq);
        if (session === undefined || window === undefined) return undefined;
        const { wish, from: cursor, seq: request } = window;
        const isBad = wish === 'unknown' || wish === 'malformed';
        if (!isBad && wish !== 'custom') return undefined;
        if (error !== undefined) {
          if (error.code === CODE.invalidParams) return 'pass';
          if (OF_OTHERS.has(error.code) || !isBad) return undefined;
          return fail(`the code ${error.code} for ${quote(cursor)}`, '/error/code');
        }
        if (result === undefined) return undefined;
        if (isBad) return fail(`a result for ${quote(cursor)} (#${request})`);
        return undefined;
      }),
      // The cursor may be the agent's own, and mean just that.
      byComparison('resume/cursor-unknown-reply', ({ cursor }, connection) => {
        const sent = parseJson(cursor ?? '');
        return !isAnnounced(str(sent, 'type') ?? '', connection);
      }),
    ],
  },
  'resume/cursor-inclusive': {
    versions: [2],
    side: 'agent',
    severity: REPLAY_SEVERITY['resume/cursor-inclusive'],
    clause: 'a replay begins with what its cursor names, and includes it',
    on: byComparison('resume/cursor-inclusive'),
  },
  'resume/replay-on-v1': {
    versions: [1],
    side: 'client',
    severity: 'error',
    clause: 'v1 has no `replayFrom`; `session/load` replays',
    on: onRequest(RESTORES, ({ params }) =>
      get(params, 'replayFrom') === undefined
        ? 'pass'
        : fail(`\`replayFrom\` is ${quote(get(params, 'replayFrom'))}`, '/params/replayFrom'),
    ),
  },
  'load/before-first-prompt': {
    versions: [1],
    side: 'client',
    severity: 'hint',
    clause: 'a session is loaded after its first prompt; several agents store nothing before that',
    on: onRequest(['session/load'], ({ session }, connection) => {
      if (session === undefined) return undefined;
      const { made } = session.stored;
      const { prompted } = setups.of(session.stored);
      if (made === undefined) return undefined;
      return prompted
        ? 'pass'
        : fail(
            `${quote(session.id)} was made in ${frameWords(made, connection)} and never prompted`,
          );
    }),
  },
  'load/known-refused': {
    side: 'agent',
    severity: 'warning',
    clause: 'a session that was made, prompted and not deleted can be restored',
    on: onAnswer(RESTORES, ({ session, error, method, params, asked, seq }, connection) => {
      if (session === undefined || session.deleted !== undefined || session.active)
        return undefined;
      const { made } = session.stored;
      const { prompted } = setups.of(session.stored);
      if (made === undefined) return undefined;
      if (error === undefined) return 'pass';
      // Several agents keep a session from its first prompt on.
      if (!prompted) return undefined;
      const words = `the code ${error.code} ${quote(error.message)} for ${quote(session.id)}, which ${frameWords(made, connection)} made`;
      // The same process made the session, so that nobody else can have removed it.
      if (made.connection === connection.id && deniesSession(error, session.id)) {
        if (connection.gaps > 0) return mayBeUnseen(session.id, 'deleted', '/error');
        const seqs = [made.seq, asked.seq, seq];
        return fail(words, { pointer: '/error', severity: 'error', seqs });
      }
      // Other codes blame the request or the client, or say that it was not kept.
      if (error.code !== CODE.internalError || requestFaults(method, params).length > 0)
        return undefined;
      return fail(words, '/error');
    }),
  },
  'load/same-connection': {
    side: 'client',
    severity: 'hint',
    clause:
      'a session that is open on a connection need not be restored there; what that does is undefined',
    on: onRequest(RESTORES, ({ session, method }) => {
      if (session === undefined) return undefined;
      return session.active ? fail(`\`${method}\` of ${quote(session.id)}, which is open`) : 'pass';
    }),
  },
});
