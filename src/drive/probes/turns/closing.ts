// Family F, session/close: what it ends, what it answers, and that it takes nothing away.
import { CODE } from '../../../acp/message.ts';
import { count } from '../../../lib/format.ts';
import {
  onPages,
  at,
  fail,
  pass,
  say,
  skip,
  warn,
  worstVerdict,
  outcomeWords,
  refusedSession,
  worstOf,
  stopReasonOf,
} from '../probe.ts';
import { textBlocks, updatesOf, askPrompt } from '../../turn.ts';
import { missingText } from '../restore/faithful.ts';
import { family } from '../world.ts';
import { unknownId } from '../restore/refusals.ts';
import { restoreOn, savedSession, replaying, savedAgain } from '../restore/restored.ts';
import { caught } from './running.ts';
import { giveAnother } from '../../../model/probe-texts.ts';

const CLOSE = 'session/close';
/** What came after a close, behind how many updates. */
const LATER = 'of the session came after its close was answered. Expected: none.';
const source = onPages('session-setup', 'closing-active-sessions');

export const CLOSING = family({ versions: [1, 2], needs: [CLOSE], source })({
  'close/idle': {
    sentence: 'An idle session is closed with a result, and nothing is said of it from then on.',
    async run(world) {
      const { connection, sessionId } = await world.session();
      await world.quiet(connection);
      const closed = await connection.request(CLOSE, { sessionId });
      await world.quiet(connection);
      world.show(closed);
      if (closed.result === undefined)
        return fail(`close of an idle session ${outcomeWords(closed)}. Expected: a result.`);
      const later = updatesOf(connection.heard.slice(closed.after), sessionId);
      if (later.length === 0) return pass('Closed, and silent from then on.');
      const why = `${count(later.length, 'update')} ${LATER}`;
      return say(world.version === 2 ? 'fail' : 'warn', why, at(connection, ...later), closed);
    },
  },
  'close/twice': {
    sentence: 'Closing again, and closing what nobody made, succeeds or is refused with −32002.',
    async run(world) {
      const { connection, sessionId } = await world.session();
      await connection.request(CLOSE, { sessionId });
      const asked = [
        ['A second close', sessionId],
        ['close of an id nobody made', unknownId(world)],
      ] as const;
      return worstOf(asked, async ([what, id]) => {
        const again = await world.provoke(connection, CLOSE, { sessionId: id });
        const told = `${what} ${outcomeWords(again)}`;
        if (again.result !== undefined || again.error?.code === CODE.notFound)
          return pass(`${told}.`, again);
        const bad = !again.answer ? 'fail' : world.version === 2 ? 'warn' : 'info';
        return say(bad, `${told}. Expected: a result, or −32002.`, again);
      });
    },
  },
  'close/running': {
    prompts: 1,
    sentence:
      'Closing while a turn runs cancels it first: the prompt ends as cancelled, then close is answered, then silence.',
    async run(world) {
      const { connection, sessionId, end } = await caught(world, 'closed');
      const closed = await connection.request(CLOSE, { sessionId });
      const turn = await end();
      await world.quiet(connection);
      const spot = at(connection, turn, closed);
      world.show(spot);
      if (closed.result === undefined)
        return fail(`close while a turn ran ${outcomeWords(closed)}. Expected: a result.`);
      if (turn.end !== undefined && turn.stopReason === 'end_turn')
        return skip(`The turn ended by itself when it was closed. ${giveAnother('long')}`);
      if (turn.stopReason !== 'cancelled') {
        const how = turn.prompt.error
          ? outcomeWords(turn.prompt)
          : `ended with ${stopReasonOf(turn)}`;
        const seen = turn.end === undefined ? 'did not end' : how;
        const told = `The turn that ran when its session was closed ${seen}`;
        return fail(`${told}. Expected: the prompt ends as cancelled.`);
      }
      const later = updatesOf(connection.heard.slice(closed.after), sessionId);
      if (later.length > 0 && world.version === 2)
        return fail(`${count(later.length, 'update')} ${LATER}`, at(connection, ...later), spot);
      return pass('The turn ended as cancelled, and close was answered.');
    },
  },
  'close/held': {
    versions: [2],
    prompts: 2,
    sentence:
      'Of two prompts when the session is closed, the one that waits is refused with −32800, the inserted one has its messageId.',
    async run(world) {
      const { connection, sessionId, prompt } = await caught(world, 'closed');
      const second = askPrompt(connection, sessionId, 'Reply with OK.');
      const closed = await connection.request(CLOSE, { sessionId });
      const [one, two] = await Promise.all([prompt.answered, second.answered]);
      world.show(at(connection, one, two, closed));
      const silent = !one.answer ? 'running' : !two.answer && 'waiting';
      if (silent)
        return fail(`When the session was closed, the ${silent} prompt was never answered.`);
      const told = `The running prompt, which was inserted, ${outcomeWords(one)}`;
      if (one.error) return fail(`${told}. Expected: its messageId.`);
      const code = two.error?.code;
      if (code === undefined)
        return pass('Both prompts were inserted before the close, and answered so.');
      if (code !== CODE.requestCancelled)
        return warn(`The waiting prompt ${outcomeWords(two)}. Expected: −32800.`);
      return pass('The waiting prompt was refused with −32800, the running one has its messageId.');
    },
  },
  'close/then-load': {
    connections: 2,
    saved: 'reads',
    sentence:
      'A session that was closed can be restored, with its history: close takes nothing away.',
    async run(world) {
      const saved = await savedSession(world);
      const how = replaying(world);
      const a = await world.connect('a');
      const first = await restoreOn(world, a, saved.sessionId, how);
      const closed = await a.request(CLOSE, { sessionId: saved.sessionId });
      await a.leave();
      const b = await world.connect('b');
      const { answered, all } = await restoreOn(world, b, saved.sessionId, how);
      world.show(answered, at(a, first.answered, closed));
      if (first.answered.result === undefined || closed.result === undefined)
        return skip('The session could not be restored and closed.');
      if (answered.result === undefined)
        return warn(
          `After a close the restore ${outcomeWords(answered)}; close is not to take the session away.`,
        );
      if (first.all.length > 0 && all.length === 0)
        return warn('After a close nothing is replayed; close is not to take the history away.');
      const wasWhole = first.all.length > 0 && missingText(saved, first.all).why === '';
      const { why } = missingText(saved, all);
      if (wasWhole && why !== '') return warn(`After a close the history differs. ${why}`);
      return pass('After a close the session is restored as before.');
    },
  },
  'resume2/after-close': {
    versions: [2],
    prompts: 1,
    connections: 1,
    saved: 'reads',
    sentence: 'A closed session takes no prompt (−32002), and is active again after a resume.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const first = await restoreOn(world, connection, sessionId, 'omit');
      const closed = await connection.request(CLOSE, { sessionId });
      const prompt = textBlocks('Reply with OK.');
      const prompted = await world.provoke(connection, 'session/prompt', { sessionId, prompt });
      const what = 'A prompt to a closed session';
      const verdict = refusedSession(world, prompted, what, sessionId, 'fail');
      const again = await restoreOn(world, connection, sessionId, 'omit');
      const spot = at(connection, first.answered, closed, prompted, again.answered);
      world.show(spot);
      if (first.answered.result === undefined || closed.result === undefined)
        return skip('The session could not be resumed and closed.');
      const told =
        again.answered.result === undefined
          ? fail(`After a close resume ${outcomeWords(again.answered)}. Expected: a result.`, spot)
          : pass('After a close the session is active again by a resume.', spot);
      return worstVerdict([verdict, told]);
    },
  },
  'close/background': {
    versions: [2],
    prompts: 1,
    elsewhere:
      'No prompt is known that leaves background work behind in every agent, so there is none to close on.',
    sentence:
      'A background terminal that is listed when its session is closed has an exitStatus before the answer.',
    run: () => Promise.resolve(skip('Not asked.')),
  },
});
