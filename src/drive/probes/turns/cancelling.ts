// Family G, cancellation: of a turn, of nothing, and of a request.
import { obj } from '../../../acp/json.ts';
import { idKey, type Message } from '../../../acp/message.ts';
import { endWords } from '../../peer.ts';
import type { ScriptedConnection } from '../../scripted.ts';
import {
  onPage,
  onPages,
  outcomeWords,
  at,
  fail,
  info,
  pass,
  stopReasonOf,
  warn,
  worstVerdict,
} from '../probe.ts';
import { ruleVerdicts } from '../by-rules.ts';
import { updatesOf } from '../../turn.ts';
import { statesIn } from '../restore/restored.ts';
import { family } from '../world.ts';
import { unknownId } from '../restore/refusals.ts';
import { answersTo, caught } from './running.ts';

/** Silences after `$/cancel_request` in which an agent may still answer the request it names. */
const PATIENCE = 4;
const source = [
  ...onPage(1, 'prompt-turn', 'cancellation'),
  ...onPage(2, 'prompt-lifecycle', 'cancellation'),
];

/** An answer to nothing that was asked: agents give it the id null, an odd one, or none. */
function isUnasked({ heard }: ScriptedConnection, message: Message): boolean {
  if (message.kind === 'invalid') return obj(message.value, 'error') !== undefined;
  if (message.kind !== 'failure' && message.kind !== 'success') return false;
  const key = idKey(message.id);
  return !heard.some(
    ({ frame, message: asked }) =>
      frame.from === 'client' && asked.kind === 'request' && idKey(asked.id) === key,
  );
}

export const CANCELLING = family({ versions: [1, 2], source })({
  'cancel/turn': {
    prompts: 1,
    sentence: 'session/cancel ends a turn as cancelled, not as an error.',
    async run(world) {
      const { connection, sessionId, prompt, end } = await caught(world, 'cancelled');
      if (connection.exit)
        return fail(
          `The agent ended in the middle of a turn (${endWords(connection.exit)}).`,
          at(connection, await prompt.answered, connection.last),
        );
      connection.notify('session/cancel', { sessionId });
      const turn = await end();
      const cancel = connection.heard.findLast(
        ({ message }) => message.kind === 'notification' && message.method === 'session/cancel',
      );
      world.show(at(connection, turn.prompt, cancel?.frame, turn.end));
      if (connection.exit) return fail('The agent ended in the middle of a cancelled turn.');
      if (turn.end === undefined)
        return fail('The cancelled turn did not end. Expected: cancelled.');
      const found = ruleVerdicts(world, connection, sessionId, 'cancel/');
      if (found.length > 0) return worstVerdict(found);
      if (turn.stopReason === 'cancelled') return pass('The turn ended as cancelled.');
      return info(`The turn ended with ${stopReasonOf(turn)} when it was cancelled.`);
    },
  },
  'cancel/idle': {
    sentence:
      'session/cancel of an idle session, or of one that nobody made, is passed over in silence.',
    async run(world) {
      const { connection, sessionId } = await world.session();
      await world.quiet(connection);
      const from = connection.heard.length;
      for (const id of [sessionId, unknownId(world)])
        connection.notify('session/cancel', { sessionId: id });
      await world.quiet(connection);
      const heard = connection.heard.slice(from);
      const said = heard.filter(({ frame }) => frame.from === 'agent');
      const spot = at(connection, ...heard.map(({ frame }) => frame));
      world.show(spot);
      if (connection.exit) return fail('The agent ended when an idle session was cancelled.');
      const answer = said.find(({ message }) => isUnasked(connection, message));
      if (answer)
        return fail(
          'A notification was answered; none ever is.',
          at(connection, answer.frame),
          spot,
        );
      const odd = statesIn(updatesOf(said, sessionId)).find(({ state }) => state !== 'idle');
      if (odd)
        return fail(
          `The idle session became ${odd.state || 'another'} when it was cancelled.`,
          at(connection, odd),
          spot,
        );
      return pass('Nothing happened.');
    },
  },
  'cancel/request': {
    prompts: 1,
    source: onPages('cancellation', 'cancel_request-notification'),
    sentence: '$/cancel_request of a prompt: it is answered in the end, once.',
    async run(world) {
      const { connection, prompt, sessionId } = await caught(world, 'cancelled');
      connection.notify('$/cancel_request', { requestId: prompt.id });
      // Agents may ignore it: then the turn is ended as any other.
      const patience = world.settings.quiet * PATIENCE;
      await connection.until(() => answersTo(connection, prompt.id).length > 0, patience);
      connection.notify('session/cancel', { sessionId });
      const answered = await prompt.answered;
      await world.quiet(connection);
      world.show(at(connection, answered, ...answersTo(connection, prompt.id)));
      if (!answered.answer)
        return fail('A prompt that was cancelled by $/cancel_request was never answered.');
      if (answersTo(connection, prompt.id).length > 1)
        return warn('A prompt that was cancelled by $/cancel_request was answered more than once.');
      return pass(`It ${outcomeWords(answered)}, once.`);
    },
  },
});
