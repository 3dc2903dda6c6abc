import { describe, expect, test } from 'vitest';
import { chipBook } from '../../model/facts/chips.ts';
import { draw } from '../../test/traces/draw.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { connectionId, seq, type ConnectionId } from '../../trace/event.ts';
import type { TraceGroup, TraceSummary } from '../messages.ts';
import { OpenTrace } from '../traces/open-trace.ts';
import { Fidelities } from '../fidelity/fidelities.ts';
import { restoresOf } from './restores.ts';
import { windowDetail } from './window-detail.ts';
import { sessionBackground } from './session-background.ts';
import { Folds } from '../timeline/folds.ts';
import { sessionHub } from '../timeline/session-hub.ts';

const C = ['c1', 'c2', 'c3'].map(connectionId);
const [FIRST, SECOND, THIRD] = C as [ConnectionId, ConnectionId, ConnectionId];

interface Drawn {
  readonly connection: ConnectionId;
  readonly picture: string;
  readonly group?: TraceGroup;
  readonly running?: boolean;
  /** Not in memory until it is asked for. */
  readonly stored?: number;
  /** Nobody knows when it began. */
  readonly timeless?: true;
}

/** The catalog and the open traces of a browser that holds these, one minute apart. */
const TIMELESS = encodeUtf8(
  headerLine({
    ...{ format: 'acptrace', version: 1, tool: 'recorder', clock: 'imported' },
    created: new Date(0).toISOString(),
  }),
);

function library(drawn: readonly Drawn[]) {
  const chipOf = chipBook();
  const open = new Map<ConnectionId, OpenTrace>();
  const read = ({ connection, picture }: Drawn) => {
    const trace = new OpenTrace(connection, chipOf, '');
    const bytes = encodeUtf8(
      draw(picture)
        .map((event) => `${eventLine(event)}\n`)
        .join(''),
    );
    trace.take(bytes, 0, () => false);
    open.set(connection, trace);
    return trace;
  };
  for (const one of drawn) if (one.stored === undefined) read(one);
  const summary = (one: Drawn, i: number): TraceSummary => ({
    ...{ connection: one.connection, name: 'agent', number: i + 1, mode: 'drive' },
    ...{ state: one.running ? 'running' : 'ended', events: 1, frames: 1 },
    startedAt: `2026-11-21T10:0${i}:00.000Z`,
    stored: one.stored ?? 1,
    ...(one.group && { group: one.group }),
  });
  const of = (connection: ConnectionId) => drawn.findIndex((one) => one.connection === connection);
  const held = {
    catalog: {
      get(connection: ConnectionId) {
        const one = drawn[of(connection)];
        const kept = one?.timeless && { header: TIMELESS, startedAt: new Date(0).toISOString() };
        return one && ({ ...summary(one, of(connection)), ...kept } as unknown as StoredTrace);
      },
      about: (sessionId: string) =>
        drawn.flatMap((one) => (one.group?.session === sessionId ? [one.connection] : [])),
      isRunning: (connection: ConnectionId) => drawn[of(connection)]?.running === true,
      summaries: () => drawn.map(summary),
    },
    traces: {
      all: () => [...open.values()],
      allWhole: () => Promise.resolve([...open.values()]),
      get: (connection: ConnectionId) => open.get(connection),
      async whole(connection: ConnectionId) {
        const one = drawn[of(connection)];
        if (!one) throw new Error(`No trace ${connection}`);
        return open.get(connection) ?? read(one);
      },
      release: (connection: ConnectionId) => void open.delete(connection),
    },
  };
  return { ...held, fidelities: async () => new Fidelities(held) };
}

const V1 = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}`;
const LIVE = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Mend the fault"
  agent  update s1 agent_message_chunk "Done"
  agent  ←2 result {"stopReason":"end_turn"}`;
const LOAD = 'client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
const RUN = { id: 'r1', title: 'Restore variants', label: 'v1 load', session: 's1' };

