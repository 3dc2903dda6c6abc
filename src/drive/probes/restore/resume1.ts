// Family D: v1 `session/resume`, which restores the context and replays nothing.
import { CODE } from '../../../acp/message.ts';
import { FROM_START } from '../../../acp/replay-cursors.ts';
import { count } from '../../../lib/format.ts';
import { get } from '../../../acp/json.ts';
import { onPage, fail, info, pass, warn, worstVerdict, outcomeWords } from '../probe.ts';
import { family } from '../world.ts';
import {
  RECALL_PROMPTS,
  recalls,
  replayedBy,
  restoredOf,
  restoreOn,
  mustBeRestored,
  type Restored,
  savedAgain,
} from './restored.ts';
import { faultsOf } from './faithful.ts';
import { otherFolder, relativeFolder, unknownSession } from './refusals.ts';

const RESUME = 'session/resume';
const source = onPage(1, 'session-setup', 'resuming-sessions');

export const RESUME1 = family({ versions: [1], needs: [RESUME], source })({
  'resume1/mcp-optional': {
    connections: 1,
    saved: 'reads',
    sentence: 'resume without mcpServers is accepted.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const { cwd } = world.settings;
      const answered = await connection.request(RESUME, { sessionId, cwd });
      world.show(answered);
      const told = `resume without mcpServers ${outcomeWords(answered)}`;
      if (answered.result !== undefined) return pass(`${told}.`);
      return fail(`${told}; they are optional here.`);
    },
  },
  'resume1/replayFrom': {
    connections: 1,
    saved: 'reads',
    sentence: 'replayFrom, which v1 does not have, is ignored: nothing is replayed.',
    async run(world) {
      const { sessionId, connection } = await savedAgain(world);
      const params = world.given({ sessionId, replayFrom: FROM_START });
      const answered = await world.provoke(connection, RESUME, params);
      await world.quiet(connection);
      const { all } = replayedBy(connection, answered, sessionId);
      world.show(answered);
      const told = `resume with replayFrom ${outcomeWords(answered)}`;
      if (all.length > 0)
        return warn(
          `${told} and replayed ${count(all.length, 'update')}; v1 has no replay in resume.`,
        );
      if (answered.error?.code === CODE.invalidParams) return info(`${told}.`);
      if (answered.result !== undefined) return pass(`${told} and replayed nothing.`);
      return fail(`${told}; it is to be ignored.`);
    },
  },
  'resume1/unknown': {
    source: onPage(1, 'error'),
    sentence: 'resume of an id that nobody made is refused with −32002.',
    run: (world) => unknownSession(world, RESUME),
  },
  'resume1/relative-cwd': {
    connections: 1,
    saved: 'reads',
    source: onPage(1, 'session-setup', 'working-directory'),
    sentence: 'resume with the folder "." is refused with −32602.',
    run: (world) => relativeFolder(world, RESUME),
  },
  'resume1/other-cwd': {
    connections: 1,
    saved: 'reads',
    source: onPage(1, 'session-setup', 'working-directory'),
    sentence: 'resume from another folder: noted, not judged.',
    run: (world) => otherFolder(world, RESUME),
  },
  'resume1/vs-load': {
    needs: [RESUME, 'session/load'],
    connections: 2,
    saved: 'reads',
    sentence: 'resume and load of one session answer the same modes and config options.',
    async run(world) {
      const load = await restoredOf(world, 'load');
      const resume = await restoredOf(world, 'resume');
      world.show(resume.answered, load.answered);
      mustBeRestored('load/roundtrip and resume1/no-history', resume, load);
      const settingsOf = ({ answered }: Restored, key: string) =>
        JSON.stringify(get(answered.result, key) ?? null);
      const other = ['modes', 'configOptions'].filter(
        (key) => settingsOf(load, key) !== settingsOf(resume, key),
      );
      if (other.length > 0) return warn(`resume and load answer different ${other.join(' and ')}.`);
      return pass('resume and load answer the same settings.');
    },
  },
  'resume1/no-history': {
    prompts: RECALL_PROMPTS,
    connections: 1,
    saved: 'prompts',
    sentence: 'resume replays nothing, and the agent knows what was said before.',
    async run(world) {
      const saved = await savedAgain(world);
      const { connection } = saved;
      const restored = await restoreOn(world, connection, saved.sessionId, 'resume');
      const faults = faultsOf(world, restored);
      if (restored.answered.result === undefined) return worstVerdict(faults);
      const silent = pass('resume replayed nothing.', restored.answered);
      return worstVerdict([silent, ...faults, await recalls(world, connection, saved)]);
    },
  },
});
