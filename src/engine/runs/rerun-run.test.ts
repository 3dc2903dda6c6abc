import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadReader } from '../engine.ts';
import { FakeRelay, LAUNCH, page, polite, settle } from '../../test/programs/fake-relay.ts';
import { imported } from '../../test/programs/stored-engine.ts';
import { draw } from '../../test/traces/draw.ts';
import { eventLine, headerLine } from '../../trace/format.ts';

// What an engine loads when it first needs it must not be on its way when the test is over.
beforeAll(() => Promise.all([loadReader(), import('../../drive/client.ts')]));
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const HEADER = headerLine({
  ...{ format: 'acptrace', version: 1, created: '2026-11-21T10:00:00.000Z' },
  ...{ tool: 'acp-scope 0.1.0', clock: 'monotonic' },
});
const TWO_PROMPTS = `
  start agent
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "One"
  agent ←2 result {"stopReason":"end_turn"}
  client →3 session/prompt s1 "Two"
  agent ←3 result {"stopReason":"end_turn"}`;

test('a trace that would send a prompt more than was agreed to is stopped, and its report is not left as if it went on', async () => {
  const relay = new FakeRelay();
  polite(relay);
  const { engine, last } = await page(relay);
  const lines = [HEADER, ...draw(TWO_PROMPTS).map(eventLine)];
  const recording = await imported(engine, lines.map((line) => `${line}\n`).join(''));
  const order = {
    recording,
    launch: LAUNCH,
    cwd: '/w',
    speed: 'max',
    most: 1,
    sessions: [],
  } as const;
  const begun = await engine.runs.runRerun(order);
  if ('problem' in begun) throw new Error(begun.problem);
  const phase = () => last('run')?.state.phase;
  await vi.waitFor(() => settle().then(() => expect(phase()).not.toBe('running')));
  relay.record({ type: 'exit', signal: 'SIGKILL' });
  await settle();
  // Who clears the folders of the run answers no more.
  relay.dropAll();
  await vi.waitFor(() => settle().then(() => expect(phase()).toBe('ended')));
  expect(last('run')?.state).toMatchObject({
    prompts: 1,
    problem: 'The run was about to send a prompt more than was agreed to, so it was stopped.',
  });
  const report = await engine.runs.rerunReport({ run: begun.run }, { ignore: [], raw: [] });
  expect(report).toMatchObject({ phase: 'stopped', isAsRecorded: false });
});
