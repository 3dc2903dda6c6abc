// The bundled agent through a whole life of a session: nothing of it breaks a rule of sessions,
// restores, replays and lists, and each of its misbehaviours in a restore is found where it is due.
import { beforeEach, expect, test } from 'vitest';
import type { MisbehaviourName } from '../../agent/misbehaviours.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
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
import { seq, type TraceEvent } from '../../trace/event.ts';
import { checkTrace } from '../check-trace.ts';
import { isAtLeast, type Finding } from '../finding.ts';
import { World } from '../connection.ts';

const OURS = /^(setup|resume|replay|load|list)\//;
let store: string;
let world: World;
/** Connections checked in it so far. */
let checked = 0;
beforeEach(() => {
  store = freshStore();
  world = new World();
  checked = 0;
});

async function meet(version: 1 | 2, misbehave?: MisbehaviourName): Promise<AgentClient> {
  const client = await meetAgent(version, { store, ...(misbehave ? { misbehave } : {}) });
  client.answering = choosing('allow-once');
  return client;
}

/** What fails of our families on this connection, in the world of those before it. */
async function ended(client: AgentClient): Promise<readonly Finding[]> {
  await client.end();
  const events = client.crossed.map(({ from, line }, i): TraceEvent => ({
    type: 'frame',
    seq: seq(i + 1),
    at: millis(i),
    from,
    line: { text: line },
    origin: 'peer',
  }));
  const name = `c${++checked}`;
  const { findings } = checkTrace(events, { world, name });
  return findings.filter(({ rule, verdict }) => OURS.test(rule) && verdict === 'fail');
}

function grave(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ severity }) => isAtLeast(severity, 'warning'))
    .map(({ rule, seen, seqs }) => `${rule} ${seqs.join(' ')}: ${seen}`);
}

const ASKED = (sessionId: string, more: JsonObject) => {
  return { sessionId, cwd: CWD, mcpServers: [], ...more };
};

/** Lives, is restarted, listed, restored in one way, prompted again, closed, forked and deleted. */
async function life(version: 1 | 2, restore: JsonObject): Promise<readonly string[]> {
  const { method = 'session/resume', ...params } = restore;
  const first = await meet(version);
  const sessionId = await newSession(first);
  await turn(first, sessionId, 'Mend it');
  await turn(first, sessionId, 'quick');
  const said = grave(await ended(first));

  const second = await meet(version);
  await second.call('session/list', {});
  await second.call('session/list', { cwd: CWD });
  await second.ask(String(method), ASKED(sessionId, params));
  await second.ask('session/list', {});
  // A refused cursor leaves the session as it was: not open.
  const bad = params['replayFrom'] !== undefined && isRefused(params['replayFrom']);
  if (bad) await second.call('session/resume', ASKED(sessionId, {}));
  await turn(second, sessionId, 'quick');
  await second.call('session/close', { sessionId });
  await second.call('session/resume', ASKED(sessionId, {}));
  await second.ask('session/fork', ASKED(sessionId, {}));
  await second.call('session/delete', { sessionId });
  await second.ask('session/resume', ASKED(sessionId, {}));
  await second.call('session/list', {});
  const findings = await ended(second);
  // A cursor that nobody knows is the client's fault.
  const kept = findings.filter(({ rule }) => !(bad && rule === 'resume/cursor-unknown'));
  return [...said, ...grave(kept)];
}

function isRefused(cursor: Json): boolean {
  return cursor !== null && (cursor as { readonly type?: unknown }).type !== 'start';
}

test.each([{ method: 'session/load' }, {}])('v1: a life with a restore %j', async (restore) => {
  expect(await life(1, restore)).toEqual([]);
});

test.each([
  {},
  { replayFrom: null },
  { replayFrom: { type: 'start' } },
  { replayFrom: { type: 'checkpoint', id: 'x' } },
  { replayFrom: { type: '_message', messageId: 'nowhere' } },
  { replayFrom: {} },
  { replayFrom: 'start' },
  { replayFrom: [] },
])('v2: a life with a restore %j', async (restore) => {
  expect(await life(2, restore)).toEqual([]);
});

/** Rules that fail, of a session of two turns restored by an agent that misbehaves. */
async function faults(
  misbehave: MisbehaviourName,
  version: 1 | 2,
  restore: JsonObject,
): Promise<readonly string[]> {
  const { method = 'session/resume', ...params } = restore;
  const first = await meet(version);
  const sessionId = await newSession(first);
  await turn(first, sessionId, 'Mend it');
  await turn(first, sessionId, 'quick');
  await ended(first);
  const second = await meet(version, misbehave);
  await second.ask(String(method), ASKED(sessionId, params));
  await second.ask('session/list', {});
  const findings = await ended(second);
  return findings
    .filter(({ severity }) => severity !== 'hint')
    .map(({ rule, severity }) => `${rule} ${severity}`);
}

const LOAD = { method: 'session/load' };
const START = { replayFrom: { type: 'start' } };

test.each([
  ['replay-without-cursor', 1, {}, ['resume/no-replay-without-cursor error']],
  ['replay-without-cursor', 2, {}, ['resume/no-replay-without-cursor error']],
  ['unstable-message-ids', 2, START, ['replay/message-id-unstable error']],
  ['missing-state-snapshot', 2, START, ['resume/state-snapshot error']],
  ['missing-baseline', 2, START, ['replay/chunks-without-reset error']],
  ['lossy-replay', 1, LOAD, ['replay/missing-history error']],
  ['replay-after-answer', 1, LOAD, ['replay/after-response error']],
  ['replay-after-answer', 2, START, ['replay/after-response error']],
  [
    'accepts-unknown-cursor',
    2,
    { replayFrom: {} },
    ['resume/cursor-unknown error', 'resume/cursor-unknown-reply error'],
  ],
  [
    'accepts-unknown-cursor',
    2,
    { replayFrom: { type: '_no' } },
    ['resume/cursor-unknown-reply warning'],
  ],
] as const)('%s in v%i is found as what it is', async (name, version, restore, rules) => {
  expect(await faults(name, version, restore)).toEqual(rules);
});
