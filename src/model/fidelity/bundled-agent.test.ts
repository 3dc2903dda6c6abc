// The bundled agent, well behaved and not: each misbehaviour gets the verdict meant for it.
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
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
import { fidelityOf } from './fidelity.ts';
import type { FidelityWindow } from './report/report.ts';

const START = { replayFrom: { type: 'start' } };

let store: string;
beforeEach(() => {
  store = freshStore();
});

/** Two turns on one connection; what crossed, and the session. */
async function lived(version: 1 | 2): Promise<{ events: TraceEvent[]; sessionId: string }> {
  const client = await meetAgent(version, { store });
  client.answering = choosing('allow-once');
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'Mend it');
  await turn(client, sessionId, 'quick');
  await client.end();
  return { events: crossedBy(client), sessionId };
}

/** A restore on another connection, held against the two turns. */
async function restored(
  version: 1 | 2,
  method: 'session/load' | 'session/resume',
  params: JsonObject = {},
  misbehave?: MisbehaviourName,
): Promise<FidelityWindow> {
  const { events, sessionId } = await lived(version);
  const client = await meetAgent(version, { store, ...(misbehave ? { misbehave } : {}) });
  await client.ask(method, { sessionId, cwd: CWD, mcpServers: [], ...params });
  await client.ask('session/list', {}); // what comes late has come by then
  await client.end();
  const [window] = fidelityOf(sourcesOf([events, crossedBy(client)])).windows;
  if (!window) throw new Error('no window');
  return window;
}

/** Kinds of the differences that make it worse than cosmetic. */
const faults = ({ differences }: FidelityWindow) => [
  ...new Set(differences.filter(({ verdict }) => verdict !== 'cosmetic').map(({ kind }) => kind)),
];

test.each([
  [1, 'session/load', {}, 'replayed-from-start', 'cosmetic'],
  [1, 'session/resume', {}, 'restored-without-replay', 'equal'],
  [2, 'session/resume', START, 'replayed-from-start', 'cosmetic'],
  [2, 'session/resume', {}, 'restored-without-replay', 'equal'],
  [2, 'session/resume', { replayFrom: null }, 'restored-without-replay', 'equal'],
] as const)('well behaved: v%i %s %j', async (version, method, params, was, verdict) => {
  const window = await restored(version, method, params);
  expect(window).toMatchObject({ restored: was, verdict, partly: [] });
  // It streams live and replays whole messages, which is all that differs.
  expect(window.differences.every(({ why }) => / chunks live, 1 replayed$/.test(why))).toBe(true);
});

test.each([
  [1, 'session/load', {}, 'lossy-replay', 'lossy', ['changed', 'missing']],
  [2, 'session/resume', START, 'lossy-replay', 'lossy', ['changed', 'missing']],
  [1, 'session/load', {}, 'unstable-message-ids', 'cosmetic', []],
  [2, 'session/resume', START, 'unstable-message-ids', 'lossy', ['lost id']],
  [1, 'session/load', {}, 'replay-after-answer', 'lossy', ['late']],
  [2, 'session/resume', START, 'replay-after-answer', 'lossy', ['late']],
  [1, 'session/resume', {}, 'replay-without-cursor', 'corrupt', ['unasked']],
  [2, 'session/resume', {}, 'replay-without-cursor', 'cosmetic', []],
  [2, 'session/resume', START, 'missing-state-snapshot', 'lossy', ['missing']],
  [2, 'session/resume', START, 'missing-baseline', 'corrupt', ['no baseline']],
] as const)('v%i %s %j %s is %s', async (version, method, params, misbehave, verdict, kinds) => {
  const window = await restored(version, method, params, misbehave);
  expect(window.verdict).toBe(verdict);
  expect(faults(window)).toEqual(kinds);
});

test('all that comes after the answer is late, terminals as well', async () => {
  const { kinds, sentence } = await restored(2, 'session/resume', START, 'replay-after-answer');
  for (const kind of ['user', 'tool', 'terminal'] as const)
    expect(kinds[kind]).toMatchObject({ lossy: kinds[kind]?.live, equal: 0 });
  expect(sentence).toContain('1 terminal');
});

test('other ids of messages are told in v1, which makes no stable ones due', async () => {
  const { differences, sentence } = await restored(1, 'session/load', {}, 'unstable-message-ids');
  const lost = differences.filter(({ kind }) => kind === 'lost id');
  expect(lost.length).toBeGreaterThan(0);
  for (const one of lost) expect(one).toMatchObject({ field: 'messageId', verdict: 'cosmetic' });
  expect(sentence).toMatch(
    /Without the ids they had live came .*agent messages; v1 leaves it open/,
  );
});

test('all tool calls that a lossy replay leaves out are named, with the frame they were in', async () => {
  const { kinds, differences, sentence } = await restored(1, 'session/load', {}, 'lossy-replay');
  expect(kinds.tool).toMatchObject({ replayed: 0, lossy: kinds.tool?.live, score: 0 });
  const missing = differences.filter(({ of, kind }) => of === 'tool' && kind === 'missing');
  expect(missing).toHaveLength(kinds.tool?.live ?? -1);
  expect(missing.every(({ live, replayed }) => live?.connection === 'c1' && !replayed)).toBe(true);
  expect(sentence).toMatch(/loses \d+ tool calls and loses part of \d+ agent messages/);
});

test.each([
  [undefined, 'cosmetic', []],
  ['exclusive-cursor', 'lossy', ['missing']],
] as const)('from a cursor, with %s, it is %s', async (misbehave, verdict, kinds) => {
  const { events, sessionId } = await lived(2);
  const client = await meetAgent(2, { store, ...(misbehave ? { misbehave } : {}) });
  await client.ask('session/resume', { sessionId, cwd: CWD, ...START });
  const ids = client.updates().flatMap(({ messageId }) => messageId ?? []);
  const replayFrom = { type: '_message', messageId: String(ids[2]) };
  await client.ask('session/resume', { sessionId, cwd: CWD, replayFrom });
  await client.end();
  const [, window] = fidelityOf(sourcesOf([events, crossedBy(client)])).windows;
  expect(window).toMatchObject({ variant: 'v2 custom', verdict });
  expect(window && faults(window)).toEqual(kinds);
});
