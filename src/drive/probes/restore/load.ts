// Family C: v1 `session/load`, which replays all history and then answers.
import { isObject } from '../../../acp/json.ts';
import { count } from '../../../lib/format.ts';
import { onPage, at, fail, info, pass, say, warn, worstVerdict, outcomeWords } from '../probe.ts';
import { saidText, updatesOf, askPrompt } from '../../turn.ts';
import { missingText, replayDifference, faultsOf, faithful } from './faithful.ts';
import { family } from '../world.ts';
import {
  RECALL_PROMPTS,
  recalls,
  restoredOf,
  restoreOn,
  savedSession,
  mustBeRestored,
  savedAgain,
} from './restored.ts';
import {
  cancelledRestore,
  neverPrompted,
  nullServers,
  otherFolder,
  relativeFolder,
  restorable,
  slashAtEnd,
  unknownSession,
  withoutServers,
} from './refusals.ts';
import { probedTool, TOOL_USE } from '../turns/tool-call.ts';

const LOAD = 'session/load';
const loading = onPage(1, 'session-setup', 'loading-sessions');

const replaying = family({ versions: [1], needs: [LOAD], saved: 'reads', source: loading })({
  'load/roundtrip': {
    connections: 1,
    sentence:
      'In a new process, load replays the prompt and its answer, then answers, then is silent.',
    async run(world) {
      const saved = await savedSession(world);
      const restored = await restoredOf(world, 'load');
      const { answered, history } = restored;
      world.show(answered, saved.turn);
      const broken = faultsOf(world, restored);
      if (broken.some(({ verdict }) => verdict !== 'info')) return worstVerdict(broken);
      const updates = count(history.length, 'update');
      const { why, isGone } = missingText(saved, history);
      const due = 'Expected: the entire conversation.';
      const whole =
        why === ''
          ? pass(`Prompt and answer came back in ${updates}, before the answer.`)
          : say(isGone ? 'fail' : 'warn', `Replayed in ${updates}. ${why} ${due}`);
      return worstVerdict([...broken, whole]);
    },
  },
  'load/result-shape': {
    connections: 1,
    sentence: 'The answer to load is an object.',
    async run(world) {
      const restored = await restoredOf(world, 'load');
      mustBeRestored('load/roundtrip', restored);
      world.show(restored.answered);
      const { result } = restored.answered;
      if (isObject(result)) return pass('The answer is an object.');
      return warn(`The answer is ${JSON.stringify(result)}. Expected: an object.`);
    },
  },
  'load/fold': {
    sentence:
      'What was said live comes back, message by message, and nothing else in its place: a prompt, a tool call or a last answer that does not is a failure.',
    async run(world) {
      const { live, sessionId } = await savedSession(world);
      const restored = await restoredOf(world, 'load');
      mustBeRestored('load/roundtrip', restored);
      return faithful(live, restored, sessionId);
    },
  },
  'load/repeat': {
    connections: 2,
    sentence:
      'Loaded twice in two processes, the same history comes in the same order, under the same ids.',
    async run(world) {
      const one = await restoredOf(world, 'load');
      const two = await restoredOf(world, 'load', 2);
      world.show(two.answered, one.answered);
      mustBeRestored('load/roundtrip', one, two);
      const fault = replayDifference(one, two);
      if (fault !== undefined) return warn(`Two loads of one session differ. ${fault}`);
      return pass('Two loads of one session are the same.');
    },
  },
  'load/same-process': {
    connections: 1,
    sentence: 'A session loaded again on the connection that has it: noted, not judged.',
    async run(world) {
      const { sessionId, connection } = await restorable(world, LOAD);
      const first = await restoreOn(world, connection, sessionId, 'load');
      const again = await restoreOn(world, connection, sessionId, 'load');
      world.show(at(connection, first.answered, again.answered));
      if (!again.answered.answer)
        return fail('A second load on the same connection got no answer.');
      return info(
        `A second load on the same connection ${outcomeWords(again.answered)} and replayed ${count(again.all.length, 'update')}. The first load replayed ${count(first.all.length, 'update')}.`,
      );
    },
  },
});

