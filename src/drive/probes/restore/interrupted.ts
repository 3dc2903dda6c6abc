// Family E, a session cut off: while the agent waits for a permission, and a prompt sent too early.
import { draft, page } from '../pages.ts';
import { resultOf } from '../../scripted.ts';
import { askPrompt } from '../../turn.ts';
import { at, info, pass, say, skip, warn, answerWords } from '../probe.ts';
import { family } from '../world.ts';
import { restoreOn, statesIn, savedSession } from './restored.ts';

const RESUME = 'session/resume';

function isPermission(method: string | undefined): boolean {
  return method === 'session/request_permission';
}

export const INTERRUPTED = family({ versions: [2], needs: [RESUME], prompts: 1 })({
  'resume2/prompt-before-answer': {
    connections: 1,
    saved: 'prompts',
    source: page(2, 'session-setup', 'resuming-sessions'),
    sentence: 'A prompt sent right behind a resume is held or refused, but never lost.',
    async run(world) {
      const { sessionId } = await savedSession(world);
      const connection = await world.connect('a');
      world.provokedAll(connection);
      const resume = connection.ask(RESUME, world.given({ sessionId }));
      const prompt = askPrompt(
        connection,
        sessionId,
        'Reply with OK. Do not use tools.',
        world.settings.turnPatience,
      );
      const [resumed, prompted] = await Promise.all([resume.answered, prompt.answered]);
      await world.quiet(connection);
      world.show(at(connection, resumed, prompted));
      if (!prompted.answer) return warn('A prompt sent right behind a resume was never answered.');
      return pass(`A prompt sent right behind a resume ${answerWords(prompted)}.`);
    },
  },
  'resume2/pending-permission': {
    connections: 2,
    source: draft('session-setup', 'resuming-sessions'),
    optIn: 'makes the agent ask for a permission, and kills it while it waits',
    sentence:
      'A process killed while a permission is open: after a resume it is asked again, or the session is idle.',
    async run(world) {
      const { texts, turnPatience } = world.settings;
      const a = await world.connect('a', { permission: 'never' });
      const { sessionId } = await world.create(a);
      const prompt = askPrompt(a, sessionId, texts.tool, turnPatience);
      const asked = await a.waitFor(
        ({ message }) => message.kind === 'request' && isPermission(message.method),
        turnPatience,
        0,
      );
      world.provokedAll(a);
      await a.stop('SIGKILL');
      const before = at(a, asked?.frame.seq, await prompt.answered);
      if (!asked)
        return skip('The agent asked for no permission. Give another --tool-prompt.', before);
      const b = await world.connect('b', { permission: 'never' });
      const from = b.heard.length;
      const { answered, window } = await restoreOn(world, b, sessionId, 'start');
      world.provokedAll(b);
      const again = b.heard
        .slice(from)
        .find(({ message }) => message.kind === 'request' && isPermission(message.method));
      const spots = [at(b, answered, again?.frame.seq), before];
      if (resultOf(answered) === undefined)
        return info(`resume ${answerWords(answered)}.`, ...spots);
      if (again) return info('The permission is asked for again.', ...spots);
      const state = statesIn(window).at(-1)?.state ?? 'not told';
      return say(
        state === 'requires_action' ? 'warn' : 'info',
        state === 'requires_action'
          ? 'The state is requires_action, and nothing is there to answer.'
          : `The permission is gone; the state is ${state}.`,
        ...spots,
      );
    },
  },
});
