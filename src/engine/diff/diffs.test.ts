import { beforeEach, expect, test } from 'vitest';
import { MemoryStore } from '../../storage/memory-store.ts';
import { draw } from '../../test/traces/draw.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { Catalog } from '../library/catalog.ts';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import type { DiffAsk } from './diff-messages.ts';
import { Diffs } from './diffs.ts';
import { importFile } from '../library/import-file.ts';
import { Intake } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { loadReader } from '../engine.ts';
import { OpenTraces } from '../traces/open-traces.ts';

const TURN = (session: string, words: string) => `
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1,"agentInfo":{"name":"toy"}}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"${session}"}
  client →2 session/prompt ${session} "Hello"
  agent update ${session} agent_message_chunk "${words}"
  agent ←2 result {"stopReason":"end_turn"}`;

let traces: OpenTraces;
let diffs: Diffs;
let add: (picture: string) => Promise<ConnectionId>;
beforeEach(async () => {
  const ignore = () => undefined;
  const store = new MemoryStore(undefined);
  const catalog = new Catalog(store, { changed: ignore, purged: ignore, problem: ignore });
  const intake = new Intake<OpenTrace>((trace) =>
    catalog.know(trace.connection, { events: trace.lines.length, facts: trace.index.facts() }),
  );
  traces = new OpenTraces({ store, intake, catalog }, ignore, loadReader);
  await traces.ready();
  diffs = new Diffs({ catalog, traces, finder: nodeFinder });
  add = async (picture) => {
    const created = '2026-11-21T08:00:00.000Z';
    const header = headerLine({
      ...{ format: 'acptrace', version: 1, created, tool: 't', clock: 'monotonic' },
    });
    const text = [header, ...draw(picture).map(eventLine)].map((line) => `${line}\n`).join('');
    const parts = {
      store,
      catalog,
      traces,
      intake,
      begun: () => undefined,
      givenUp: () => undefined,
    };
    const answer = await importFile(new File([text], 'a.acptrace.jsonl'), parts);
    if (!answer.ok) throw new Error(answer.message);
    return answer.connection;
  };
});

function ask(left: ConnectionId, right: ConnectionId, more: Partial<DiffAsk> = {}): DiffAsk {
  return { left, right, view: 'story', ignore: [], raw: [], rawValues: [], ...more };
}
async function looked(asked: DiffAsk) {
  const look = await diffs.compare(asked);
  if (!look || 'problem' in look) throw new Error(`no comparison: ${look?.problem}`);
  return look;
}

test('two stored traces are compared, and their rows are had by number', async () => {
  const [left, right] = [await add(TURN('ses_one', 'Five')), await add(TURN('ses_two', 'Six'))];
  const look = await looked(ask(left, right));
  expect(look.counts).toMatchObject({ changed: 1, missing: 0, extra: 0 });
  const [row] = diffs.rows(look.diff, [look.marks.indexOf(1)]) ?? [];
  expect(row).toMatchObject({ of: 'agent', a: { seq: 6 }, b: { seq: 6 } });
  expect(diffs.text(look.diff, 'text', { left: 'one', right: 'two' })).toContain('≠ 1 changed');
  expect(diffs.text(look.diff, 'markdown', { left: 'one', right: 'two' })).toMatch(/^# Different/);
  expect(diffs.rows(99, [0])).toBeUndefined();
});

test('an alias that is off is a difference', async () => {
  const [left, right] = [await add(TURN('ses_one', 'Hi')), await add(TURN('ses_two', 'Hi'))];
  expect((await looked(ask(left, right))).equal).toBe(true);
  expect((await looked(ask(left, right, { raw: ['session'] }))).equal).toBe(false);
  expect((await looked(ask(left, right, { rawValues: ['ses_one', 'ses_two'] }))).equal).toBe(false);
});

test('the same question is answered with the same comparison; the oldest are forgotten', async () => {
  const [left, right] = [await add(TURN('ses_one', 'Five')), await add(TURN('ses_two', 'Six'))];
  const first = await looked(ask(left, right));
  expect((await looked(ask(left, right))).diff).toBe(first.diff);
  for (const view of ['frames', 'state', 'handshake'] as const)
    await looked(ask(left, right, { view }));
  await looked(ask(left, right, { raw: ['session'] }));
  await looked(ask(right, left));
  expect(diffs.rows(first.diff, [0])).toBeUndefined();
});

test('a rule or a part that there is not is told as a sentence', async () => {
  const one = await add(TURN('ses_one', 'Five'));
  const problem = async (more: Partial<DiffAsk>, right = one) =>
    diffs.compare(ask(one, right, more)).then((look) => look && 'problem' in look && look.problem);
  expect(await problem({ ignore: ['$['] })).toContain('$[');
  expect(await problem({ leftSlice: { turn: 4 } })).toContain('no turn 4');
  expect(await problem({}, connectionId('gone'))).toContain('not stored here');
});

test('a comparison ends when another one is asked for, or when it is cancelled', async () => {
  const long = (words: string) =>
    TURN('s1', words) +
    Array.from({ length: 600 }, () => `\n  agent update s1 plan {"entries":[]}`).join('');
  const [left, right] = [await add(long('Five')), await add(long('Six'))];
  const first = diffs.compare(ask(left, right, { view: 'frames' }));
  const second = looked(ask(left, right));
  expect(await first).toBeUndefined();
  expect((await second).counts.changed).toBe(1);
  const third = diffs.compare(ask(left, right, { view: 'state' }));
  diffs.cancel();
  expect(await third).toBeUndefined();
  expect(diffs.progress()).toBeUndefined();
});

test('turns are known by their prompts, and one is compared with another', async () => {
  const more = `
  client →3 session/prompt s1 "Hello"
  agent update s1 agent_message_chunk "Hi again"
  agent ←3 result {"stopReason":"end_turn"}`;
  const one = await add(TURN('s1', 'Hi') + more);
  expect(await diffs.turns(one)).toMatchObject([
    { turn: 1, begin: 5, words: '“Hello”' },
    { turn: 2, begin: 8, words: '“Hello”' },
  ]);
  const look = await looked(ask(one, one, { leftSlice: { turn: 1 }, rightSlice: { turn: 2 } }));
  expect(look.counts).toMatchObject({ changed: 1 });
});

test('a trace holds a replay, or none; what finds nothing is a problem, as a sentence', async () => {
  const load = `
  client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent update s1 user_message_chunk "Hello"
  agent update s1 agent_message_chunk "Hi"
  agent ←3 result {}`;
  const [live, both] = [await add(TURN('s1', 'Hi')), await add(TURN('s1', 'Hi') + load)];
  expect([await diffs.hasReplay(live), await diffs.hasReplay(both)]).toEqual([false, true]);
  const slices = { leftSlice: { query: 'is:live' }, rightSlice: { query: 'is:replay' } };
  expect(await looked(ask(both, both, slices))).toMatchObject({ equal: true });
  expect(await diffs.compare(ask(live, live, slices))).toEqual({
    problem: 'Of the right trace is:replay finds nothing to compare in this view.',
  });
});
