// What a restore asks for and what its answer must be preceded by: replay cursors, the state
// snapshot, and history that nobody asked for. Family `resume` of the catalogue, and `load`.
import { get } from '../../acp/json.ts';
import { RESTORES } from '../../acp/methods.ts';
import { CURSOR_TYPE } from '../../model/restore/clauses/cursor.ts';
import { REPLAY_FROM } from '../../model/restore/clauses/history.ts';
import { onRequest, onUpdate } from '../listen.ts';
import { catalogue, fail, quote } from '../rule.ts';
import { frameWords, setups } from '../sessions/setup-facts.ts';
import { wasBusy, windowOf } from './window-facts.ts';
import { byRequest, replayRule } from './compared.ts';

export const RESUME_RULES = catalogue({
  'resume/no-replay-without-cursor': {
    side: 'agent',
    ...replayRule('resume/no-replay-without-cursor'),
    clause: 'without a replay cursor no history comes before the answer',
  },
  'resume/state-snapshot': {
    versions: [2],
    side: 'agent',
    ...replayRule('resume/state-snapshot'),
    clause: 'a `state_update` tells the current state before the answer, after any replay',
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
    on: byRequest(CURSOR_TYPE, '/params/replayFrom'),
  },
  'resume/cursor-unknown-reply': {
    versions: [2],
    side: 'agent',
    ...replayRule('resume/cursor-unknown-reply'),
    clause:
      'a replay cursor that the agent does not know, or cannot read, is refused with −32602, not taken for another',
  },
  'resume/cursor-inclusive': {
    versions: [2],
    side: 'agent',
    ...replayRule('resume/cursor-inclusive'),
    clause: 'a replay begins with what its cursor names, and includes it',
  },
  'resume/replay-on-v1': {
    versions: [1],
    side: 'client',
    severity: 'error',
    clause: 'v1 has no `replayFrom`; `session/load` replays',
    on: byRequest(REPLAY_FROM, '/params/replayFrom'),
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
    ...replayRule('load/known-refused'),
    clause: 'a session that was made, prompted and not deleted can be restored',
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
