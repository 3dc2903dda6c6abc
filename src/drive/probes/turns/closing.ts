// Family F, session/close: what it ends, what it answers, and that it takes nothing away.
import { CODE } from '../../../acp/errors.ts';
import { count } from '../../../lib/format-count.ts';
import { pages } from '../pages.ts';
import { errorOf, resultOf } from '../../scripted.ts';
import { textBlocks, updatesOf } from '../../turn.ts';
import { missingText } from '../restore/compare.ts';
import {
  at,
  fail,
  pass,
  say,
  skip,
  warn,
  worst,
  type ProbeVerdict,
  answerWords,
  refusedSession,
} from '../probe.ts';
import { family } from '../world.ts';
import { unknownId } from '../restore/refusals.ts';
import { restoreOn, savedSession } from '../restore/restored.ts';
import { startTurn } from './running.ts';

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
      const spot = at(connection, closed);
      if (resultOf(closed) === undefined)
        return fail(`close of an idle session ${answerWords(closed)}; a result is due.`, spot);
      const later = updatesOf(connection.heard.slice(closed.after), sessionId);
      if (later.length === 0) return pass('Closed, and silent from then on.', spot);
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
      const verdicts: ProbeVerdict[] = [];
      for (const [what, id] of [
        ['A second close', sessionId],
        ['close of an id nobody made', unknownId(world)],
      ] as const) {
        const again = await world.provoke(connection, CLOSE, { sessionId: id });
        const told = `${what} ${answerWords(again)}`;
        const isFine = resultOf(again) !== undefined || errorOf(again)?.code === CODE.notFound;
        const bad = !again.answer ? 'fail' : world.version === 2 ? 'warn' : 'info';
        verdicts.push(
          say(
            isFine ? 'pass' : bad,
            isFine ? `${told}.` : `${told}; a result, or −32002, is due.`,
            at(connection, again),
          ),
        );
      }
      return worst(verdicts);
    },
  },
  'close/running': {
    prompts: 1,
    sentence:
      'Closing while a turn runs cancels it first: the prompt ends as cancelled, then close is answered, then silence.',
    async run(world) {
      const { connection, sessionId, isOver, prompt, end } = await startTurn(
        world,
        await world.bench(),
      );
      if (isOver)
        return skip(
          'The turn was over before it could be closed. Give another --long-prompt.',
          at(connection, await prompt.answered),
        );
      const closed = await connection.request(CLOSE, { sessionId });
      const turn = await end();
      await world.quiet(connection);
      const spot = at(connection, turn.prompt, turn.end, closed);
      if (resultOf(closed) === undefined)
        return fail(`close while a turn ran ${answerWords(closed)}; a result is due.`, spot);
      if (turn.end !== undefined && turn.stopReason === 'end_turn')
        return skip(
          'The turn ended by itself when it was closed. Give another --long-prompt.',
          spot,
        );
      if (turn.stopReason !== 'cancelled') {
        const seen =
          turn.end === undefined
            ? 'did not end'
            : turn.prompt.answer?.kind === 'failure'
              ? answerWords(turn.prompt)
              : `ended with ${turn.stopReason ?? 'no stop reason'}`;
        return fail(
          `The turn that ran when its session was closed ${seen}; it is due to end as cancelled.`,
          spot,
        );
      }
      const later = updatesOf(connection.heard.slice(closed.after), sessionId);
      if (later.length > 0 && world.version === 2)
        return fail(
          `${count(later.length, 'update')} of the session came after its close was answered; none is due.`,
          at(connection, ...later.map(({ seq }) => seq)),
          spot,
        );
      return pass('The turn ended as cancelled, and close was answered.', spot);
    },
  },
  'close/held': {
    versions: [2],
    prompts: 2,
    sentence:
      'Of two prompts when the session is closed, the one that waits is refused with −32800, the inserted one has its messageId.',
    async run(world) {
      const { connection, sessionId, isOver, prompt } = await startTurn(world, await world.bench());
      if (isOver)
        return skip(
          'The turn was over before it could be closed.',
          at(connection, await prompt.answered),
        );
      const second = connection.ask('session/prompt', {
        sessionId,
        prompt: textBlocks('Reply with OK.'),
      });
      const closed = await connection.request(CLOSE, { sessionId });
      const [one, two] = await Promise.all([prompt.answered, second.answered]);
      const spot = at(connection, one, two, closed);
      if (!one.answer || !two.answer)
        return fail(
          `When the session was closed, ${!one.answer ? 'the running' : 'the waiting'} prompt was never answered.`,
          spot,
        );
      if (errorOf(one))
        return fail(
          `The running prompt, which was inserted, ${answerWords(one)}; its messageId is due.`,
          spot,
        );
      const code = errorOf(two)?.code;
      if (code === undefined)
        return pass('Both prompts were inserted before the close, and answered so.', spot);
      if (code !== CODE.requestCancelled)
        return warn(`The waiting prompt ${answerWords(two)}; −32800 is due.`, spot);
      return pass(
        'The waiting prompt was refused with −32800, the running one has its messageId.',
        spot,
      );
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
      const spots = [at(b, answered), at(a, first.answered, closed)];
      if (resultOf(first.answered) === undefined || resultOf(closed) === undefined)
        return skip('The session could not be restored and closed.', ...spots);
      if (resultOf(answered) === undefined)
        return warn(
          `After a close the restore ${answerWords(answered)}; close is not to take the session away.`,
          ...spots,
        );
      if (first.all.length > 0 && all.length === 0)
        return warn(
          'After a close nothing is replayed; close is not to take the history away.',
          ...spots,
        );
      const faults =
        first.all.length > 0 && missingText(saved, first.all).length === 0
          ? missingText(saved, all)
          : [];
      if (faults.length > 0)
        return warn(
          `After a close the history differs. ${faults.map(({ why }) => why).join(' ')}`,
          ...spots,
        );
      return pass('After a close the session is restored as before.', ...spots);
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
      const verdict = refusedSession(connection, prompted, {
        what: 'A prompt to a closed session',
        sessionId,
        accepted: 'fail',
        other: 'warn',
      });
      const again = await restoreOn(world, connection, sessionId, 'omit');
      const spot = at(connection, first.answered, closed, prompted, again.answered);
      if (resultOf(first.answered) === undefined || resultOf(closed) === undefined)
        return skip('The session could not be resumed and closed.', spot);
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
