import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryStore } from '../../storage/memory-store.ts';
import { sessionRuns } from '../../model/sessions/session-runs.ts';
import { draw } from '../../test/traces/draw.ts';
import { intercepted } from '../../test/traces/intercepted.ts';
import { seq, type ConnectionId, type TraceEvent } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { Catalog } from '../library/catalog.ts';
import { Fidelities } from './fidelities.ts';
import { importFile } from '../library/import-file.ts';
import { Intake } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { loadReader } from '../engine.ts';
import { OpenTraces } from '../traces/open-traces.ts';

const HELLO = `
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1,"agentInfo":{"name":"toy"}}`;
const LIVE = `${HELLO}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Hello"
  agent update s1 agent_message_chunk "Hi there"
  agent ←2 result {"stopReason":"end_turn"}`;
const LOAD = `${HELLO}
  client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent update s1 user_message_chunk "Hello"
  agent ←1 result {}`;

let catalog: Catalog;
let traces: OpenTraces;
let fidelities: Fidelities;
let store: MemoryStore;
let intake: Intake<OpenTrace>;
beforeEach(async () => {
  const ignore = () => undefined;
  store = new MemoryStore(undefined);
  catalog = new Catalog(store, { changed: ignore, purged: ignore, problem: ignore });
  intake = new Intake<OpenTrace>((trace) =>
    catalog.know(trace.connection, {
      ...{ events: trace.lines.length, facts: trace.index.facts() },
      sessions: sessionRuns(trace.index),
    }),
  );
  traces = new OpenTraces({ store, intake, catalog }, ignore, loadReader);
  await traces.ready();
  fidelities = new Fidelities({ catalog, traces }, (runs) => catalog.judged(runs));
});

