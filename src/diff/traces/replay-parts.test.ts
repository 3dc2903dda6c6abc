import { beforeEach, expect, test } from 'vitest';
import type { MisbehaviourName } from '../../agent/misbehaviours.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  turn,
} from '../../test/programs/bundled-agent.ts';
import { crossedBy, sourcesOf } from '../../test/traces/fidelity-sources.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { diffTraces } from './diff.ts';
import { textReport } from '../../report/text.ts';
import { REPLAYED_PART } from '../../model/sessions/compare-terms.ts';
import { diffDocument } from './report/document.ts';
import type { DiffOptions, TraceDiffReport } from './report/report.ts';

type Trace = string | readonly TraceEvent[];

function compare(a: Trace, b: Trace, options?: DiffOptions): Promise<TraceDiffReport> {
  const [left, right] = sourcesOf([a, b]);
  if (!left || !right) throw new Error('two traces were given');
  return diffTraces(left, right, options);
}
const told = ({ differences }: TraceDiffReport) =>
  differences.map(({ kind, of, a, b }) => `${kind} ${of} ${a?.seq ?? '-'} ${b?.seq ?? '-'}`);
const LIVE = { query: 'is:live' };
const REPLAY = { query: 'is:replay' };

let store: string;
beforeEach(() => {
  store = freshStore();
});

/** Two turns and a restore of their session on one connection. */
async function restored(version: 1 | 2, misbehave?: MisbehaviourName): Promise<TraceEvent[]> {
  const client = await meetAgent(version, { store, ...(misbehave ? { misbehave } : {}) });
  client.answering = choosing('allow-once');
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'Please edit a file');
  await turn(client, sessionId, 'quick');
  const params = { sessionId, cwd: CWD, mcpServers: [] };
  if (version === 1) await client.ask('session/load', params);
  else await client.ask('session/resume', { ...params, replayFrom: { type: 'start' } });
  await client.ask('session/list', {}); // what comes late has come by then
  await client.end();
  return crossedBy(client);
}

test.each([1, 2] as const)(
  'what a good agent replays is what it said live: v%i',
  async (version) => {
    const events = await restored(version);
    const report = await compare(events, events, { a: LIVE, b: REPLAY });
    expect(told(report)).toEqual([]);
    expect(report.counts.equal).toBeGreaterThan(8);
    expect(told(await compare(events, events, { a: REPLAY, b: LIVE }))).toEqual([]);
  },
);

test.each([1, 2] as const)(
  'what came back after the answer is held against what was lived too: v%i',
  async (version) => {
    const events = await restored(version, 'replay-after-answer');
    const report = await compare(events, events, { a: LIVE, b: { query: REPLAYED_PART } });
    // A plan behind the answer may as well be a new one.
    expect(report.differences.filter(({ of }) => of !== 'plan')).toEqual([]);
    expect(report.counts.equal).toBeGreaterThan(8);
  },
);

test.each([1, 2] as const)('what a lossy replay lost is told: v%i', async (version) => {
  const events = await restored(version, 'lossy-replay');
  const { differences } = await compare(events, events, { a: LIVE, b: REPLAY });
  expect(differences.map(({ of }) => of)).toEqual(expect.arrayContaining(['agent', 'tool']));
});

const NEW = `
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/home/mika/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}`;
const ASK = '\nclient →2 session/prompt s1 "Go on"';
const SAYS = '\nagent update s1 agent_message_chunk m1 "Here is the file"';
const END = '\nagent ←2 result {"stopReason":"end_turn"}';
const LOAD = '\nclient →3 session/load {"sessionId":"s1","cwd":"/home/mika/w","mcpServers":[]}';
const LOADED = '\nagent ←3 result {}';
const USER = '\nagent update s1 user_message_chunk "Go on"';

test('a live turn is never paired with its replay', async () => {
  const whole = NEW + ASK + SAYS + END + LOAD + USER + SAYS + LOADED;
  for (const view of ['story', 'frames'] as const) {
    const report = await compare(whole, NEW + LOAD + USER + SAYS + LOADED, { view });
    const gone = told(report);
    expect(gone.every((one) => one.startsWith('missing'))).toBe(true);
    expect(gone.map((one) => one.split(' ').at(-2))).toEqual(['5', '6', '7']);
    const live = await compare(whole, NEW + ASK + SAYS + END, { view });
    expect(live.differences.every(({ a }) => (a?.seq ?? 0) >= 8)).toBe(true);
  }
});

