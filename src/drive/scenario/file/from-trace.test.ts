import { describe, expect, test } from 'vitest';
import { draw, inArrays } from '../../../test/traces/draw.ts';
import { bundledLauncher } from '../../../test/programs/driven-agent.ts';
import { nodeFinder } from '../../../cli/parts/node-finder.ts';
import { scenarioFrom } from './from-trace.ts';
import { doneWords } from '../report/words.ts';
import { isRunPassed, runReport } from '../report/report.ts';
import { readScenario } from './read.ts';
import { problemWords } from './text-problem.ts';
import { recordOf } from '../assert/record.ts';
import { runScenario } from '../run.ts';

const stepsOf = (...pictures: string[]) => {
  const { traces } = recordOf(pictures.map((picture) => ({ events: draw(picture) })));
  return scenarioFrom(traces);
};

describe('a recording as a scenario', () => {
  test.each([2, 3, 9])('R-10 is the same if its messages came in arrays of up to %i', (most) => {
    const events = draw(`
      client  →0 initialize {"protocolVersion":1,"clientCapabilities":{}}
      agent   ←0 result {"protocolVersion":1}
      client  →1 session/new {"cwd":"/w","mcpServers":[]}
      agent   ←1 result {"sessionId":"s1"}
      agent   update s1 available_commands_update {"availableCommands":[]}
      client  →2 session/prompt s1 "Hi"
      client  →3 session/list {}
      agent   ←3 result {"sessions":[]}
      agent   update s1 agent_message_chunk "a" "b"
      agent   →0 session/request_permission {"sessionId":"s1","options":[{"optionId":"y","kind":"allow_once"}]}
      client  ←0 result {"outcome":{"outcome":"selected","optionId":"y"}}
      client  session/cancel s1
      agent   update s1 agent_message_chunk "c"
      agent   ←2 result {"stopReason":"cancelled"}`);
    const grouped = inArrays(events, most);
    expect(grouped.length).toBeLessThan(events.length);
    const made = scenarioFrom(recordOf([{ events: grouped }]).traces);
    expect(made).toEqual(scenarioFrom(recordOf([{ events }]).traces));
    expect(JSON.stringify(made)).not.toContain('"line"');
  });

  test('names the folder and ids, tells answers before what they answer, and expects what was awaited', () => {
    expect(
      stepsOf(`
        client  →0 initialize {"protocolVersion":1,"clientCapabilities":{"terminal":false}}
        agent   ←0 result {"protocolVersion":1}
        client  →1 session/new {"cwd":"/w","mcpServers":[]}
        agent   ←1 result {"sessionId":"s1"}
        client  →2 session/prompt s1 "Hi"
        agent   update s1 agent_message_chunk "a" "b"
        agent   →0 session/request_permission {"sessionId":"s1","options":[{"optionId":"y","kind":"allow_once"}]}
        client  ←0 result {"outcome":{"outcome":"selected","optionId":"y"}}
        agent   update s1 agent_message_chunk "c"
        client  session/cancel s1
        agent   ←2 result {"stopReason":"cancelled"}`),
    ).toEqual({
      protocol: 1,
      capabilities: { terminal: false },
      steps: [
        {
          request: 'session/new',
          params: { cwd: '/w', mcpServers: [] },
          capture: { $session: '/result/sessionId' },
        },
        { answer: 'session/request_permission', select: 'allow_once' },
        {
          request: 'session/prompt',
          params: { sessionId: '$session', prompt: [{ type: 'text', text: 'Hi' }] },
          wait: false,
        },
        { expect: 'side:agent type:ntf update:agent_message_chunk', nth: 3 },
        { notify: 'session/cancel', params: { sessionId: '$session' } },
      ],
      assert: [],
    });
  });

  test('a restore as due is asked for again, and a fault of one is to be gone', () => {
    const load = (...replayed: string[]) =>
      stepsOf(`
        client  →0 initialize {"protocolVersion":1}
        agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
        client  →1 session/new {"cwd":"/w","mcpServers":[]}
        agent   ←1 result {"sessionId":"s1"}
        client  →2 session/prompt s1 "Hi"
        agent   update s1 agent_message_chunk "Hello"
        agent   ←2 result {"stopReason":"end_turn"}
        client  →3 session/load s1 {"cwd":"/w","mcpServers":[]}
        ${replayed.join('\n')}`)['assert'];
    const history =
      'agent update s1 user_message_chunk "Hi"\nagent update s1 agent_message_chunk "Hello"';
    const answer = 'agent ←3 result {}';
    expect(load(history, answer)).toEqual(['restore(last) = replayed-from-start']);
    expect(load(answer, history)).toEqual(['restore(last) != replayed-late']);
    expect(load(history)).toEqual([]);
  });

  test('a message id from an update is captured where it came', () => {
    const { steps } = stepsOf(`
      client  →0 session/new {"cwd":"/w"}
      agent   ←0 result {"sessionId":"s1"}
      client  →1 session/prompt s1 "Hi"
      agent   update s1 agent_message_chunk m1 "a" "b"
      agent   ←1 result {"stopReason":"end_turn"}
      client  →2 session/resume s1 {"cwd":"/w","replayFrom":{"type":"_message","messageId":"m1"}}
      agent   ←2 result {}`);
    expect(steps).toContainEqual({
      expect: 'side:agent type:ntf update:agent_message_chunk',
      capture: { $message: '/params/update/messageId' },
    });
    expect(JSON.stringify(steps)).toContain('"messageId":"$message"');
  });

  test('a kill is the signal that was sent, also where the agent ended in its own way', () => {
    const first = draw('client →0 session/new {"cwd":"/w"}\nexit 0').map((event) =>
      event.type === 'exit' ? { ...event, sent: 'SIGTERM' as const } : event,
    );
    const second = draw('client →0 session/load s1 {"cwd":"/w"}');
    const { traces } = recordOf([{ events: first }, { events: second }]);
    const steps = scenarioFrom(traces)['steps'];
    expect(steps).toMatchObject([
      {},
      { kill: 'SIGTERM' },
      { restart: true },
      { request: 'session/load' },
    ]);
    const read = readScenario(JSON.stringify({ steps }));
    expect(read.ok && doneWords(read.scenario.steps)).toBe(
      'session/new, SIGTERM, start again, session/load',
    );
  });

  test('what was sent without a handshake, and lines that are no message, are sent so again', () => {
    expect(stepsOf('client raw hello\nagent raw what')).toMatchObject({
      handshake: false,
      steps: [{ line: 'hello' }],
    });
  });

  test('run against the agent it was recorded from, it passes: two connections and a restore', async () => {
    const run = async (document: object) => {
      const read = readScenario(JSON.stringify(document));
      if (!read.ok) throw new Error(read.problems.map(problemWords).join('\n'));
      const launcher = bundledLauncher();
      const done = await runScenario(read.scenario, {
        launcher,
        name: { name: 'test', version: '1' },
        cwd: process.cwd(),
        finder: nodeFinder,
      });
      const record = recordOf(launcher.launched.map(({ frames }) => ({ events: frames })));
      return { record, report: await runReport(done, read.scenario, record, [], nodeFinder) };
    };
    const prompt = [{ type: 'text', text: 'Please edit a file' }];
    const first = await run({
      protocol: 2,
      steps: [
        { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
        { answer: 'session/request_permission', select: 'reject_once' },
        { request: 'session/prompt', params: { sessionId: '$sessionId', prompt } },
        { restart: true },
        {
          request: 'session/resume',
          params: {
            ...{ sessionId: '$sessionId', cwd: '$cwd', mcpServers: [] },
            replayFrom: { type: 'start' },
          },
        },
      ],
      assert: ['restore(last) = replayed-from-start', 'fidelity(S1) >= cosmetic', 'none(type:bad)'],
    });
    expect(first.report.asserts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
    const document = scenarioFrom(first.record.traces);
    expect(document['steps']).toMatchObject([
      { request: 'session/new' },
      { answer: 'session/request_permission', select: 'reject_once' },
      { request: 'session/prompt', params: { sessionId: '$session' } },
      { restart: true },
      { request: 'session/resume', params: { sessionId: '$session' } },
    ]);
    const again = await run(document);
    expect(again.report.asserts).toMatchObject([{ title: 'restore(last) = replayed-from-start' }]);
    expect(isRunPassed(again.report)).toBe(true);
    expect(again.record.traces).toHaveLength(2);
  });
});
