// The bundled agent, checked: well behaved it gives no finding above hint, and each of its
// misbehaviours is found by the rule meant for it. What crosses is the agent's own, in this process.
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import type { MisbehaviourName } from '../agent/misbehaviours.ts';
import type { JsonObject } from '../acp/message.ts';
import { millis } from '../lib/time.ts';
import type { AgentClient } from '../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  turn,
  type Started,
} from '../test/programs/bundled-agent.ts';
import { seq, type TraceEvent } from '../trace/event.ts';
import { checkTrace } from './check-trace.ts';
import { RULES } from './registry.ts';
import { type RemarksOf, loadRemarks } from './steps.ts';
import { isAtLeast, type Finding } from './finding.ts';
import { World } from './connection.ts';

let remarksOf: RemarksOf;
let store: string;
let world: World;
/** Connections checked in it so far. */
let checked = 0;
beforeEach(async () => {
  remarksOf = await loadRemarks();
  store = freshStore();
  world = new World();
  checked = 0;
});

/** What crossed, as a trace of a process that came up and went. `code`: how it ended. */
function traceOf({ crossed }: AgentClient, code: number): TraceEvent[] {
  const start = { type: 'start', seq: seq(1), at: millis(0), argv: ['agent'], cwd: CWD } as const;
  const frames = crossed.map(({ from, line }, i): TraceEvent => {
    const stamp = { seq: seq(i + 2), at: millis(i + 1) };
    return { ...stamp, type: 'frame', from, line: { text: line }, origin: 'peer' };
  });
  const end = { seq: seq(crossed.length + 2), at: millis(crossed.length + 60_000) };
  return [start, ...frames, { ...end, type: 'exit', code }];
}

/** Findings of one connection, in the world of those before it. */
function findingsOf(client: AgentClient, code = 0): readonly Finding[] {
  const name = `c${++checked}`;
  return checkTrace(traceOf(client, code), { remarksOf, world, name }).findings;
}

async function meet(
  version: 1 | 2,
  misbehave?: MisbehaviourName,
  more: Started = {},
): Promise<AgentClient> {
  const client = await meetAgent(version, { store, ...more, ...(misbehave ? { misbehave } : {}) });
  client.answering = choosing('allow-once');
  return client;
}

/** A session with two turns, by an agent that behaves. */
async function lived(version: 1 | 2): Promise<{ sessionId: string; findings: readonly Finding[] }> {
  const client = await meet(version);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'Mend it');
  await turn(client, sessionId, 'quick');
  await client.end();
  return { sessionId, findings: findingsOf(client) };
}

async function restored(
  version: 1 | 2,
  sessionId: string,
  params: JsonObject,
  misbehave?: MisbehaviourName,
): Promise<readonly Finding[]> {
  const client = await meet(version, misbehave);
  const { method = 'session/resume', ...rest } = params;
  await client.ask(String(method), { sessionId, cwd: CWD, mcpServers: [], ...rest });
  await client.ask('session/list', {}); // what comes late has come by then
  await turn(client, sessionId, 'quick');
  await client.end();
  return findingsOf(client);
}

function grave(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ verdict, severity }) => verdict === 'fail' && isAtLeast(severity, 'warning'))
    .map(({ rule, seen, seqs }) => `${rule} ${seqs.join(' ')}: ${seen}`);
}

const LOAD = { method: 'session/load' };
const START = { replayFrom: { type: 'start' } };

test.each([
  [1, LOAD],
  [1, {}],
  [2, {}],
  [2, { replayFrom: null }],
  [2, START],
] as const)('well behaved, v%i: a session and its restore %j', async (version, params) => {
  const { sessionId, findings } = await lived(version);
  expect(grave(findings)).toEqual([]);
  expect(grave(await restored(version, sessionId, params))).toEqual([]);
});

test.each([
  ['replay-without-cursor', 'resume/no-replay-without-cursor', 1, {}],
  ['replay-without-cursor', 'resume/no-replay-without-cursor', 2, {}],
  ['replay-after-answer', 'replay/after-response', 1, LOAD],
  ['replay-after-answer', 'replay/after-response', 2, START],
  ['lossy-replay', 'replay/missing-history', 1, LOAD],
  ['lossy-replay', 'replay/missing-history-v2', 2, START],
  ['unstable-message-ids', 'replay/message-id-unstable', 2, START],
  ['missing-state-snapshot', 'resume/state-snapshot', 2, START],
  ['accepts-unknown-cursor', 'resume/cursor-unknown-reply', 2, { replayFrom: { type: '_no' } }],
  ['missing-baseline', 'replay/chunks-without-reset', 2, START],
] as const)('%s is found by %s in v%i', async (name, rule, version, params) => {
  const { sessionId } = await lived(version);
  const findings = await restored(version, sessionId, params, name);
  expect(findings.filter(({ verdict }) => verdict === 'fail').map((one) => one.rule)).toContain(
    rule,
  );
});