const refusing = family({ versions: [1], needs: [LOAD], source: loading })({
  'load/no-mcp': {
    connections: 1,
    saved: 'reads',
    sentence: 'load without mcpServers is refused with −32602, in words that name what is missing.',
    run: withoutServers,
  },
  'load/null-mcp': {
    connections: 1,
    saved: 'reads',
    sentence: 'load with mcpServers null: noted, not judged.',
    run: (world) => nullServers(world, LOAD),
  },
  'load/relative-cwd': {
    connections: 1,
    saved: 'reads',
    source: onPage(1, 'session-setup', 'working-directory'),
    sentence: 'load with the folder "." is refused with −32602.',
    run: (world) => relativeFolder(world, LOAD),
  },
  'load/other-cwd': {
    connections: 1,
    saved: 'reads',
    source: onPage(1, 'session-setup', 'working-directory'),
    sentence:
      'load from another folder is refused, or brings the whole session; an empty one deceives.',
    run: (world) => otherFolder(world, LOAD),
  },
  'load/trailing-slash': {
    connections: 1,
    saved: 'reads',
    sentence: 'load with a slash at the end of the folder: noted, not judged.',
    run: (world) => slashAtEnd(world, LOAD),
  },
  'load/unknown': {
    source: onPage(1, 'error'),
    sentence: 'load of an id that nobody made is refused with −32002.',
    run: (world) => unknownSession(world, LOAD),
  },
  'load/never-prompted': {
    connections: 2,
    saved: 'reads',
    sentence: 'load of a session without a prompt: notes from when on sessions are kept.',
    run: (world) => neverPrompted(world, LOAD),
  },
  'load/cancel-request': {
    connections: 1,
    saved: 'reads',
    source: onPage(1, 'cancellation', 'cancel_request-notification'),
    sentence: 'load, cancelled at once with $/cancel_request, is still answered, once.',
    run: (world) => cancelledRestore(world, LOAD),
  },
});

const prompting = family({
  versions: [1],
  needs: [LOAD],
  prompts: 1,
  connections: 1,
  source: loading,
})({
  'load/then-prompt': {
    prompts: RECALL_PROMPTS,
    saved: 'prompts',
    sentence: 'After a load the agent knows what was said before.',
    async run(world) {
      const saved = await savedAgain(world);
      const { connection } = saved;
      mustBeRestored('load/roundtrip', await restoreOn(world, connection, saved.sessionId, 'load'));
      return recalls(world, connection, saved);
    },
  },
  'load/concurrent': {
    saved: 'prompts',
    sentence:
      'A prompt sent right behind a load waits for it, or is refused; replay and live output do not mix.',
    async run(world) {
      const { sessionId, connection } = await restorable(world, LOAD);
      // Rules take the early prompt for history that the load owes.
      world.provokedAll(connection);
      const word = `SECOND-${world.settings.random()}`;
      const text = world.settings.texts.marker.replaceAll('$MARKER', word);
      const load = connection.ask(LOAD, world.given({ sessionId }));
      const prompt = askPrompt(connection, sessionId, text);
      const [loaded, prompted] = await Promise.all([load.answered, prompt.answered]);
      world.show(at(connection, loaded, prompted));
      if (!prompted.answer) return fail('The prompt behind a load was never answered.');
      if (prompted.answer.kind === 'failure')
        return pass(`The prompt behind a load ${outcomeWords(prompted)}.`);
      const early = updatesOf(loaded.window, sessionId);
      if (saidText(early, 'agent').includes(word))
        return warn(
          'Live output of the prompt came before the load was answered: replay and live are mixed.',
        );
      return pass('The prompt behind a load was answered after it, and nothing was mixed.');
    },
  },
  'load/tools': {
    connections: 2,
    optIn: TOOL_USE,
    sentence: 'A tool call comes back in a load, under its id and with its final status.',
    run: (world) => probedTool(world, 'load'),
  },
});

export const LOADS = [...replaying, ...refusing, ...prompting];
