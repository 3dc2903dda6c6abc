// A session lived in one version of the protocol and restored in the other: what that version has no
// word for is noted, what it says in other words is the same, and what is lost is lost.
import { expect, test } from 'vitest';
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
import { fidelityOf } from './fidelity.ts';
import type { FidelityWindow } from './report/report.ts';

const RESTORES = {
  1: ['session/load', {}],
  2: ['session/resume', { replayFrom: { type: 'start' } }],
} as const satisfies Record<number, readonly [string, JsonObject]>;

/** A turn with a plan, an edit and a terminal, then a restore by a client of the other version. */
async function across(
  from: 1 | 2,
  to: 1 | 2,
  misbehave?: MisbehaviourName,
  capabilities: JsonObject = {},
): Promise<FidelityWindow> {
  const store = freshStore();
  const one = await meetAgent(from, { store });
  one.answering = choosing('allow-once');
  const sessionId = await newSession(one);
  await turn(one, sessionId, 'Mend it');
  await one.end();
  const other = await meetAgent(to, { store, capabilities, ...(misbehave ? { misbehave } : {}) });
  const [method, params] = RESTORES[to];
  await other.ask(method, { sessionId, cwd: CWD, mcpServers: [], ...params });
  await other.ask('session/list', {});
  await other.end();
  const [window] = fidelityOf(sourcesOf([crossedBy(one), crossedBy(other)])).windows;
  if (!window) throw new Error('no window');
  return window;
}

const worse = ({ differences }: FidelityWindow) =>
  differences.filter(({ verdict }) => verdict !== 'cosmetic');

test('of v2, loaded by v1: it has no terminals of the agent and no ids of plans, which is noted', async () => {
  const window = await across(2, 1, undefined, { session: { configOptions: { boolean: {} } } });
  expect(worse(window)).toEqual([]);
  const unsaid = window.differences.filter(({ kind }) => kind === 'cannot say');
  expect(unsaid).toMatchObject([
    { of: 'plan', field: 'planId', why: 'v1 has no planId' },
    { of: 'terminal', field: undefined, replayed: undefined },
  ]);
  expect(window.verdict).toBe('cosmetic');
  expect(window.sentence).toMatch(/ v1 cannot say 1 terminal and the id of 1 plan\.$/);
  // One tells the edit as a patch, the other as both texts.
  expect(window.kinds.tool).toMatchObject({ live: 3, replayed: 3, lossy: 0, corrupt: 0, score: 1 });
  expect(window.kinds).not.toHaveProperty('terminal');
  expect(window.kinds).not.toHaveProperty('mode');
  expect(window.kinds.config).toMatchObject({ live: 3, replayed: 3, equal: 3 });
});

test('v1 tells options that are on or off only to clients that ask for them', async () => {
  const { differences } = await across(2, 1);
  expect(differences).toContainEqual(
    expect.objectContaining({ kind: 'cannot say', of: 'config', item: 'config option terse' }),
  );
});

test('of v1, resumed by v2: its terminals are what the tool call said, its mode an option', async () => {
  const window = await across(1, 2);
  expect(worse(window)).toEqual([]);
  expect(window.kinds.tool).toMatchObject({ live: 3, replayed: 3, lossy: 0, corrupt: 0, score: 1 });
});

test.each([
  [2, 1],
  [1, 2],
] as const)('what v%i said and a lossy replay in v%i leaves out is lost', async (from, to) => {
  const window = await across(from, to, 'lossy-replay');
  expect(window.verdict).toBe('lossy');
  expect(window.kinds.tool).toMatchObject({ live: 3, replayed: 0, lossy: 3 });
});