// What the tests here show, by version.
const FOUND_BY: Readonly<Record<MisbehaviourName, readonly string[]>> = {
  'replay-without-cursor': ['resume/no-replay-without-cursor'],
  'replay-after-answer': ['replay/after-response'],
  'lossy-replay': ['replay/missing-history', 'replay/missing-history-v2'],
  'unstable-message-ids': ['replay/message-id-unstable'],
  'missing-state-snapshot': ['resume/state-snapshot'],
  'accepts-unknown-cursor': ['resume/cursor-unknown-reply'],
  'exclusive-cursor': ['resume/cursor-inclusive'],
  'missing-baseline': ['replay/chunks-without-reset'],
  'forgets-context': [],
  'duplicate-answer': ['rpc/response-duplicate'],
  'never-answers': ['rpc/response-missing'],
  'stdout-noise': ['frame/not-json'],
  'split-utf8': [],
  'unannounced-child': ['setup/update-unknown-session'],
  'ungated-children': ['cap/gated-update'],
  'child-of-itself': ['child/ownership'],
  'listed-children': ['child/listed'],
  'hidden-child-cancel': ['child/cancel-confirm'],
  'unrenewed-children': ['child/reannounce'],
  'child-asks-in-replay': ['child/replay-request'],
  'unknown-link': ['content/session-unknown'],
  'early-replay-marker': ['replay/complete-order'],
  'missing-child-marker': ['replay/complete-missing'],
  'crash-mid-turn': ['rpc/response-missing', 'state/idle-missing'],
};

