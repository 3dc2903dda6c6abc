// Every fault and every odd answer, against the bundled agent: the record shows what was done to it, and
// it goes on: a prompt afterwards is answered as ever.
import { describe, expect, test } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { isMisbehaviour, MISBEHAVIOURS } from '../../agent/misbehaviours.ts';
import { bundledLauncher } from '../../test/programs/driven-agent.ts';
import type { Launcher } from '../peer.ts';
import { judgeAssertion } from './assert/judge.ts';
import { readScenario } from './file/read.ts';
import { problemWords } from './file/text-problem.ts';
import { recordOf } from './assert/record.ts';
import { runReport } from './report/report.ts';
import { runScenario } from './run.ts';

/** With a pipe that lines can be split on, as programs have. */
function launcher() {
  const bundled = bundledLauncher();
  const splitting: Launcher = {
    async launch(wish) {
      const launched = await bundled.launch(wish);
      if (!launched.ok) return launched;
      const { agent } = launched;
      return {
        ok: true,
        agent: Object.assign(agent, {
          split: (line: string) => Promise.resolve(agent.send(line, 'script')),
        }),
      };
    },
  };
  return { bundled, splitting };
}

async function outcome(protocol: 1 | 2, steps: readonly object[], assert: readonly string[]) {
  const read = readScenario(JSON.stringify({ protocol, steps, assert }));
  if (!read.ok) throw new Error(read.problems.map(problemWords).join('\n'));
  const { bundled, splitting } = launcher();
  const name = { name: 'test', version: '1' };
  const run = await runScenario(read.scenario, {
    ...{ launcher: splitting, name, cwd: '/work', finder: nodeFinder },
  });
  const record = recordOf(bundled.launched.map(({ frames }) => ({ events: frames })));
  const { failure, asserts } = await runReport(run, read.scenario, record, [], nodeFinder);
  return {
    failed: failure?.why,
    broken: asserts.flatMap(({ verdict, source, seen }) =>
      verdict === 'pass' ? [] : [`${source}: ${seen}`],
    ),
  };
}

const FINE = { failed: undefined, broken: [] };
const NEW = { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } };
const says = (text: string) => ({
  request: 'session/prompt',
  params: { sessionId: '$sessionId', prompt: [{ type: 'text', text }] },
});
/** A session of its own, so that a turn that hangs in another does not count. */
const LIVES = [NEW, says('reply with ALIVE')];
const ALIVE = 'exists(side:agent update:/agent_message/ ALIVE)';
const PROMPTS = 'type:req method:session/prompt';

describe.each([1, 2] as const)('the agent, in v%i, survives', (protocol) => {
  test.each([
    [{ delay: 20 }, [`count(${PROMPTS} quick) = 1`, 'finding(error) = 0']],
    [{ drop: true }, [`none(${PROMPTS} quick)`]],
    [{ duplicate: 2 }, [`count(${PROMPTS} quick) = 3`, 'finding(rpc/id-reuse) >= 1']],
    [
      { reorder: true },
      [`count(${PROMPTS} quick) = 1`, `first(${PROMPTS} quick) > first(method:session/cancel)`],
    ],
    [{ truncate: 30 }, [`none(${PROMPTS} quick)`, 'count(side:client type:bad) = 1']],
    [{ split: 30, pause: 0 }, [`count(${PROMPTS} quick) = 1`, 'finding(error) = 0']],
  ])('%j', async (fault, assert) => {
    // What is lost is not waited for; what is reordered needs a line that passes it.
    const passing = 'reorder' in fault ? [CANCEL] : [];
    const steps = [NEW, { ...says('quick'), fault }, ...passing, { quiet: 60 }, ...LIVES];
    expect(await outcome(protocol, steps, [...assert, ALIVE])).toEqual(FINE);
  });

  test.each([
    [{ late: 20 }, ['count(side:client type:res) = 1', 'finding(error) = 0']],
    [{ twice: true }, ['count(side:client type:res) = 2', 'finding(rpc/response-duplicate) >= 1']],
    [{ never: true }, ['none(side:client type:res)']],
    [
      { wrong: 'id' },
      ['exists(side:client asked-by-nobody)', 'finding(rpc/response-unknown-id) >= 1'],
    ],
    [{ wrong: 'result' }, ['exists(side:client /"result":"wrong"/)']],
    [{ wrong: 'both' }, ['count(side:client type:bad) = 1']],
    [{ error: { code: -32603, message: 'No.' } }, ['count(side:client type:err) = 1']],
  ])('a permission answered %j', async (how, assert) => {
    const answer = { answer: 'session/request_permission', ...how };
    const asks = { expect: 'side:agent type:req method:session/request_permission' };
    const prompt = { ...says('Please edit a file'), wait: false };
    const steps = [NEW, answer, prompt, asks, { quiet: 80 }, CANCEL, { quiet: 60 }, ...LIVES];
    expect(await outcome(protocol, steps, [...assert, ALIVE])).toEqual(FINE);
  });
});

const NAMES = Object.keys(MISBEHAVIOURS)
  .filter(isMisbehaviour)
  .map((name) => {
    const [version] = MISBEHAVIOURS[name].versions;
    return [name, version] as const;
  });

describe('the client survives an agent that misbehaves, and says why a step failed', () => {
  test.each(NAMES)('%s', async (misbehave, protocol) => {
    const quick = (step: object) => ({ ...step, within: 500 });
    const steps = [quick(NEW), quick(says('Please edit a file')), { quiet: 20, within: 500 }];
    const read = readScenario(JSON.stringify({ protocol, steps, assert: ['finding(hint) >= 0'] }));
    if (!read.ok) throw new Error(read.problems.map(problemWords).join('\n'));
    const launcher = bundledLauncher({ misbehave });
    const name = { name: 'test', version: '1' };
    const { failure, problem } = await runScenario(read.scenario, {
      launcher,
      name,
      cwd: '/work',
      finder: nodeFinder,
    });
    expect(problem).toBeUndefined();
    if (failure) expect(failure.why).toMatch(/\.$/);
    const record = recordOf(launcher.launched.map(({ frames }) => ({ events: frames })));
    const [assert] = read.scenario.asserts;
    expect(assert && (await judgeAssertion(assert.assertion, record, nodeFinder)).verdict).toBe(
      'pass',
    );
  });
});

const CANCEL = { notify: 'session/cancel', params: { sessionId: '$sessionId' } };
