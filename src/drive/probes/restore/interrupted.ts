// Family E, a session cut off: while the agent waits for a permission, and a prompt sent too early.
import { onDraft, onPage, at, info, pass, skip, warn, outcomeWords } from '../probe.ts';
import { asksPermission } from '../../heard.ts';
import { askPrompt } from '../../turn.ts';
import { family } from '../world.ts';
import { restoreOn, statesIn, savedAgain } from './restored.ts';
import { giveAnother } from '../../../model/probe-texts.ts';

const RESUME = 'session/resume';

export const INTERRUPTED = family({ versions: [2], needs: [RESUME], prompts: 1 })({
  'resume2/prompt-before-answer': {
    connections: 1,
    saved: 'prompts',
    source: onPage(2, 'session-setup', 'resuming-sessions'),
    sentence: 'A prompt sent right behind a resume is held or refused, but never lost.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      world.provokedAll(connection);
      const resume = connection.ask(RESUME, world.given({ sessionId }));
      const prompt = askPrompt(connection, sessionId, 'Reply with OK. Do not use tools.');
      const [resumed, prompted] = await Promise.all([resume.answered, prompt.answered]);
      await world.quiet(connection);
      world.show(at(connection, resumed, prompted));
      if (!prompted.answer) return warn('A prompt sent right behind a resume was never answered.');
      return pass(`A prompt sent right behind a resume ${outcomeWords(prompted)}.`);
    },
  },
  'resume2/pending-permission': {
    connections: 2,
    source: onDraft('session-setup', 'resuming-sessions'),
    optIn: 'makes the agent ask for a permission, and kills it while it waits',
    sentence:
      'A process killed while a permission is open: after a resume it is asked again, or the session is idle.',
    async run(world) {
      const { texts, turnPatience } = world.settings;
      const a = await world.connect('a', { permission: 'never' });
      const { sessionId } = await world.create(a);
      const prompt = askPrompt(a, sessionId, texts.tool);
      const asked = await a.waitFor(asksPermission, turnPatience, 0);
      world.provokedAll(a);
      await a.stop('SIGKILL');
      const before = at(a, asked?.frame, await prompt.answered);
      if (!asked) return skip(`The agent asked for no permission. ${giveAnother('tool')}`, before);
      const b = await world.connect('b', { permission: 'never' });
      const from = b.heard.length;
      const { answered, window } = await restoreOn(world, b, sessionId, 'start');
      world.provokedAll(b);
      const again = b.heard.slice(from).find(asksPermission);
      const spots = [at(b, answered, again?.frame), before];
      if (answered.result === undefined) return info(`resume ${outcomeWords(answered)}.`, ...spots);
      if (again) return info('The permission is asked for again.', ...spots);
      const state = statesIn(window).at(-1)?.state ?? 'not sent';
      if (state !== 'requires_action')
        return info(`The permission is gone; the state is ${state}.`, ...spots);
      return warn('The state is requires_action, and nothing is there to answer.', ...spots);
    },
  },
});
