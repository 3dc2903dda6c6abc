import { beforeEach, expect, test } from 'vitest';
import { MemoryStore } from '../../storage/memory-store.ts';
import { draw } from '../../test/traces/draw.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { Catalog } from '../library/catalog.ts';
import { importFile } from '../library/import-file.ts';
import { Intake, othersTurn } from '../traces/intake.ts';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import type { MinimiseProgress } from '../../drive/scenario/minimise/minimise.ts';
import { Minimiser } from './minimiser.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { loadReader } from '../engine.ts';
import { OpenTraces } from '../traces/open-traces.ts';

const TURNS = `
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Hello"
  agent update s1 agent_message_chunk "One"
  agent update s1 tool_call {"toolCallId":"t1","title":"Edit","kind":"edit"}
  agent ←2 result {"stopReason":"end_turn"}
  client →3 session/prompt s1 "Again"
  agent update s1 agent_message_chunk "Two"
  agent raw no JSON
  agent ←3 result {"stopReason":"end_turn"}`;

let catalog: Catalog;
let traces: OpenTraces;
let minimiser: Minimiser;
let add: (picture: string) => Promise<ConnectionId>;
beforeEach(async () => {
  const ignore = () => undefined;
  const store = new MemoryStore(undefined);
  catalog = new Catalog(store, { changed: ignore, purged: ignore, problem: ignore });
  const intake = new Intake<OpenTrace>(ignore);
  traces = new OpenTraces({ store, intake, catalog }, ignore, loadReader);
  await traces.ready();
  minimiser = new Minimiser({
    ...{ catalog, traces, store, intake, tabs: { tell: ignore } },
    finder: nodeFinder,
  });
  add = async (picture) => {
    const created = '2026-11-21T08:00:00.000Z';
    const header = headerLine({
      ...{ format: 'acptrace', version: 1, created, tool: 't', clock: 'monotonic', name: 'Toy' },
    });
    const text = [header, ...draw(picture).map(eventLine)].map((line) => `${line}\n`).join('');
    const parts = { store, catalog, traces, intake, begun: ignore, givenUp: ignore };
    const answer = await importFile(new File([text], 'Toy.acptrace.jsonl'), parts);
    if (!answer.ok) throw new Error(answer.message);
    return answer.connection;
  };
});

async function smallest(...asked: Parameters<Minimiser['minimise']>) {
  const least = await minimiser.minimise(...asked);
  if ('problem' in least) throw new Error(least.problem);
  const { lines } = traces.open(least.connection).trace;
  return { ...least, events: Array.from({ length: lines.length }, (_, at) => lines.read(at)) };
}

test('the smallest trace that fails is stored beside the whole one, and says how much is left', async () => {
  const whole = await add(TURNS);
  const asked = { traces: [whole], failing: { assert: 'none(kind:edit)' } };
  const least = await smallest(asked);
  expect(least).toMatchObject({
    frames: { left: 7, of: 12 },
    isMinimal: true,
    name: 'Toy, 7 of 12 frames',
  });
  expect(catalog.get(least.connection)).toMatchObject({ name: 'Toy, 7 of 12 frames' });
  expect(catalog.get(whole)?.name).toBe('Toy');
  expect(JSON.stringify(least.events)).not.toContain('Again');
  expect(minimiser.progress()).toBeUndefined();
});

test('a rule that is broken makes a trace smaller too; of several traces the one that fails alone', async () => {
  const [fine, broken] = [await add(TURNS.replace('agent raw no JSON', '')), await add(TURNS)];
  const least = await smallest({ traces: [fine, broken], failing: { rule: 'frame/not-json' } });
  expect(least.frames).toEqual({ left: 3, of: 12 });
});

test('what is not so is a sentence', async () => {
  const whole = await add(TURNS);
  const ask = (assert: string) => minimiser.minimise({ traces: [whole], failing: { assert } });
  expect(await ask('none(type:err)')).toEqual({ problem: 'It does not fail in this trace.' });
  expect(await ask('none(typ:err)')).toMatchObject({ problem: /^At character 6: / });
  expect(await ask('exists(type:err)')).toMatchObject({ problem: /^An empty trace fails too/ });
});

test('stopped, it keeps what is smallest so far, and says that not all was tried', async () => {
  const turns = Array.from(
    { length: 200 },
    (_, at) => `
  client →${at + 4} session/prompt s1 "And ${at}"
  agent ←${at + 4} result {"stopReason":"end_turn"}`,
  );
  const whole = await add(TURNS + turns.join(''));
  const going = minimiser.minimise({
    traces: [whole],
    failing: { assert: 'count(type:req) < 30' },
  });
  let progress: MinimiseProgress | undefined;
  while ((progress = minimiser.progress()) === undefined) await othersTurn();
  expect(progress.left).toBeLessThanOrEqual(progress.of);
  minimiser.stop();
  expect(await going).toMatchObject({ isMinimal: false });
});

test('an assertion is asked of one trace, with what was seen and where', async () => {
  const whole = await add(TURNS);
  expect(await minimiser.judge(whole, 'count(type:bad) = 0')).toEqual({
    verdict: 'fail',
    seen: '1 frame matches',
    evidence: [{ trace: whole, seqs: [11] }],
    warnings: [],
  });
  expect(await minimiser.judge(whole, 'none(method:session/promt)')).toMatchObject({
    problem: expect.stringMatching(
      /^At character 13: ACP has no method session\/promt\. Did you mean/,
    ),
  });
  expect(await minimiser.judge(whole, 'none(method:"session/promt")')).toMatchObject({
    verdict: 'pass',
    warnings: [
      expect.stringMatching(/^At character 14: ACP has no method session\/promt\. Did you mean/),
    ],
  });
  expect(await minimiser.judge(whole, 'count(type:bad = 0')).toMatchObject({
    problem: /^At character 1: /,
  });
});
