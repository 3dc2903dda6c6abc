// What the bundled agent does, well or badly, as the model tells it.
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import type { MisbehaviourName } from '../../agent/misbehaviours.ts';
import { millis } from '../../lib/time.ts';
import type { AgentClient } from '../../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  turn,
} from '../../test/programs/bundled-agent.ts';
import { indexed, type Indexed } from '../../test/traces/indexed.ts';
import { seq } from '../../trace/event.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';

let store: string;
let sessionId: string;
let live: AgentClient;

beforeEach(async () => {
  store = freshStore();
  live = await meetAgent(2, { store });
  live.answering = choosing('allow-once');
  sessionId = await newSession(live);
  await turn(live, sessionId, 'Mend it');
  await turn(live, sessionId, 'quick');
  await live.end();
});

function modelOf({ crossed }: AgentClient): Indexed {
  return indexed(
    crossed.map(({ from, line }, i) => {
      const stamp = { seq: seq(i + 1), at: millis(i) };
      return { ...stamp, type: 'frame', from, line: { text: line }, origin: 'peer' };
    }),
  );
}

/** A restore, and a turn after it; the window of the restore. */
async function restored(
  version: 1 | 2,
  method: 'session/load' | 'session/resume',
  params: JsonObject = {},
  misbehave?: MisbehaviourName,
): Promise<ReplayWindowView | undefined> {
  const client = await meetAgent(version, { store, ...(misbehave ? { misbehave } : {}) });
  client.answering = choosing('allow-once');
  await client.ask(method, { sessionId, cwd: CWD, mcpServers: [], ...params });
  await client.ask('session/list', {}); // what comes late has come by then
  await turn(client, sessionId, 'quick');
  await client.end();
  return modelOf(client).index.windows()[0];
}

const start = { replayFrom: { type: 'start' } };

test('a live connection has no replay, nothing late, and every request answered', () => {
  const { index, view } = modelOf(live);
  expect(view.state().counts).toMatchObject({ replay: 0, late: 0 });
  expect(index.facts().open).toEqual([]);
  expect(index.facts().sessions).toMatchObject([{ sessionId, active: true, turn: 'idle' }]);
});

test.each([
  [1, 'session/load', {}, true],
  [1, 'session/resume', {}, false],
  [2, 'session/resume', {}, false],
  [2, 'session/resume', { replayFrom: null }, false],
  [2, 'session/resume', start, true],
] as const)('v%i %s %j as it should be', async (version, method, params, replays) => {
  const window = await restored(version, method, params);
  expect(window).toMatchObject({ outcome: 'answered', late: 0, forbidden: false });
  expect((window?.messages ?? 0) > 0).toBe(replays);
  expect((window?.tools ?? 0) > 0).toBe(replays);
});

test.each([
  [1, 'session/load', {}],
  [2, 'session/resume', start],
] as const)('v%i %s replayed after the answer is late', async (version, method, params) => {
  const proper = await restored(version, method, params);
  const window = await restored(version, method, params, 'replay-after-answer');
  expect(window).toMatchObject({ messages: 0, tools: 0, forbidden: false });
  expect(window?.late).toBeGreaterThanOrEqual((proper?.messages ?? 0) + (proper?.tools ?? 0));
});

test.each([1, 2] as const)('v%i history that nobody asked for is not allowed', async (version) => {
  const window = await restored(version, 'session/resume', {}, 'replay-without-cursor');
  expect(window).toMatchObject({ outcome: 'answered', forbidden: true, late: 0 });
});

/** Resumes from the first message, then from a cursor; the fate of the second. */
async function fateOf(cursor: (messageId: string) => JsonObject, misbehave?: MisbehaviourName) {
  const client = await meetAgent(2, { store, ...(misbehave ? { misbehave } : {}) });
  await client.ask('session/resume', { sessionId, cwd: CWD, ...start });
  const ids = client.updates().flatMap((update) => update['messageId'] ?? []);
  const replayFrom = cursor(String(ids.at(-1)));
  await client.ask('session/resume', { sessionId, cwd: CWD, replayFrom });
  await client.end();
  return modelOf(client)
    .index.windows()
    .map(({ pin }) => `${pin?.letter} ${pin?.fate}`);
}

test('cursors are accepted, ignored or rejected as the agent treats them', async () => {
  const named = (messageId: string) => ({ type: '_message', messageId });
  const odd = () => ({ type: 'nonsense' });
  expect(await fateOf(named)).toEqual(['A accepted', 'B accepted']);
  expect(await fateOf(odd)).toEqual(['A accepted', 'B rejected']);
  expect(await fateOf(odd, 'accepts-unknown-cursor')).toEqual(['A accepted', 'B ignored']);
});

test('an answer sent twice pairs once, and is found by the method both times', async () => {
  const client = await meetAgent(1, { store, misbehave: 'duplicate-answer' });
  await client.ask('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  await turn(client, sessionId, 'quick');
  await client.ask('session/list', {});
  await client.end();
  const { view, rows } = modelOf(client);
  view.setQuery('type:res method:session/prompt');
  const found = rows().filter(({ type }) => type === 'frame');
  expect(found).toHaveLength(2);
  expect(found[0]).toHaveProperty('latency');
  expect(found[1]).not.toHaveProperty('latency');
});
