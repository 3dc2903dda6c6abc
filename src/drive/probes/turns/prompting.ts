// Family G, prompts: what resume depends on, since history is made of turns.
import { endWords } from '../../peer.ts';
import { CODE, type Json } from '../../../acp/message.ts';
import { str } from '../../../acp/json.ts';
import {
  onPage,
  onPages,
  at,
  fail,
  info,
  pass,
  say,
  skip,
  warn,
  outcomeWords,
  refused,
  wantsSignIn,
} from '../probe.ts';
import { type ScriptedConnection } from '../../scripted.ts';
import { updatesOf, askPrompt } from '../../turn.ts';
import { family, type ProbeWorld } from '../world.ts';
import { messagesOf, savedOf, statesIn } from '../restore/restored.ts';

const lifecycle = onPage(2, 'prompt-lifecycle', 'session-states');

function ended({ exit }: ScriptedConnection): string {
  return exit ? ` The agent ended (${endWords(exit)}).` : '';
}

const NO_RESULT = 'The prompt has no result: see prompt/turn.';

/** A prompt that is wrong on purpose, in a session of its own. */
async function wrongly(world: ProbeWorld, prompt: Json) {
  const { connection, sessionId } = await world.session();
  const { turnPatience } = world.settings;
  return world.provoke(connection, 'session/prompt', { sessionId, prompt }, turnPatience);
}

export const PROMPTING = family({ versions: [2], source: lifecycle })({
  'prompt/turn': {
    versions: [1, 2],
    saved: 'reads',
    source: onPages('overview', 'baseline-methods'),
    sentence:
      'The prompt of the shared session is answered, its turn ends, and the agent says the word it was asked for.',
    async run(world) {
      const { turn, live, marker } = await savedOf(world);
      const { prompt, end, stopReason, text } = turn;
      const told = `A prompt ${outcomeWords(prompt)}`;
      world.show(turn);
      if (wantsSignIn(prompt)) return skip(`${told}: the agent wants a sign-in first.`);
      if (!prompt.answer) return fail(`A prompt got no answer.${ended(live)}`);
      if (prompt.error) return fail(`${told}. Expected: a turn.`);
      if (end === undefined) return fail(`The turn did not end.${ended(live)}`);
      if (stopReason === undefined)
        return say(
          world.version === 1 ? 'fail' : 'warn',
          'The turn ended without a stopReason. Expected: a stopReason.',
        );
      if (!text.includes(marker))
        return info(
          'The turn ended, but the agent did not say the word it was asked for: probes of history compare what it said instead.',
        );
      return pass(`The turn ended with ${stopReason}.`);
    },
  },
  'prompt/echo': {
    saved: 'reads',
    source: onPage(2, 'prompt-lifecycle', '2-prompt-accepted'),
    sentence: 'The answer to a prompt has the messageId of exactly one user message.',
    async run(world) {
      const { turn, live } = await savedOf(world);
      const { prompt, messageId } = turn;
      if (prompt.result === undefined) return skip(NO_RESULT, prompt);
      const users = messagesOf(turn.updates).filter(({ kind }) => kind === 'user');
      const seen = at(live, ...users.flatMap(({ seqs }) => seqs.slice(0, 1)));
      if (messageId === undefined)
        return warn(
          'The prompt was answered without a messageId, as in the August draft.',
          prompt,
          seen,
        );
      const [same, ...more] = users.filter(({ id }) => id === messageId);
      if (same && more.length === 0)
        return pass(
          'The user message came under the id of the answer.',
          at(live, prompt, ...same.seqs),
        );
      const others = users.map(({ id }) => id ?? 'none').join(', ');
      return fail(
        `No user message came under ${messageId}, the id that answered the prompt${others === '' ? '' : `, but under ${others}`}.`,
        prompt,
        seen,
      );
    },
  },
  'prompt/states': {
    saved: 'reads',
    sentence: 'A turn goes from running to idle, with a stopReason.',
    async run(world) {
      const { turn, live } = await savedOf(world);
      const states = turn.updates.filter(({ variant }) => variant === 'state_update');
      const words = states.map(({ update }) => str(update, 'state') ?? '');
      world.show(at(live, turn.prompt, ...states));
      if (turn.prompt.result === undefined) return skip(NO_RESULT);
      const told = words.join(', ');
      if (words.at(-1) !== 'idle')
        return fail(`The states were ${told || 'none'}. Expected: the last state is idle.`);
      if (!words.includes('running')) return warn('idle came without running before it.');
      if (turn.stopReason === undefined)
        return warn('idle came without a stopReason. Expected: a stopReason.');
      return pass(`${told} with ${turn.stopReason}.`);
    },
  },
  'prompt/two': {
    prompts: 2,
    sentence: 'Two prompts at once have two ids, and are inserted in the order they were sent.',
    async run(world) {
      const { connection, sessionId } = await world.session();
      const from = connection.heard.length;
      const texts = ['ONE', 'TWO'].map(
        (word) => `Reply with the single word ${word}. Do not use tools.`,
      );
      const asked = texts.map((text) => askPrompt(connection, sessionId, text));
      const answers = await Promise.all(asked.map(({ answered }) => answered));
      const updates = () => updatesOf(connection.heard.slice(from), sessionId);
      const isIdle = () => statesIn(updates()).at(-1)?.state === 'idle';
      await connection.until(isIdle, connection.turnPatience);
      await world.quiet(connection);
      world.show(at(connection, ...answers));
      if (answers.some(({ answer }) => !answer))
        return fail('One of two prompts was never answered.');
      const bad = answers.find(({ error }) => error);
      if (bad)
        return warn(`One of two prompts ${outcomeWords(bad)}. Expected: the agent accepts both.`);
      const ids = answers.map(({ result }) => str(result, 'messageId'));
      if (ids.includes(undefined)) return skip('Prompts are answered without a messageId.');
      if (ids[0] === ids[1]) return fail(`Both prompts have the id ${ids[0] ?? ''}.`);
      const order = messagesOf(updates()).flatMap(({ kind, id }) =>
        kind === 'user' && ids.includes(id) ? [id] : [],
      );
      if (order.join() !== ids.join())
        return fail(
          `The prompts ${ids.join(', ')} were inserted as ${order.join(', ') || 'none'}. Expected: the order in which they were sent.`,
        );
      return pass('Two ids, inserted in order.');
    },
  },
  'prompt/empty': {
    prompts: 1,
    source: onPage(2, 'prompt-lifecycle', '1-user-message'),
    sentence: 'A prompt without content: noted, not judged.',
    async run(world) {
      const answered = await wrongly(world, []);
      return info(`A prompt without content ${outcomeWords(answered)}.`, answered);
    },
  },
  'prompt/unadvertised': {
    versions: [1, 2],
    prompts: 1,
    source: onPages('initialization', 'agent-capabilities'),
    sentence: 'A content block that is not advertised is refused with −32602.',
    async run(world) {
      const kind = unadvertised(world);
      if (kind === undefined) return skip('Images and audio are both advertised.');
      const mimeType = kind === 'image' ? 'image/png' : 'audio/wav';
      const answered = await wrongly(world, [{ type: kind, mimeType, data: 'AAAA' }]);
      const what = `A prompt with ${kind}, which is not advertised,`;
      return refused(answered, what, CODE.invalidParams, 'warn', 'info');
    },
  },
});

function unadvertised(world: ProbeWorld): 'image' | 'audio' | undefined {
  const path = world.version === 1 ? 'promptCapabilities' : 'session.prompt';
  return (['image', 'audio'] as const).find((kind) => !world.advertises(`${path}.${kind}`));
}
