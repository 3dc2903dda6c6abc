import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { textReport } from '../../report/text.ts';
import {
  clientDocument,
  clientReportJson,
  clientVerdict,
  type ClientReport,
} from './client-report.ts';
import { divergenceOf } from './divergence.ts';

const RECORDED = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Hi"
  agent  update s1 agent_message_chunk "Hel" "lo" " there."
  agent  ←2 result {"stopReason":"end_turn"}`;

async function reportOf(
  live: string,
  options?: Parameters<typeof divergenceOf>[3],
): Promise<ClientReport> {
  const divergence = await divergenceOf(draw(RECORDED), draw(live), undefined, options);
  const run = { sent: 3, unsent: 0, notes: [], ended: { code: 0 }, problems: [] };
  return { run, divergence };
}

test('a difference names its step, and the frame that makes it so', async () => {
  const report = await reportOf(RECORDED.replace('" there."', '" you."'));
  expect(report.divergence.differences[0]).toMatchObject({
    a: { seq: 6 },
    frame: { kind: 'changed', a: { seq: 8 }, b: { seq: 8 }, path: '$.params.update.content.text' },
  });
  expect(textReport(clientDocument(report, 'it'))).toContain('(#6, live #6; by #8, live #8)');
  expect(JSON.parse(clientReportJson(report, 'it'))).toMatchObject({
    divergence: { equal: false, besides: [] },
  });
});

test('what the state at the end repeats of the story is counted, not told again', async () => {
  const report = await reportOf(RECORDED.replace('" there."', '" you."'));
  expect(report.divergence.differences.map(({ view }) => view)).toEqual(['story', 'state']);
  const text = textReport(clientDocument(report, 'it'));
  expect(text.match(/changed agent/g)).toHaveLength(1);
  expect(text).toContain('state  1 of these at the end too.');
});

test('the verdict counts what differs once: steps of the story, and what the state has beside', async () => {
  const report = await reportOf(RECORDED.replace('" there."', '" you."'));
  const { differences } = report.divergence;
  expect(differences.length).toBeGreaterThan(1);
  expect(clientVerdict(report, 'it')).toMatch(
    /^Divergence from it: 1 difference in the story, \d+ of \d+ frames sent\.$/,
  );
});

test('an answer that is another is named, and not its request', async () => {
  const report = await reportOf(RECORDED.replace('"end_turn"', '"refusal"'));
  const named = report.divergence.differences.map(({ frame }) => frame?.a?.seq);
  expect(new Set(named)).toEqual(new Set([9]));
});

test('other chunks of the same words diverge in nothing, and are told', async () => {
  const report = await reportOf(RECORDED.replace('"Hel" "lo" " there."', '"Hello" " there."'));
  const text = textReport(clientDocument(report, 'it'));
  expect(text).toContain('No divergence from it');
  expect(text).toMatch(/let pass {2}\d frames? differs?, and the same is told: (?:live )?#\d/);
});

test('what is left out and which names are aliases is said from outside', async () => {
  const live = RECORDED.replaceAll('s1', 's9').replace('" there."', '" you."');
  const told = async (options: Parameters<typeof divergenceOf>[3]) =>
    (await reportOf(live, options)).divergence.differences.length;
  expect(await told({ ignore: ['agent:$.text'] })).toBe(0);
  expect(await told({ ignore: ['agent:$.text'], raw: ['session'] })).toBeGreaterThan(0);
});
