// Family F, session/close: what it ends, what it answers, and that it takes nothing away.
import { CODE } from '../../../acp/message.ts';
import { count } from '../../../lib/format-count.ts';
import { pages } from '../pages.ts';
import { errorOf, resultOf } from '../../scripted.ts';
import { textBlocks, updatesOf, askPrompt } from '../../turn.ts';
import { missingText } from '../restore/compare.ts';
import {
  at,
  fail,
  pass,
  say,
  skip,
  warn,
  worst,
  answerWords,
  refusedSession,
  worstOf,
} from '../probe.ts';
import { family } from '../world.ts';
import { unknownId } from '../restore/refusals.ts';
import { restoreOn, savedSession } from '../restore/restored.ts';
import { caught } from './running.ts';

const CLOSE = 'session/close';
const source = pages('session-setup', 'closing-active-sessions');

export const CLOSING = family({ versions: [1, 2], needs: [CLOSE], source })({
  'close/idle': {
    sentence: 'An idle session is closed with a result, and nothing is said of it from then on.',
    async run(world) {
      const connection = await world.bench();
      const { sessionId } = await world.create(connection);
      await world.quiet(connection);
      const closed = await connection.request(CLOSE, { sessionId });
      await world.quiet(connection);
      const [spot] = world.show(at(connection, closed));
      if (resultOf(closed) === undefined)
        return fail(`close of an idle session ${answerWords(closed)}; a result is due.`);
      const later = updatesOf(connection.heard.slice(closed.after), sessionId);
      if (later.length === 0) return pass('Closed, and silent from then on.');
      const why = `${count(later.length, 'update')} of the session came after its close was answered; none is due.`;
      return say(
        world.version === 2 ? 'fail' : 'warn',
        why,
        at(connection, ...later.map(({ seq }) => seq)),
        spot,
      );
    },
  },
  'close/twice': {
    sentence: 'Closing again, and closing what nobody made, succeeds or is refused with −32002.',
    async run(world) {
      const connection = await world.bench();
      const { sessionId } = await world.create(connection);
      await connection.request(CLOSE, { sessionId });
      const asked = [
        ['A second close', sessionId],
        ['close of an id nobody made', unknownId(world)],
      ] as const;
      return worstOf(asked, async ([what, id]) => {
        const again = await world.provoke(connection, CLOSE, { sessionId: id });
        const told = `${what} ${answerWords(again)}`;
        const spot = at(connection, again);
        if (resultOf(again) !== undefined || errorOf(again)?.code === CODE.notFound)
          return pass(`${told}.`, spot);
        const bad = !again.answer ? 'fail' : world.version === 2 ? 'warn' : 'info';
        return say(bad, `${told}; a result, or −32002, is due.`, spot);
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
      const [spot] = world.show(at(connection, turn.prompt, turn.end, closed));
      if (resultOf(closed) === undefined)
        return fail(`close while a turn ran ${answerWords(closed)}; a result is due.`);
      if (turn.end !== undefined && turn.stopReason === 'end_turn')
        return skip('The turn ended by itself when it was closed. Give another --long-prompt.');
      if (turn.stopReason !== 'cancelled') {
        const seen =
          turn.end === undefined
            ? 'did not end'
            : turn.prompt.answer?.kind === 'failure'
              ? answerWords(turn.prompt)
              : `ended with ${turn.stopReason ?? 'no stop reason'}`;
        return fail(
          `The turn that ran when its session was closed ${seen}; it is due to end as cancelled.`,
        );
      }
      const later = updatesOf(connection.heard.slice(closed.after), sessionId);
      if (later.length > 0 && world.version === 2)
        return fail(
          `${count(later.length, 'update')} of the session came after its close was answered; none is due.`,
          at(connection, ...later.map(({ seq }) => seq)),
          spot,
        );
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
      if (!one.answer || !two.answer)
        return fail(
          `When the session was closed, ${!one.answer ? 'the running' : 'the waiting'} prompt was never answered.`,
        );
      if (errorOf(one))
        return fail(
          `The running prompt, which was inserted, ${answerWords(one)}; its messageId is due.`,
        );
      const code = errorOf(two)?.code;
      if (code === undefined)
        return pass('Both prompts were inserted before the close, and answered so.');
      if (code !== CODE.requestCancelled)
        return warn(`The waiting prompt ${answerWords(two)}; −32800 is due.`);
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
      const how = world.version === 2 ? 'start' : 'load';
      const shut = world.shut(how === 'load' ? 'session/load' : 'session/resume');
      if (shut !== undefined) return skip(shut);
      const a = await world.connect('a');
      const first = await restoreOn(world, a, saved.sessionId, how);
      const closed = await a.request(CLOSE, { sessionId: saved.sessionId });
      await a.leave();
      const b = await world.connect('b');
      const { answered, all } = await restoreOn(world, b, saved.sessionId, how);
      world.show(at(b, answered), at(a, first.answered, closed));
      if (resultOf(first.answered) === undefined || resultOf(closed) === undefined)
        return skip('The session could not be restored and closed.');
      if (resultOf(answered) === undefined)
        return warn(
          `After a close the restore ${answerWords(answered)}; close is not to take the session away.`,
        );
      if (first.all.length > 0 && all.length === 0)
        return warn('After a close nothing is replayed; close is not to take the history away.');
      const faults =
        first.all.length > 0 && missingText(saved, first.all).length === 0
          ? missingText(saved, all)
          : [];
      if (faults.length > 0)
        return warn(`After a close the history differs. ${faults.map(({ why }) => why).join(' ')}`);
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
      const saved = await savedSession(world);
      const { sessionId } = saved;
      const connection = await world.connect('a');
      const first = await restoreOn(world, connection, sessionId, 'omit');
      const closed = await connection.request(CLOSE, { sessionId });
      const prompted = await world.provoke(connection, 'session/prompt', {
        sessionId,
        prompt: textBlocks('Reply with OK.'),
      });
      const verdict = refusedSession(
        connection,
        prompted,
        'A prompt to a closed session',
        sessionId,
        'fail',
      );
      const again = await restoreOn(world, connection, sessionId, 'omit');
      const [spot] = world.show(at(connection, first.answered, closed, prompted, again.answered));
      if (resultOf(first.answered) === undefined || resultOf(closed) === undefined)
        return skip('The session could not be resumed and closed.');
      if (resultOf(again.answered) === undefined)
        return worst([
          verdict,
          fail(`After a close resume ${answerWords(again.answered)}; a result is due.`, spot),
        ]);
      return worst([verdict, pass('After a close the session is active again by a resume.', spot)]);
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