/** A file that began at this hour, imported. */
async function add(picture: string | readonly TraceEvent[], hour: number): Promise<OpenTrace> {
  const created = `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;
  const header = headerLine({
    format: 'acptrace',
    version: 1,
    created,
    tool: 't',
    clock: 'monotonic',
  });
  const text = [header, ...(typeof picture === 'string' ? draw(picture) : picture).map(eventLine)]
    .map((line) => `${line}\n`)
    .join('');
  const file = new File([text], `${hour}.acptrace.jsonl`);
  const parts = {
    store,
    catalog,
    traces,
    intake,
    begun: () => undefined,
    givenUp: () => undefined,
  };
  const answer = await importFile(file, parts);
  if (!answer.ok) throw new Error(answer.message);
  return open(answer.connection);
}
function open(connection: ConnectionId): OpenTrace {
  const trace = traces.get(connection);
  if (!trace) throw new Error('not in memory');
  return trace;
}

test('the verdict of a restore is in the list of traces, and stays there while the trace grows', async () => {
  await add(LIVE, 9);
  const { connection, index } = await add(LOAD, 10);
  const restores = () =>
    catalog.summaries().find((one) => one.connection === connection)?.sessions?.[0]?.restores;
  expect(restores()).toEqual([{ request: 3, name: 'load', outcome: 'answered', late: 0 }]);
  await fidelities.strips(connection, 's1');
  const judged = {
    protocol: 'violated',
    history: 'incomplete',
    tape: [
      ['replayed', 1],
      ['missing', 1],
    ],
  };
  expect(restores()).toMatchObject([{ judged }]);
  catalog.know(connection, { events: 9, facts: index.facts(), sessions: sessionRuns(index) });
  expect(restores()).toMatchObject([{ judged }]);
});

describe('how faithful a replay is, for the page', () => {
  test('is told from every trace in memory, whichever was opened first', async () => {
    const load = await add(LOAD, 11);
    await add(LIVE, 10);
    const view = await fidelities.of(load.connection, seq(3));
    expect(view).toMatchObject({
      window: { request: 3, messages: 1 },
      report: { verdict: 'lossy', variant: 'v1 load' },
      windows: [{ connection: load.connection, request: 3, answer: { history: 'incomplete' } }],
    });
  });

  test('a strip says what a client gets wrong by it, the first of them with their frames', async () => {
    const load = await add(LOAD, 11);
    const live = await add(LIVE, 10);
    const [strip] = await fidelities.strips(load.connection, 's1');
    expect(strip).toMatchObject({ answer: { history: 'incomplete' }, harmCount: 1 });
    expect(strip?.harms).toMatchObject([
      { kind: 'missing', live: { connection: live.connection, seq: 6 }, replayed: undefined },
    ]);
  });

  test('what an intercept did is known on the connection of a restore too, and on none before', async () => {
    const drop = { on: 'update:agent_message_chunk', drop: true };
    const live = await add(intercepted(LIVE, [drop]), 10);
    const load = await add(LOAD, 11);
    const mark = { connection: live.connection, did: 'dropped' };
    expect(await fidelities.intercepted(live.connection, 's1')).toMatchObject([mark]);
    expect(await fidelities.intercepted(load.connection, 's1')).toMatchObject([mark]);
    const late = await add(intercepted(LOAD, [{ ...drop, on: 'update:user_message_chunk' }]), 12);
    expect(await fidelities.intercepted(live.connection, 's1')).toMatchObject([mark]);
    expect(await fidelities.intercepted(late.connection, 's1')).toMatchObject([
      mark,
      { ...mark, connection: late.connection },
    ]);
  });

  test('is copied as the report of the command, with the names that traces have in the page', async () => {
    const load = await add(LOAD, 11);
    const live = await add(LIVE, 10);
    const markdown = await fidelities.markdown(load.connection, seq(3));
    expect(markdown).toContain('- **INCOMPLETE** ');
    expect(markdown).toMatch(/\| agent messages \| 1 \| 0 \|/);
    const nameOf = ({ connection }: OpenTrace) =>
      `c${catalog.summaries().find((one) => one.connection === connection)?.number}`;
    expect(markdown).toContain(`## ${nameOf(load)}#3 v1 load of session s1`);
    expect(markdown).toMatch(new RegExp(`live: ${nameOf(live)}#\\d+`));
  });

  test('all of both values of a difference is there when it is asked for', async () => {
    const long = 'Hello there. '.repeat(300);
    await add(LIVE.replace('"Hi there"', `"${long}It is done."`), 10);
    const load = await add(
      LOAD.replace('  agent ←1', `  agent update s1 agent_message_chunk "${long}"\n  agent ←1`),
      11,
    );
    const [difference, ...others] =
      (await fidelities.of(load.connection, seq(3)))?.report.differences ?? [];
    expect(others).toEqual([]);
    expect(difference).toMatchObject({ field: 'text', why: 'lacks part of the text' });
    expect(difference?.change?.map(({ how, text }) => `${how} ${text}`)).toEqual([
      'same …Hello there. ',
      'gone It is done.',
    ]);
    expect(difference).not.toHaveProperty('values');
    expect(await fidelities.change(load.connection, seq(3), 0)).toEqual([
      { how: 'same', text: long },
      { how: 'gone', text: 'It is done.' },
    ]);
    expect(await fidelities.change(load.connection, seq(3), 1)).toBeUndefined();
  });

  test('and from stored traces of the same agent, which do not stay in memory', async () => {
    const live = await add(LIVE, 10);
    traces.close(live.connection);
    const load = await add(LOAD, 11);
    const view = await fidelities.of(load.connection);
    expect(view?.report).toMatchObject({
      verdict: 'lossy',
      live: [{ connection: live.connection }],
    });
    expect(traces.get(live.connection)).toBeUndefined();
  });

  test('asked while another reads such a trace, it waits for all of it', async () => {
    const live = await add(LIVE, 10);
    traces.close(live.connection);
    const load = await add(LOAD, 11);
    const first = traces.whole(live.connection).then(() => traces.release(live.connection));
    const { report } = (await fidelities.of(load.connection)) ?? {};
    await first;
    expect(report).toMatchObject({ verdict: 'lossy', live: [{ connection: live.connection }] });
  });

  test('a session that went on later is judged by what was before', async () => {
    const load = await add(LOAD, 11);
    await add(LIVE, 12);
    expect((await fidelities.of(load.connection, seq(3)))?.report.verdict).toBe('undecidable');
  });

  test('is made again when a trace has come', async () => {
    const load = await add(LOAD, 11);
    expect((await fidelities.of(load.connection, seq(3)))?.report.verdict).toBe('undecidable');
    await add(LIVE, 10);
    expect((await fidelities.of(load.connection, seq(3)))?.report.verdict).toBe('lossy');
  });

  test('of several windows the newest with something to compare is taken, not one refused later', async () => {
    await add(LIVE, 10);
    const refused = `
  client →2 session/load {"sessionId":"s1","cwd":"relative","mcpServers":[]}
  agent ←2 error -32602 Invalid params`;
    const resumed = `
  client →3 session/resume {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent ←3 result {}`;
    const all = await add(LOAD + refused + resumed, 11);
    const view = await fidelities.of(all.connection);
    expect(view?.window.request).toBe(3);
    expect(view?.windows.map(({ request }) => request)).toEqual([3, 6, 8]);
    const looked = (near: number) => fidelities.of(all.connection, undefined, seq(near));
    expect((await looked(7))?.window.request).toBe(6);
    expect((await looked(1))?.window.request).toBe(3);
    const none = await add(HELLO + resumed + refused, 12);
    expect((await fidelities.of(none.connection))?.window.request).toBe(3);
    const bad = await add(HELLO + refused, 13);
    expect((await fidelities.of(bad.connection))?.window.outcome).toBe('rejected');
  });

  test('a trace without a restore names those of its session on other connections', async () => {
    const live = await add(LIVE, 10);
    expect(await fidelities.replays(live.connection)).toEqual([]);
    const load = await add(LOAD, 11);
    expect(await fidelities.of(live.connection)).toBeUndefined();
    expect(await fidelities.replays(live.connection)).toMatchObject([
      {
        connection: load.connection,
        request: 3,
        variant: 'v1 load',
        answer: { history: 'incomplete', figures: '1 missing, 1 identical' },
      },
    ]);
  });

  test('where no replay window begins there is nothing to say', async () => {
    const live = await add(LIVE, 10);
    expect(await fidelities.of(live.connection)).toBeUndefined();
    expect(await fidelities.of(live.connection, seq(5))).toBeUndefined();
  });
});
