// Family G, prompts: what resume depends on, since history is made of turns.
import { endWords } from '../../peer.ts';
import { CODE } from '../../../acp/message.ts';
import { str } from '../../../acp/json.ts';
import { page, pages } from '../pages.ts';
import { errorOf, resultOf, type ScriptedConnection } from '../../scripted.ts';
import { updatesOf, askPrompt } from '../../turn.ts';
import {
  at,
  fail,
  info,
  pass,
  say,
  skip,
  warn,
  answerWords,
  refused,
  wantsSignIn,
} from '../probe.ts';
import { family, type ProbeWorld } from '../world.ts';
import { messagesOf, savedOf } from '../restore/restored.ts';

const lifecycle = page(2, 'prompt-lifecycle', 'session-states');

function ended({ exit }: ScriptedConnection): string {
  return exit ? ` The agent ended (${endWords(exit)}).` : '';
}

export const PROMPTING = family({ versions: [2], source: lifecycle })({
  'prompt/turn': {
    versions: [1, 2],
    saved: 'reads',
    source: pages('overview', 'baseline-methods'),
    sentence:
      'The prompt of the shared session is answered, its turn ends, and the agent says the word it was asked for.',
    async run(world) {
      const { turn, live, marker } = await savedOf(world);
      world.show(at(live, turn.prompt, turn.end));
      if (wantsSignIn(turn.prompt))
        return skip(`A prompt ${answerWords(turn.prompt)}: the agent wants a sign-in first.`);
      if (!turn.prompt.answer) return fail(`A prompt got no answer.${ended(live)}`);
      if (turn.prompt.answer.kind === 'failure')
        return fail(`A prompt ${answerWords(turn.prompt)}; a turn is due.`);
      if (turn.end === undefined) return fail(`The turn did not end.${ended(live)}`);
      if (turn.stopReason === undefined)
        return say(
          world.version === 1 ? 'fail' : 'warn',
          'The turn ended without a stopReason, which is due.',
        );
      if (!turn.text.includes(marker))
        return info(
          'The turn ended, but the agent did not say the word it was asked for: probes of history compare what it said instead.',
        );
      return pass(`The turn ended with ${turn.stopReason}.`);
    },
  },
  'prompt/echo': {
    saved: 'reads',
    source: page(2, 'prompt-lifecycle', '2-prompt-accepted'),
    sentence: 'The answer to a prompt has the messageId of exactly one user message.',
    async run(world) {
      const { turn, live } = await savedOf(world);
      const [spot] = world.show(at(live, turn.prompt));
      if (resultOf(turn.prompt) === undefined)
        return skip('The prompt has no result: see prompt/turn.');
      const users = messagesOf(turn.updates).filter(({ kind }) => kind === 'user');
      const seen = at(live, ...users.flatMap(({ seqs }) => seqs.slice(0, 1)));
      if (turn.messageId === undefined)
        return warn(
          'The prompt was answered without a messageId, as in the August draft.',
          spot,
          seen,
        );
      const same = users.filter(({ id }) => id === turn.messageId);
      if (same.length === 1)
        return pass(
          'The user message came under the id of the answer.',
          at(live, turn.prompt, ...(same[0]?.seqs ?? [])),
        );
      return fail(
        `No user message came under ${turn.messageId}, the id that answered the prompt${users.length === 0 ? '' : `, but under ${users.map(({ id }) => id ?? 'none').join(', ')}`}.`,
        spot,
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
      world.show(at(live, turn.prompt, ...states.map(({ seq }) => seq)));
      if (resultOf(turn.prompt) === undefined)
        return skip('The prompt has no result: see prompt/turn.');
      if (words.at(-1) !== 'idle')
        return fail(
          `The states were ${words.join(', ') || 'none'}; the last one is due to be idle.`,
        );
      if (!words.includes('running')) return warn('idle came without running before it.');
      if (turn.stopReason === undefined)
        return warn('idle came without a stopReason, which is due.');
      return pass(`${words.join(', ')} with ${turn.stopReason}.`);
    },
  },
  'prompt/two': {
    prompts: 2,
    sentence: 'Two prompts at once have two ids, and are inserted in the order they were sent.',
    async run(world) {
      const connection = await world.bench();
      const { sessionId } = await world.create(connection);
      const from = connection.heard.length;
      const texts = ['ONE', 'TWO'].map(
        (word) => `Reply with the single word ${word}. Do not use tools.`,
      );
      const asked = texts.map((text) =>
        askPrompt(connection, sessionId, text, world.settings.turnPatience),
      );
      const answers = await Promise.all(asked.map(({ answered }) => answered));
      await connection.until(
        () => statesOf(connection, sessionId, from).at(-1) === 'idle',
        world.settings.turnPatience,
      );
      await world.quiet(connection);
      world.show(at(connection, ...answers));
      const silent = answers.find(({ answer }) => !answer);
      if (silent) return fail('One of two prompts was never answered.');
      const bad = answers.find((answered) => errorOf(answered));
      if (bad) return warn(`One of two prompts ${answerWords(bad)}; both are due to be taken.`);
      const ids = answers.map((answered) => str(resultOf(answered), 'messageId'));
      if (ids.includes(undefined)) return skip('Prompts are answered without a messageId.');
      if (ids[0] === ids[1]) return fail(`Both prompts have the id ${ids[0] ?? ''}.`);
      const users = messagesOf(updatesOf(connection.heard.slice(from), sessionId)).filter(
        ({ kind }) => kind === 'user',
      );
      const order = users.map(({ id }) => id).filter((id) => ids.includes(id));
      if (order.join() !== ids.join())
        return fail(
          `The prompts ${ids.join(', ')} were inserted as ${order.join(', ') || 'none'}; the order they were sent in is due.`,
        );
      return pass('Two ids, inserted in order.');
    },
  },
  'prompt/empty': {
    prompts: 1,
    source: page(2, 'prompt-lifecycle', '1-user-message'),
    sentence: 'A prompt without content: told, not judged.',
    async run(world) {
      const connection = await world.bench();
      const { sessionId } = await world.create(connection);
      const answered = await world.provoke(
        connection,
        'session/prompt',
        { sessionId, prompt: [] },
        world.settings.turnPatience,
      );
      return info(`A prompt without content ${answerWords(answered)}.`, at(connection, answered));
    },
  },
  'prompt/unadvertised': {
    versions: [1, 2],
    prompts: 1,
    source: pages('initialization', 'agent-capabilities'),
    sentence: 'A content block that is not advertised is refused with −32602.',
    async run(world) {
      const kind = unadvertised(world);
      if (kind === undefined) return skip('Images and audio are both advertised.');
      const connection = await world.bench();
      const { sessionId } = await world.create(connection);
      const prompt = [
        { type: kind, mimeType: kind === 'image' ? 'image/png' : 'audio/wav', data: 'AAAA' },
      ];
      const answered = await world.provoke(
        connection,
        'session/prompt',
        { sessionId, prompt },
        world.settings.turnPatience,
      );
      return refused(
        connection,
        answered,
        `A prompt with ${kind}, which is not advertised,`,
        CODE.invalidParams,
        'warn',
        'info',
      );
    },
  },
});

function unadvertised(world: ProbeWorld): 'image' | 'audio' | undefined {
  const path = world.version === 1 ? 'promptCapabilities' : 'session.prompt';
  return (['image', 'audio'] as const).find((kind) => !world.advertises(`${path}.${kind}`));
}

function statesOf(
  connection: ScriptedConnection,
  sessionId: string,
  from: number,
): readonly string[] {
  return updatesOf(connection.heard.slice(from), sessionId).flatMap(({ variant, update }) =>
    variant === 'state_update' ? [str(update, 'state') ?? ''] : [],
  );
}