test('history that comes late is not history that came in time, and no part of the turn', async () => {
  const live = NEW + ASK + SAYS + END + LOAD;
  const [due, late] = [live + USER + SAYS + LOADED, live + LOADED + USER + SAYS];
  for (const view of ['story', 'frames', 'state'] as const) {
    const { differences, rows, sections } = await compare(due, late, { view });
    expect([view, differences.length > 0]).toEqual([view, true]);
    if (view === 'story')
      expect(
        differences.map(({ row }) => sections[rows.section(row)]?.name.replace(/, right$/, '')),
      ).toEqual(differences.map(() => 'Restore 1'));
  }
});

test('a slice that leaves nothing of a side is no comparison', async () => {
  const events = NEW + ASK + SAYS + END;
  for (const view of ['story', 'frames', 'state', 'handshake'] as const) {
    await expect(compare(events, events, { view, a: REPLAY })).rejects.toThrow(
      'Of the left trace is:replay finds nothing',
    );
    await expect(compare(events, events, { view, b: { query: 'session:S9' } })).rejects.toThrow(
      'Of the right trace session:S9 finds nothing',
    );
  }
});

test('a rule that met nothing stands among what is left out', async () => {
  const events = NEW + ASK + SAYS + END;
  const text = async (ignore: readonly string[]) =>
    textReport(diffDocument(await compare(events, events, { ignore }), { left: 'a', right: 'b' }));
  expect(await text(['usage_update', 'available_commands'])).toContain(
    'left out  available_commands 0|0 (met nothing)',
  );
  expect(await text(['usage_update'])).not.toContain('left out');
});

test('a tool call with the id it had is that call, however much of it came back otherwise', async () => {
  const calls = (body: (n: number) => string, order: readonly number[]) =>
    order.map((n) => `agent update s1 tool_call {"toolCallId":"t${n}",${body(n)}}`).join('\n    ');
  const live = calls(
    (n) => `"title":"Read file ${n}","kind":"read","rawInput":{"path":"/w/${n}"}`,
    [1, 2, 3],
  );
  const back = calls((n) => `"title":"x${n}${n}","kind":"other","status":"completed"`, [3, 1, 2]);
  const trace = `
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent ←1 result {"sessionId":"s1"}
    client →2 session/prompt s1 "Go"
    ${live}
    agent ←2 result {"stopReason":"end_turn"}
    client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent update s1 user_message_chunk "Go"
    ${back}
    agent ←3 result {}`;
  const { counts } = await compare(trace, trace, { a: LIVE, b: REPLAY });
  expect(counts).toMatchObject({ missing: 0, extra: 0 });
});

test('what a replay alone says stands in the turn that it came in', async () => {
  const prompt = (id: number, words: string) => `
    client →${id} session/prompt s1 "${words}"
    agent update s1 agent_message_chunk "Done with ${words}"
    agent ←${id} result {"stopReason":"end_turn"}`;
  const back = (words: string) => `
    agent update s1 user_message_chunk "${words}"
    agent update s1 agent_message_chunk "Done with ${words}"`;
  const trace = `
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent ←1 result {"sessionId":"s1"}
    ${prompt(2, 'the roof')}${prompt(3, 'the door')}
    client →4 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    ${back('the roof')}${back('the door')}
    agent update s1 user_message_chunk "[Interrupted]"
    agent ←4 result {}`;
  const { differences, rows, sections } = await compare(trace, trace, { a: LIVE, b: REPLAY });
  const extra = differences.filter(({ kind }) => kind === 'extra');
  expect(extra.map(({ row }) => sections[rows.section(row)]?.name)).toEqual(['Turn 2']);
});

test('a trace that replays what the other lived is told, with the options that hold them against each other', async () => {
  const live = NEW + ASK + SAYS + END;
  const load = `
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1}${LOAD}${USER}${SAYS}${LOADED}`;
  const words = async (a: Trace, b: Trace, options?: DiffOptions) => {
    const report = await compare(a, b, options);
    return textReport(diffDocument(report, { left: 'a', right: 'b' }));
  };
  expect(await words(live, load)).toMatch(
    /The right replays a session that the left lived.*\n.*--left is:live --right is:replay,late/,
  );
  expect(await words(load, live)).toMatch(
    /The left replays a session that the right lived.*\n.*--left is:replay,late --right is:live/,
  );
  expect((await compare(live, load, { a: LIVE, b: REPLAY })).replays).toBeUndefined();
  expect((await compare(live, load, { view: 'handshake' })).replays).toBeUndefined();
  // One trace with both, twice; a refused restore; a session of another name.
  expect((await compare(live + LOAD + LOADED, live + LOAD + LOADED)).replays).toBeUndefined();
  const refused = load
    .replace(LOADED, '\nagent ←3 error -32002 "Not found"')
    .replace(USER + SAYS, '');
  expect((await compare(live, refused)).replays).toBeUndefined();
  expect((await compare(live, load.replaceAll('s1', 's2'))).replays).toBeUndefined();
});
