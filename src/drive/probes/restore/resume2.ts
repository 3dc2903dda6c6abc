// Family E, v2 `session/resume`: with and without history, what it brings and what is due around it.
import { isObject } from '../../../acp/json.ts';
import { count } from '../../../lib/format.ts';
import { FROM_START } from '../../../acp/replay-cursors.ts';
import { brokenRules } from '../by-rules.ts';
import {
  onDraft,
  onPage,
  inRfd,
  at,
  fail,
  info,
  pass,
  skip,
  warn,
  worstVerdict,
  type ProbeVerdict,
  outcomeWords,
} from '../probe.ts';
import { saidText } from '../../turn.ts';
import { replayDifference, withoutId, faithful, faultsOf, since } from './faithful.ts';
import { family, type ProbeWorld } from '../world.ts';
import {
  RECALL_PROMPTS,
  recalls,
  isReset,
  messagesOf,
  restoredOf,
  restoreOn,
  statesIn,
  type Restored,
  savedSession,
  mustBeRestored,
  savedAgain,
} from './restored.ts';
import { cancelledAtOnce, neverPrompted } from './refusals.ts';
import { probedTool, TOOL_USE } from '../turns/tool-call.ts';

const RESUME = 'session/resume';
const resuming = onPage(2, 'session-setup', 'resuming-sessions');
const replaying = onDraft('session-setup', 'resuming-sessions');

/** The window from `start`, or why there is none to judge. */
async function fromStart(
  world: ProbeWorld,
  judge: (restored: Restored) => ProbeVerdict | Promise<ProbeVerdict>,
): Promise<ProbeVerdict> {
  const restored = await restoredOf(world, 'start');
  const { answered, all, history } = restored;
  world.show(answered);
  if (answered.result === undefined)
    return skip('The shared session is not restored from start: see resume2/start.');
  if (all.length === 0) return skip('Nothing was replayed: see resume2/start.');
  if (history.length === 0) return skip('History came only after the answer: see resume2/start.');
  return judge(restored);
}

const plainly = family({
  versions: [2],
  needs: [RESUME],
  connections: 1,
  saved: 'reads',
  source: resuming,
})({
  'resume2/omit': {
    sentence:
      'Without replayFrom the agent replays nothing and sends a state_update, then a result.',
    async run(world) {
      const restored = await restoredOf(world, 'omit');
      const { connection, answered, window } = restored;
      const faults = faultsOf(world, restored);
      const { result } = answered;
      if (result !== undefined && !isObject(result))
        faults.push(
          fail(`The answer is ${JSON.stringify(result)}. Expected: an object.`, answered),
        );
      if (faults.length > 0) return worstVerdict(faults);
      return pass(
        'Nothing was replayed, and the state came before the answer.',
        at(connection, answered, ...statesIn(window).map(({ seq }) => seq)),
      );
    },
  },
  'resume2/null': {
    connections: 2,
    sentence: 'replayFrom null is the same as leaving it out.',
    async run(world) {
      const omitted = await restoredOf(world, 'omit');
      const none = await restoredOf(world, 'null');
      world.show(none.answered, omitted.answered);
      const words = [outcomeWords(none.answered), outcomeWords(omitted.answered)];
      if (words[0] !== words[1])
        return fail(
          `With replayFrom null resume ${words[0]}, without it ${words[1]}. Expected: the same.`,
        );
      if (none.all.length !== omitted.all.length)
        return fail(
          `With replayFrom null ${count(none.all.length, 'update')} of history came, without it ${omitted.all.length}. Expected: the same.`,
        );
      return pass('null and nothing are the same.');
    },
  },
  'resume2/start': {
    sentence:
      'From start, all retained history comes with ids, then the state, then the answer, then silence.',
    async run(world) {
      const restored = await restoredOf(world, 'start');
      const { connection, answered, history } = restored;
      world.show(answered);
      const faults = faultsOf(world, restored);
      const nameless = withoutId(history);
      if (nameless.length > 0)
        faults.push(
          fail(
            `${count(nameless.length, 'replayed message update')} without messageId; each has one.`,
            at(connection, ...nameless),
            answered,
          ),
        );
      if (faults.length > 0) return worstVerdict(faults);
      if (history.length === 0) return info('Nothing was replayed: the agent retains no history.');
      return pass(
        `${count(history.length, 'update')} of history, then the state, then the answer.`,
      );
    },
  },
});

