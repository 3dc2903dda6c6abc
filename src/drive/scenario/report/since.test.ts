import { expect, test } from 'vitest';
import { draw } from '../../../test/traces/draw.ts';
import { readScenario } from '../file/read.ts';
import { recordOf } from '../assert/record.ts';
import { nodeFinder } from '../../../cli/parts/node-finder.ts';
import { runReport, sinceLast, type FinishedRun } from './report.ts';

const SAID = (text: string, session: string) => `
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1}
  client  →1 session/new {"cwd":"/w","mcpServers":[]}
  agent   ←1 result {"sessionId":"${session}"}
  client  →2 session/prompt ${session} "Hi"
  agent   update ${session} agent_message_chunk "${text}"
  agent   ←2 result {"stopReason":"end_turn"}`;

async function done(...pictures: string[]): Promise<FinishedRun> {
  const read = readScenario('{"steps": [], "assert": ["exists(blue)", "none(type:bad)"]}');
  const record = recordOf(pictures.map((picture) => ({ events: draw(picture) })));
  const run = { failure: undefined, connections: [], problem: undefined, notes: [] };
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return { record, report: await runReport(run, read.scenario, record, [], nodeFinder) };
}

const NAMES = { before: 'run 1', after: 'run 2' };

test('two runs that differ in ids alone are not different', async () => {
  expect(
    await sinceLast(await done(SAID('blue', 's1')), await done(SAID('blue', 's9')), NAMES),
  ).toEqual([]);
});

test('what changed is told: outcomes first, then what was said, and nothing else', async () => {
  const lines = await sinceLast(
    await done(SAID('blue', 's1')),
    await done(SAID('red', 's1')),
    NAMES,
  );
  expect(lines[0]).toBe('now FAIL  exists(blue); no frame matches');
  expect(lines.join('\n')).not.toContain('type:bad');
  expect(lines.slice(1).join('\n')).toMatch(/run 1[^]*run 2[^]*red/);
});

test('a connection that only one run has is named', async () => {
  const one = await done(SAID('blue', 's1'));
  const two = await done(SAID('blue', 's1'), SAID('blue', 's1'));
  expect(await sinceLast(one, two, NAMES)).toEqual(['only run 2 has a connection 2']);
});
