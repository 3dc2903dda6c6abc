// The bundled agent's turns in every way they can go, checked: well behaved, it gives no finding above
// hint. Frames are far apart, so that no race excuses anything.
import { expect, test } from 'vitest';
import type { MisbehaviourName } from '../../agent/misbehaviours.ts';
import type { AgentClient } from '../../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  meetAgent,
  newSession,
  textPrompt,
  turn,
} from '../../test/programs/bundled-agent.ts';
import { millis } from '../../lib/time.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { checkTrace } from '../check-trace.ts';
import { isAtLeast, type Finding } from '../finding.ts';

const APART = 300;

function traceOf({ crossed }: AgentClient, code: number): TraceEvent[] {
  const frames = crossed.map(({ from, line }, i): TraceEvent => {
    const stamp = { seq: seq(i + 2), at: millis((i + 1) * APART) };
    return { ...stamp, type: 'frame', from, line: { text: line }, origin: 'peer' };
  });
  const last = { seq: seq(crossed.length + 2), at: millis((crossed.length + 300) * APART) };
  return [
    { type: 'start', seq: seq(1), at: millis(0), argv: ['agent'], cwd: CWD },
    ...frames,
    { ...last, type: 'exit', code },
  ];
}

/** Ends the agent and checks all that crossed. */
async function findings(client: AgentClient, code = 0): Promise<readonly Finding[]> {
  await client.end();
  return checkTrace(traceOf(client, code), { passes: true }).findings;
}

const OURS = /^(prompt|state|message|usage|perm|cancel|close|delete|rpc)\//;

function grave(all: readonly Finding[]): string[] {
  return all
    .filter(({ rule, verdict }) => OURS.test(rule) && verdict !== 'pass')
    .filter(({ verdict, severity }) => verdict === 'undecidable' || isAtLeast(severity, 'warning'))
    .map(({ rule, verdict, seqs, seen }) => `${verdict} ${rule} ${seqs.join(' ')}: ${seen}`);
}

function kept(all: readonly Finding[]): string[] {
  return all.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule);
}

const VERSIONS = [1, 2] as const;
const CAPABILITIES = {
  1: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    elicitation: { form: {}, url: {} },
  },
  2: { elicitation: { form: {}, url: {} } },
} as const;

async function meet(version: 1 | 2, pace = 0, misbehave?: MisbehaviourName): Promise<AgentClient> {
  const capabilities = CAPABILITIES[version];
  return meetAgent(version, { pace, capabilities, ...(misbehave ? { misbehave } : {}) });
}

/** Something of a long message is there, so that a turn is in its middle. */
async function inTheMiddle(client: AgentClient): Promise<void> {
  await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
}

test.each(
  VERSIONS.flatMap((version) =>
    ['quick', 'run 20', 'mcp', 'reply with YES', 'help', '/help'].map(
      (word) => [version, word] as const,
    ),
  ),
)('v%i: %s', async (version, word) => {
  const client = await meet(version);
  const sessionId = await newSession(client);
  await turn(client, sessionId, word);
  await turn(client, sessionId, 'what did I ask first?');
  const all = await findings(client);
  expect(grave(all)).toEqual([]);
  expect(kept(all)).toContain(version === 1 ? 'prompt/update-after-turn' : 'prompt/echo-missing');
});

test.each(
  VERSIONS.flatMap((version) =>
    ['allow-once', 'allow-always', 'reject-once', 'reject-always', 'cancelled'].map(
      (option) => [version, option] as const,
    ),
  ),
)('v%i: a tool call, %s', async (version, option) => {
  const client = await meet(version);
  client.answering =
    option === 'cancelled' ? () => ({ outcome: { outcome: 'cancelled' } }) : choosing(option);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'Mend it');
  await turn(client, sessionId, 'Mend it');
  const all = await findings(client);
  // In v1 only a client that cancelled the turn may answer so.
  const wrong = version === 1 && option === 'cancelled' ? ['perm/cancelled-alone'] : [];
  expect(grave(all).map((words) => words.split(' ')[1])).toEqual(wrong);
  expect(kept(all)).toContain('perm/options');
});

test.each(VERSIONS)('v%i: a form, answered in each way', async (version) => {
  const client = await meet(version);
  const sessionId = await newSession(client);
  for (const answer of [{ action: 'decline' }, { action: 'cancel' }]) {
    client.answering = () => answer;
    await turn(client, sessionId, 'ask');
  }
  expect(grave(await findings(client))).toEqual([]);
});

test.each(VERSIONS)('v%i: a cancel in mid-turn, and a turn after it', async (version) => {
  const client = await meet(version, 1);
  const sessionId = await newSession(client);
  const prompt = client.send('session/prompt', textPrompt(sessionId, 'slow'));
  await inTheMiddle(client);
  client.notify('session/cancel', { sessionId });
  await client.answer(prompt);
  if (version === 2) await client.untilUpdate(({ state }) => state === 'idle');
  await turn(client, sessionId, 'quick');
  const all = await findings(client);
  expect(grave(all)).toEqual([]);
  expect(kept(all)).toContain(version === 1 ? 'cancel/prompt-result' : 'cancel/idle');
});