describe('restores of a session', () => {
  test('are judged by what other, earlier connections know of it', async () => {
    const results = await restoresOf(
      library([
        { connection: FIRST, picture: LIVE },
        { connection: SECOND, picture: `${V1}\n${LOAD}\nagent ←1 result {}` },
      ]),
      's1',
    );
    expect(results).toMatchObject([
      { connection: SECOND, verdict: 'replayed-nothing', due: false },
    ]);
  });

  test('of a run are read from storage, those of its copies too, with what was asked after', async () => {
    const picture = `${V1}
      client →1 session/load {"sessionId":"s1-copy","cwd":"/w","mcpServers":[]}
      agent  update s1-copy agent_message_chunk "Done"
      agent  ←1 result {}
      client →2 session/prompt s1-copy "What did I ask first?"
      agent  update s1-copy agent_message_chunk "You said: mend " "the fault."
      agent  ←2 result {"stopReason":"end_turn"}`;
    const group = { ...RUN, expects: 'Mend the fault' };
    const results = await restoresOf(
      library([
        { connection: FIRST, picture: LIVE },
        { connection: SECOND, picture, group, stored: 9 },
      ]),
      's1',
    );
    expect(results).toMatchObject([
      {
        verdict: 'replayed-from-start',
        run: { label: 'v1 load' },
        then: { request: 6, said: 'You said: mend the fault.', knows: 'knows' },
      },
    ]);
  });

  test('are in the order they were sent, on whichever connection', async () => {
    const later = `${LIVE}\n+90000ms\n${LOAD.replace('→1', '→3')}\nagent ←3 result {}`;
    const results = await restoresOf(
      library([
        { connection: FIRST, picture: later },
        { connection: SECOND, picture: `${V1}\n${LOAD}\nagent ←1 result {}` },
      ]),
      's1',
    );
    expect(results.map(({ connection }) => connection)).toEqual([SECOND, FIRST]);
  });

  test('that were open at the same time are told with each other', async () => {
    const two = `${V1}
      ${LOAD}
      client →2 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
      agent ←1 result {}
      agent ←2 result {}
      client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent ←3 result {}`;
    const held = library([{ connection: FIRST, picture: two }]);
    const [trace] = held.traces.all();
    if (!trace) throw new Error('No trace was drawn');
    const overlaps = async (at: number) =>
      (await windowDetail(held, trace, seq(at)))?.overlaps.map(({ request }) => request);
    expect(await overlaps(3)).toEqual([4]);
    expect(await overlaps(4)).toEqual([3]);
    expect(await overlaps(7)).toEqual([]);
    expect(await windowDetail(held, trace, seq(1))).toBeUndefined();
  });
});

describe('the background of a session', () => {
  test('has the cwd it was made with, not one that a restore tried', async () => {
    const made = `
      client →1 session/new {"cwd":"/w","mcpServers":[]}
      agent  ←1 result {"sessionId":"s1"}`;
    const tried = `
      client →1 session/load {"sessionId":"s1","cwd":"/w/","mcpServers":[]}
      agent  ←1 result {}`;
    const drawn = [
      { connection: FIRST, picture: made },
      { connection: SECOND, picture: tried },
    ];
    expect((await sessionBackground(library(drawn), 's1', SECOND)).cwd).toBe('/w');
    expect((await sessionBackground(library(drawn.slice(1)), 's1', SECOND)).cwd).toBe('/w/');
  });

  const of = (drawn: readonly Drawn[], sessionId = 's1', asking = SECOND) =>
    sessionBackground(library(drawn), sessionId, asking);

  test('is with what it was made, its first prompt, and where else it is open', async () => {
    expect(await of([{ connection: FIRST, picture: LIVE, running: true }])).toMatchObject({
      cwd: '/w',
      setup: { connection: FIRST, seq: 3, method: 'session/new', mcpServers: '[]' },
      firstPrompt: 'Mend the fault',
      isKnown: true,
      hasHistory: true,
      openAt: { connection: FIRST, seq: 4 },
    });
  });

  test('says where it is open: on the connection it is asked for on, or elsewhere', async () => {
    const drawn = [{ connection: FIRST, picture: LIVE, running: true }];
    const here = await of(drawn, 's1', FIRST);
    expect(here).toMatchObject({ openHere: { connection: FIRST, seq: 4 } });
    expect(here).not.toHaveProperty('openAt');
    expect(await of(drawn)).not.toHaveProperty('openHere');
  });

  test('an id that only we have named, and the agent refused, is not known', async () => {
    const refused = `${V1}\n${LOAD}\nagent ←1 error -32002 Not found`;
    const found = await of([{ connection: SECOND, picture: refused }]);
    expect(found).toMatchObject({ isKnown: false, hasHistory: false });
    expect(found).not.toHaveProperty('isListed');
  });

  test('a list that came to its end holds an id or does not', async () => {
    const list = (ids: string, more = '') => `${V1}
      client →1 session/list {}
      agent  ←1 result {"sessions":[${ids}]${more}}
      client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`;
    const listed = async (picture: string) =>
      (await of([{ connection: SECOND, picture }])).isListed;
    expect(await listed(list('{"sessionId":"s1","cwd":"/w"}'))).toBe(true);
    expect(await listed(list(''))).toBe(false);
    expect(await listed(list('', ',"nextCursor":"p2"'))).toBeUndefined();
  });

  test('its deletion and its closing are told by their frames, unless it came back', async () => {
    const then = (...lines: string[]) => [
      { connection: FIRST, picture: [LIVE, ...lines].join('\n') },
    ];
    expect(await of(then('client →3 session/delete s1', 'agent ←3 result {}'))).toMatchObject({
      deleted: { connection: FIRST, seq: 9 },
    });
    const closed = ['client →3 session/close s1', 'agent ←3 result {}'];
    expect(await of(then(...closed))).toMatchObject({ closed: { seq: 9 } });
    const back = 'client →4 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';
    expect(await of(then(...closed, back, 'agent ←4 result {}'))).not.toHaveProperty('closed');
  });

  test('what runs of ours tried is no setup of it', async () => {
    const odd = `${V1}
      client →1 session/load {"sessionId":"s1","cwd":"/odd","mcpServers":[]}
      agent ←1 result {}`;
    const found = await of([
      { connection: FIRST, picture: LIVE },
      { connection: THIRD, picture: odd, group: RUN },
    ]);
    expect(found.setup?.connection).toBe(FIRST);
  });
});