test.each(Object.entries(FOUND_BY))('docs/bundled-agent.md says what finds %s', (name, rules) => {
  const page = readFileSync(new URL('../../docs/bundled-agent.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
  const [, , , , found = ''] = row.split('|');
  const named = [...found.matchAll(/`([^`]+)`/g)].flatMap(([, id]) =>
    RULES.some((rule) => rule.id === id) ? [id] : [],
  );
  expect(named).toEqual(rules);
  if (rules.length === 0) expect(found).toContain('no rule: ');
});

test('exclusive-cursor is found by resume/cursor-inclusive', async () => {
  const client = await meet(2);
  const sessionId = await newSession(client);
  const { messageId = '' } = await client.call('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'quick' }],
  });
  await client.untilUpdate(({ state }) => state === 'idle');
  await client.end();
  findingsOf(client);
  const cursor = { replayFrom: { type: '_message', messageId } };
  expect(grave(await restored(2, sessionId, cursor))).toEqual([]);
  const findings = await restored(2, sessionId, cursor, 'exclusive-cursor');
  expect(findings.map(({ rule }) => rule)).toContain('resume/cursor-inclusive');
});

const CHILDREN: Started = { capabilities: { subagents: {} } };

test.each([1, 2] as const)(
  'well behaved, v%i: children, and their history in a restore',
  async (version) => {
    const client = await meet(version, undefined, version === 1 ? CHILDREN : {});
    const sessionId = await newSession(client);
    await turn(client, sessionId, 'delegate deep edit');
    await client.end();
    expect(grave(findingsOf(client))).toEqual([]);
    const again = await meet(version, undefined, version === 1 ? CHILDREN : {});
    const params = { sessionId, cwd: CWD, mcpServers: [], ...(version === 2 && START) };
    await again.ask(version === 1 ? 'session/load' : 'session/resume', params);
    await turn(again, sessionId, 'quick');
    await again.end();
    expect(grave(findingsOf(again))).toEqual([]);
  },
);

test.each([
  ['unannounced-child', 'setup/update-unknown-session', 1, CHILDREN],
  ['unannounced-child', 'setup/update-unknown-session', 2, {}],
  ['ungated-children', 'cap/gated-update', 1, {}],
] as const)('%s is found by %s in v%i', async (name, rule, version, more) => {
  const client = await meet(version, name, more);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'delegate it');
  await client.end();
  expect(findingsOf(client).map((one) => one.rule)).toContain(rule);
});

type Act = (client: AgentClient) => Promise<unknown>;
const announced = ({ sessionUpdate }: JsonObject) => sessionUpdate === 'subagent_update';
const childOf = (client: AgentClient) => String(client.updates().find(announced)?.['sessionId']);

async function delegated(client: AgentClient, how = 'it'): Promise<string> {
  const sessionId = await newSession(client);
  await turn(client, sessionId, `delegate ${how}`);
  return sessionId;
}

const FROM_START = { cwd: CWD, mcpServers: [], ...START };

const CHILD_FAULTS: readonly (readonly [MisbehaviourName, Started, Act])[] = [
  ['child-of-itself', {}, (client) => delegated(client)],
  ['unknown-link', {}, (client) => delegated(client)],
  [
    'listed-children',
    {},
    async (client) => {
      await delegated(client);
      await client.call('session/list', {});
    },
  ],
  [
    'hidden-child-cancel',
    { pace: 1 },
    async (client) => {
      await delegated(client, 'behind');
      const child = childOf(client);
      const from = client.now;
      await client.until(({ params }) => params?.['sessionId'] === child, from);
      client.notify('session/cancel', { sessionId: child });
      const at = client.now;
      await client.untilUpdate((update) => JSON.stringify(update).includes('end_turn'), at);
    },
  ],
  [
    'unrenewed-children',
    { pace: 0.2 },
    async (client) => {
      const sessionId = await delegated(client, 'behind');
      await client.call('session/resume', { sessionId, ...FROM_START });
      const from = client.now;
      const child = childOf(client);
      await client.until(({ params }) => params?.['sessionId'] === child, from);
    },
  ],
  ...(['child-asks-in-replay', 'early-replay-marker', 'missing-child-marker'] as const).map(
    (name): readonly [MisbehaviourName, Started, Act] => [
      name,
      {},
      async (client) => {
        const sessionId = await delegated(client);
        await client.call('session/resume', { sessionId, ...FROM_START });
      },
    ],
  ),
];

test.each(CHILD_FAULTS)('%s is found by what judges children', async (name, more, act) => {
  const client = await meet(2, name, more);
  await act(client);
  await client.end();
  // Nothing came between the cancel and the end: the work may have ended by itself.
  const verdict = name === 'hidden-child-cancel' ? 'undecidable' : 'fail';
  const found = findingsOf(client).filter((one) => one.verdict === verdict);
  expect(found.map(({ rule }) => rule)).toContain(FOUND_BY[name][0]);
});

test.each([1, 2] as const)('duplicate-answer is found in v%i', async (version) => {
  const client = await meet(version, 'duplicate-answer');
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'quick');
  await client.ask('session/list', {});
  await client.end();
  expect(findingsOf(client).map(({ rule }) => rule)).toContain('rpc/response-duplicate');
});

test.each([1, 2] as const)('never-answers is found in v%i', async (version) => {
  const client = await meet(version, 'never-answers');
  const sessionId = await newSession(client);
  client.send('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'quick' }] });
  await client.untilUpdate(({ sessionUpdate }) =>
    String(sessionUpdate).startsWith('agent_message'),
  );
  await client.ask('session/list', {});
  await client.end();
  const found = findingsOf(client).filter(({ rule }) => rule === 'rpc/response-missing');
  expect(found).toMatchObject([{ verdict: 'fail', method: 'session/prompt' }]);
});

test.each([1, 2] as const)('crash-mid-turn is found in v%i', async (version) => {
  const client = await meet(version, 'crash-mid-turn');
  const sessionId = await newSession(client);
  client.send('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Mend it' }] });
  await client.ended;
  const rules = findingsOf(client, 139)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ rule }) => rule);
  expect(rules).toContain(version === 1 ? 'rpc/response-missing' : 'state/idle-missing');
});

test.each([1, 2] as const)('stdout-noise is found in v%i', async (version) => {
  const client = await meet(version, 'stdout-noise');
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'quick');
  await client.end();
  // One fault, one finding, whether or not a line of a log is JSON.
  const failed = findingsOf(client).filter(
    ({ verdict, severity }) => verdict === 'fail' && isAtLeast(severity, 'warning'),
  );
  expect(new Set(failed.map(({ rule }) => rule))).toEqual(new Set(['frame/not-json']));
});

// Lines in pieces are allowed, and whoever joins bytes before decoding never notices. That an agent
// forgot what was said before shows in what it says, which no rule understands.
test.each(['split-utf8', 'forgets-context'] as const)('%s breaks no rule', async (name) => {
  const { sessionId } = await lived(2);
  expect(grave(await restored(2, sessionId, START, name))).toEqual([]);
});