const replayed = family({ versions: [2], needs: [RESUME], source: replaying })({
  'resume2/prompt-id': {
    saved: 'reads',
    sentence: 'The user message comes back under the messageId that answered its prompt.',
    async run(world) {
      const saved = await savedSession(world);
      const { messageId } = saved.turn;
      if (messageId === undefined)
        return skip('The prompt was answered without a messageId.', saved.turn.prompt);
      return fromStart(world, ({ connection, answered, history }) => {
        const users = messagesOf(history).filter(({ kind }) => kind === 'user');
        const spots = [answered, saved.turn.prompt];
        if (users.some(({ id }) => id === messageId))
          return pass('The user message has the id of its prompt.', ...spots);
        if (!saidText(history, 'user').includes(saved.marker))
          return skip('The user message was not replayed.', ...spots);
        const ids = users.map(({ id }) => id ?? 'none').join(', ');
        return fail(
          `The agent replayed the user message as ${ids}. Expected: ${messageId}, the id in the response to the prompt.`,
          at(connection, ...users.flatMap(({ seqs }) => seqs)),
          ...spots,
        );
      });
    },
  },
  'resume2/chunks-reset': {
    saved: 'reads',
    sentence: 'A message rebuilt from chunks begins with an upsert whose content is [].',
    run: (world) =>
      fromStart(world, ({ connection, answered, history }) => {
        const bare = messagesOf(history).filter(({ seqs }) => {
          const [first] = history.filter(({ seq }) => seq === seqs[0]);
          return first !== undefined && first.variant.endsWith('_chunk') && !isReset(first);
        });
        if (bare.length > 0)
          return since(
            world,
            fail(
              `${count(bare.length, 'message')} replayed as chunks alone. Expected first: an upsert with content [].`,
              at(connection, ...bare.map(({ seqs }) => seqs[0])),
              answered,
            ),
          );
        return pass('Each message begins with an upsert.');
      }),
  },
  'resume2/stable': {
    connections: 1,
    saved: 'reads',
    sentence: 'From start twice in two processes: the same ids, order and contents.',
    run: (world) =>
      fromStart(world, async (one) => {
        const two = await restoredOf(world, 'start', 2);
        const spots = [two.answered, one.answered];
        const fault = replayDifference(one, two);
        if (fault !== undefined)
          return warn(`Two replays of one session differ. ${fault}`, ...spots);
        return pass('Two replays of one session are the same.', ...spots);
      }),
  },
  'resume2/fold': {
    saved: 'reads',
    sentence: 'What was said live comes back, message by message, and nothing else in its place.',
    run: (world) =>
      fromStart(world, async (restored) => {
        const { live, sessionId } = await savedSession(world);
        return faithful(live, restored, sessionId);
      }),
  },
  'resume2/replay-complete': {
    connections: 1,
    saved: 'reads',
    source: inRfd('v2/session-replay-complete'),
    sentence:
      'replay_complete, as an RFD proposes it, ends a replay once, before the answer, also of a cancelled restore; that there is none is noted.',
    run: (world) =>
      fromStart(world, async ({ connection, answered, window }) => {
        const mark = window.find(({ variant }) => variant === 'replay_complete');
        if (!mark) return info('No update marks the end of the replay.');
        const { sessionId, connection: cancelled } = await savedAgain(world);
        const params = world.given({ sessionId, replayFrom: FROM_START });
        await cancelledAtOnce(world, cancelled, RESUME, params);
        const rules = [connection, cancelled].flatMap((one) =>
          brokenRules(world, one, 'replay/complete-', 'replay/live-early'),
        );
        const told = 'replay_complete marks the end of the replay.';
        return worstVerdict([...rules, pass(told, at(connection, mark), answered)]);
      }),
  },
  'resume2/never-prompted': {
    connections: 2,
    saved: 'reads',
    source: resuming,
    sentence: 'resume of a session without a prompt: notes from when on sessions are kept.',
    run: (world) => neverPrompted(world, RESUME),
  },
  'resume2/tools': {
    prompts: 1,
    connections: 2,
    optIn: TOOL_USE,
    sentence: 'A tool call comes back from start, under its id and with its final status.',
    run: (world) => probedTool(world, 'start'),
  },
  'resume2/then-prompt': {
    prompts: RECALL_PROMPTS,
    connections: 1,
    saved: 'prompts',
    source: resuming,
    sentence: 'After a resume the agent knows what was said before.',
    async run(world) {
      const saved = await savedAgain(world);
      const { connection } = saved;
      mustBeRestored('resume2/omit', await restoreOn(world, connection, saved.sessionId, 'omit'));
      return recalls(world, connection, saved);
    },
  },
});

export const RESUME2 = [...plainly, ...replayed];