describe('a session over all its connections', () => {
  const hubOf = (drawn: readonly Drawn[]) => {
    const looks = { of: async (trace: OpenTrace) => ({ folds: new Folds(trace) }) };
    return sessionHub({ ...library(drawn), looks }, 's1');
  };

  test('restores of one run are compared with what was before the run, not with each other', async () => {
    const title = (words: string) => `agent update s1 session_info_update {"title":"${words}"}`;
    const restored = (words: string) => `${V1}\n${LOAD}\n${title(words)}\nagent ←1 result {}`;
    const drawn = (...groups: readonly (TraceGroup | undefined)[]) =>
      [`${LIVE}\n${title('Roof')}`, restored('Floor'), restored('Roof')].map((picture, at) => {
        const group = groups[at];
        return { connection: C[at] as ConnectionId, picture, ...(group && { group }) };
      });
    const driftsOf = async (...groups: readonly (TraceGroup | undefined)[]) =>
      (await hubOf(drawn(...groups))).events
        .filter(({ kind }) => kind === 'load')
        .map(({ drift }) => drift.map(({ before, after }) => [before.value, after?.value]));
    expect(await driftsOf(undefined, RUN, RUN)).toEqual([[['Roof', 'Floor']], []]);
    expect(await driftsOf()).toEqual([[['Roof', 'Floor']], [['Floor', 'Roof']]]);
  });

  test('is what it lived and what was restored of it, by the clock, also of stored traces', async () => {
    const hub = await hubOf([
      { connection: SECOND, picture: LIVE },
      { connection: FIRST, picture: `${V1}\n${LOAD}\nagent ←1 result {}`, stored: 9 },
      { connection: THIRD, picture: V1, stored: 9 },
    ]);
    expect(hub.notRead).toBe(0);
    expect(hub.connections).toMatchObject([
      {
        ...{ connection: SECOND, first: 4, last: 7 },
        stretches: [{ items: [5, 6], turns: [5] }],
      },
      { connection: FIRST, first: 3, last: 4, stretches: [] },
    ]);
    expect(hub.events.map(({ connection, kind }) => [connection, kind])).toEqual([
      [SECOND, 'new'],
      [SECOND, 'prompts'],
      [FIRST, 'load'],
    ]);
    expect(hub.restores).toMatchObject([{ connection: FIRST, verdict: 'replayed-nothing' }]);
    const lived = hub.connections[0]?.to ?? Infinity;
    expect(hub.restores[0]?.at).toBeGreaterThan(lived);
  });

  test('where nobody knows when a trace began, what was lived stands before what brings it back', async () => {
    const restored = `${V1}
      client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent  update s1 user_message_chunk "Mend the fault"
      agent  ←1 result {}`;
    for (const known of [{}, { timeless: true }] as const) {
      const hub = await hubOf([
        { connection: SECOND, picture: restored, timeless: true },
        { connection: FIRST, picture: LIVE, ...known },
      ]);
      expect(hub.connections.map(({ connection }) => connection)).toEqual([FIRST, SECOND]);
      const [lived, again] = hub.connections;
      expect(again?.began).toBeGreaterThan(lived?.ended ?? Infinity);
      expect(hub.restores[0]?.at).toBeGreaterThanOrEqual(again?.began ?? Infinity);
    }
  });

  test('what is lived after a restore is a stretch of its own, and the replay is none', async () => {
    const { connections } = await hubOf([
      {
        connection: FIRST,
        picture: `${LIVE}
          client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
          agent  update s1 user_message_chunk "Mend the fault"
          agent  ←3 result {}
          client →4 session/prompt s1 "And now?"
          agent  ←4 result {"stopReason":"end_turn"}`,
      },
    ]);
    expect(connections[0]?.stretches).toMatchObject([
      { items: [5, 6], turns: [5] },
      { items: [11], turns: [11] },
    ]);
  });

  test('has what its children lived, and theirs, where they lived it', async () => {
    const { connections } = await hubOf([
      {
        connection: FIRST,
        picture: `${LIVE}
          agent  update s1 subagent_update {"sessionId":"k1","state":{"state":"running"}}
          agent  update k1 agent_message_chunk "Looking"
          agent  update k1 subagent_update {"sessionId":"k2"}
          agent  update k2 agent_message_chunk "Found"
          agent  update k1 agent_message_chunk "Done"`,
      },
    ]);
    expect(connections[0]?.children).toMatchObject([
      { sessionId: 'k1', depth: 1 },
      { sessionId: 'k2', depth: 2, items: 1 },
    ]);
    const [one] = connections[0]?.children ?? [];
    expect(one?.to).toBeGreaterThan(one?.from ?? Infinity);
  });

  test('does not look through large stored traces, and says how many', async () => {
    const found = await hubOf([
      { connection: FIRST, picture: LIVE },
      { connection: SECOND, picture: LIVE, stored: 64 << 20 },
    ]);
    expect(found.notRead).toBe(1);
    expect(found.connections).toHaveLength(1);
  });
});