test.each(VERSIONS)('v%i: a cancel while a permission is asked', async (version) => {
  const client = await meet(version);
  const sessionId = await newSession(client);
  const prompt = client.send('session/prompt', textPrompt(sessionId, 'Mend it'));
  const { id } = await client.until(({ method }) => method === 'session/request_permission');
  client.notify('session/cancel', { sessionId });
  client.reply(id, { outcome: { outcome: 'cancelled' } });
  await client.answer(prompt);
  if (version === 2) await client.untilUpdate(({ state }) => state === 'idle');
  await turn(client, sessionId, 'quick');
  expect(grave(await findings(client))).toEqual([]);
});

test.each(VERSIONS)('v%i: the prompt’s request is cancelled', async (version) => {
  const client = await meet(version, 1);
  const sessionId = await newSession(client);
  const prompt = client.send('session/prompt', textPrompt(sessionId, 'slow'));
  await inTheMiddle(client);
  client.notify('$/cancel_request', { requestId: prompt });
  client.notify('session/cancel', { sessionId });
  await client.answer(prompt);
  if (version === 2) await client.untilUpdate(({ state }) => state === 'idle');
  // In v2 the prompt is answered by then, which is worth a hint at most.
  expect(grave(await findings(client))).toEqual([]);
});

test.each(VERSIONS)('v%i: closed while it runs, deleted, listed', async (version) => {
  const client = await meet(version, 1);
  const sessionId = await newSession(client);
  client.send('session/prompt', textPrompt(sessionId, 'slow'));
  await inTheMiddle(client);
  await client.call('session/close', { sessionId });
  await client.call('session/close', { sessionId });
  await client.call('session/delete', { sessionId });
  await client.call('session/delete', { sessionId });
  await client.call('session/list', {});
  const all = await findings(client);
  expect(grave(all)).toEqual([]);
  expect(kept(all)).toEqual(
    expect.arrayContaining(['close/cancel-first', 'delete/still-listed', 'delete/idempotent']),
  );
});

test.each(VERSIONS)('v%i: closed while a permission is asked', async (version) => {
  const client = await meet(version);
  const sessionId = await newSession(client);
  client.send('session/prompt', textPrompt(sessionId, 'Mend it'));
  const { id } = await client.until(({ method }) => method === 'session/request_permission');
  const close = client.send('session/close', { sessionId });
  client.reply(id, { outcome: { outcome: 'cancelled' } });
  await client.answer(close);
  expect(grave(await findings(client))).toEqual([]);
});

test('v2: prompts that wait, and prompts that a cancel refuses', async () => {
  const client = await meet(2, 1);
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'slow'));
  await inTheMiddle(client);
  const held = ['quick', 'quick'].map((text) =>
    client.send('session/prompt', textPrompt(sessionId, text)),
  );
  client.notify('session/cancel', { sessionId });
  for (const id of held) await client.answer(id);
  await client.untilUpdate(({ stopReason }) => stopReason === 'cancelled');
  const sent = ['reply with A', 'reply with B', 'reply with C'].map((text) =>
    client.send('session/prompt', textPrompt(sessionId, text)),
  );
  for (const id of sent) await client.answer(id);
  await client.until(() => client.updates().filter(({ state }) => state === 'idle').length === 4);
  const all = await findings(client);
  expect(grave(all)).toEqual([]);
  expect(kept(all)).toContain('cancel/held-prompt');
});

test('v1: two prompts at once are the client’s fault', async () => {
  const client = await meet(1, 1);
  const sessionId = await newSession(client);
  const first = client.send('session/prompt', textPrompt(sessionId, 'run 5'));
  const second = client.send('session/prompt', textPrompt(sessionId, 'quick'));
  await client.answer(first);
  await client.answer(second);
  const all = await findings(client);
  expect(grave(all)).toEqual([expect.stringMatching(/^fail prompt\/overlap /)]);
});

test.each(VERSIONS)('v%i: crash-mid-turn shows', async (version) => {
  const client = await meet(version, 0, 'crash-mid-turn');
  client.answering = choosing('allow-once');
  const sessionId = await newSession(client);
  client.send('session/prompt', textPrompt(sessionId, 'Mend it'));
  await client.ended;
  expect((await findings(client, 139)).filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    { rule: version === 1 ? 'rpc/response-missing' : 'state/idle-missing' },
  ]);
});

test.each(VERSIONS)('v%i: never-answers shows', async (version) => {
  const client = await meet(version, 0, 'never-answers');
  const sessionId = await newSession(client);
  client.send('session/prompt', textPrompt(sessionId, 'quick'));
  await inTheMiddle(client);
  if (version === 2) await client.untilUpdate(({ state }) => state === 'idle');
  await client.call('session/list', {});
  expect(grave(await findings(client))).toEqual([
    expect.stringContaining('fail rpc/response-missing '),
  ]);
});

test.each(VERSIONS)('v%i: duplicate-answer shows', async (version) => {
  const client = await meet(version, 0, 'duplicate-answer');
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'quick');
  await client.call('session/list', {});
  expect(grave(await findings(client))).toEqual([
    expect.stringContaining('fail rpc/response-duplicate '),
  ]);
});
