import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../acp/message.ts';
import type { AgentClient } from '../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  saidBy,
  textPrompt,
  turn,
} from '../test/programs/bundled-agent.ts';
import { foldUpdates } from '../test/traces/fold-updates.ts';

let store: string;
beforeEach(() => {
  store = freshStore();
});

/** A session with two turns, made by an agent that has ended since. */
async function past(version: 1 | 2): Promise<{ sessionId: string; live: JsonObject[] }> {
  const client = await meetAgent(version, { store });
  client.answering = choosing('allow-once');
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'Mend it');
  await turn(client, sessionId, 'quick');
  await client.end();
  return { sessionId, live: client.updates() };
}

const RESTORE = { 1: 'session/load', 2: 'session/resume' } as const;

/** What a restore sends before its answer. */
async function replayed(
  client: AgentClient,
  method: string,
  sessionId: string,
  more: JsonObject = { replayFrom: { type: 'start' } },
): Promise<JsonObject[]> {
  const from = client.now;
  await client.call(method, { sessionId, cwd: CWD, mcpServers: [], ...more });
  return client.updates(from);
}

const isHistory = ({ sessionUpdate }: JsonObject) =>
  /message|thought|tool_call|terminal|plan/.test(String(sessionUpdate));

test.each([1, 2] as const)(
  'v%i: after a restart the replay builds what was live: the same ids, texts and order',
  async (version) => {
    const { sessionId, live } = await past(version);
    const client = await meetAgent(version, { store });
    const shown = foldUpdates(await replayed(client, RESTORE[version], sessionId));
    // In v1 a client has its own prompts, so they are not among the updates of the live session.
    const theirs = Object.entries(shown).filter(([key]) => version === 2 || !/^user/.test(key));
    expect(theirs).toEqual(Object.entries(foldUpdates(live)));
    expect(Object.keys(shown).filter((key) => key.startsWith('user'))).toHaveLength(2);
  },
);

test('v2: a replayed prompt has the id that its answer gave', async () => {
  const first = await meetAgent(2, { store });
  const sessionId = await newSession(first);
  const { messageId } = await first.call('session/prompt', textPrompt(sessionId, 'quick'));
  await first.untilUpdate(({ state }) => state === 'idle');
  await first.end();
  const again = await meetAgent(2, { store });
  const [prompt] = await replayed(again, 'session/resume', sessionId);
  expect(prompt).toMatchObject({ sessionUpdate: 'user_message', messageId });
});

test.each([
  [1, 2],
  [2, 1],
] as const)('a session made in v%i is restored in v%i', async (made, restored) => {
  const { sessionId } = await past(made);
  const client = await meetAgent(restored, { store });
  const updates = await replayed(client, RESTORE[restored], sessionId);
  expect(saidBy('user', updates)).toBe('Mend itquick');
  const from = await turn(client, sessionId, 'What did I ask first?');
  expect(saidBy('agent', client.updates(from))).toContain('“Mend it”');
});

test.each([1, 2] as const)(
  'v%i: two replays in two processes are the same, frame by frame',
  async (version) => {
    const { sessionId } = await past(version);
    const runs: JsonObject[][] = [];
    for (let run = 0; run < 2; run++) {
      const client = await meetAgent(version, { store });
      runs.push(await replayed(client, RESTORE[version], sessionId));
      await client.end();
    }
    expect(runs[1]).toEqual(runs[0]);
  },
);

test.each([
  [1, 'session/resume', {}],
  [1, 'session/resume', { replayFrom: { type: 'start' } }],
  [2, 'session/resume', {}],
  [2, 'session/resume', { replayFrom: null }],
] as const)(
  'v%i: %s with %j sends no history, and knows it still',
  async (version, method, more) => {
    const { sessionId } = await past(version);
    const client = await meetAgent(version, { store });
    const updates = await replayed(client, method, sessionId, more);
    expect(updates.filter(isHistory)).toEqual([]);
    const from = await turn(client, sessionId, 'What did I ask first?');
    expect(saidBy('agent', client.updates(from))).toContain('“Mend it”');
  },
);

test.each([
  [1, 'session/load'],
  [1, 'session/resume'],
  [2, 'session/resume'],
] as const)(
  'v%i: a prompt sent right behind %s begins its turn after the answer, on a slow wire too',
  async (version, method) => {
    const { sessionId } = await past(version);
    const client = await meetAgent(version, { store, misbehave: 'split-utf8' });
    const params = { sessionId, cwd: CWD, mcpServers: [], replayFrom: { type: 'start' } };
    const restore = client.send(method, params);
    const prompt = client.send('session/prompt', textPrompt(sessionId, 'What did I ask first?'));
    await client.answer(restore);
    expect(saidBy('agent', client.updates())).not.toContain('“Mend it”');
    expect(client.updates()).not.toContainEqual(expect.objectContaining({ state: 'running' }));
    expect((await client.answer(prompt)).error).toBeUndefined();
    if (version === 2) await client.untilUpdate(({ state }) => state === 'running');
  },
);

test.each([{}, { replayFrom: null }, { replayFrom: { type: 'start' } }])(
  'v2: a resume with %j ends with a state_update, then the answer',
  async (more) => {
    const { sessionId } = await past(2);
    const client = await meetAgent(2, { store });
    const updates = await replayed(client, 'session/resume', sessionId, more);
    expect(updates.at(-1)).toEqual({ sessionUpdate: 'state_update', state: 'idle' });
    expect(client.heard().at(-1)?.result).toMatchObject({ availableCommands: expect.any(Array) });
  },
);

test('v2: a message cursor replays from that message on, and with it', async () => {
  const { sessionId } = await past(2);
  const client = await meetAgent(2, { store });
  const all = await replayed(client, 'session/resume', sessionId);
  const messages = all.filter(({ messageId }) => messageId !== undefined);
  for (const { messageId } of messages) {
    const replayFrom = { type: '_message', messageId: messageId ?? '' };
    const some = await replayed(client, 'session/resume', sessionId, { replayFrom });
    expect(some).toEqual(all.slice(all.findIndex((update) => update['messageId'] === messageId)));
  }
});

test.each([
  [{ type: 'message', messageId: 'm' }, 'must be "start" or "_message"; it is "message"'],
  [{ type: 'START' }, 'it is "START"'],
  [{ type: '_message' }, 'needs a "messageId"'],
  [{ type: '_message', messageId: 5 }, 'needs a "messageId"'],
  [{ type: '_message', messageId: 'msg_0' }, 'names no message'],
  ['start', 'must be an object or null; it is "start"'],
  [[], 'must be an object or null; it is []'],
  [{}, 'it is none'],
  [{ type: 5 }, 'it is 5'],
  [true, 'it is true'],
])(
  'v2: the cursor %j is refused in words, and the session stays as it was',
  async (cursor, words) => {
    const { sessionId } = await past(2);
    const client = await meetAgent(2, { store });
    const params = { sessionId, cwd: CWD, replayFrom: cursor };
    const { error } = await client.ask('session/resume', params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(words);
    expect(client.updates()).toEqual([]);
    const prompt = await client.ask('session/prompt', textPrompt(sessionId, 'quick'));
    expect(prompt.error).toMatchObject({ code: -32002, data: { sessionId } });
  },
);

test.each([
  [1, 'session/load'],
  [1, 'session/resume'],
  [2, 'session/resume'],
] as const)('v%i: %s refuses what is not there, or belongs elsewhere', async (version, method) => {
  const { sessionId } = await past(version);
  const client = await meetAgent(version, { store });
  const ask = (params: object) => client.ask(method, { mcpServers: [], ...params });
  const hostile = ['sess_0000000000000000', '../../etc/passwd', '', 'signed-in', '.'];
  for (const id of hostile)
    expect((await ask({ sessionId: id, cwd: CWD })).error).toMatchObject({
      code: -32002,
      data: { sessionId: id },
    });
  const other = (await ask({ sessionId, cwd: '/elsewhere' })).error;
  expect(other).toMatchObject({ code: -32602, data: { cwd: CWD } });
  expect(other?.message).toContain(`belongs to ${CWD}, not to /elsewhere`);
  expect((await ask({ sessionId, cwd: '.' })).error).toMatchObject({ code: -32602 });
  expect((await ask({ sessionId, cwd: `${CWD}/` })).result).toBeDefined();
});

test('a turn cut off by a crash comes back ended, and the session goes on', async () => {
  const first = await meetAgent(2, { store, pace: 1 });
  first.answering = choosing('allow-once');
  const sessionId = await newSession(first);
  await first.call('session/prompt', textPrompt(sessionId, 'Mend it'));
  await first.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'terminal_output_chunk');
  const file = join(store, `${sessionId}.jsonl`);
  const cut = readFileSync(file, 'utf8'); // as the disk was when the power went
  await first.end();
  writeFileSync(file, `${cut}{"change":"say","id":"msg_`);

  const again = await meetAgent(2, { store });
  const shown = foldUpdates(await replayed(again, 'session/resume', sessionId));
  const states = Object.values(shown).flatMap(({ status, exitStatus }) => [status, exitStatus]);
  expect(states).toContain('cancelled');
  expect(states).toContainEqual({ signal: 'SIGTERM' });
  expect(states).not.toContain('in_progress');
  const from = await turn(again, sessionId, 'quick');
  expect(saidBy('agent', again.updates(from))).toContain('short answer');
  await again.end();

  const third = await meetAgent(2, { store });
  const later = foldUpdates(await replayed(third, 'session/resume', sessionId));
  expect(Object.entries(later).slice(0, Object.keys(shown).length)).toEqual(Object.entries(shown));
});

test('v2: a session is resumed while its turn runs, and the turn goes on', async () => {
  const client = await meetAgent(2, { store });
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'Mend it'));
  await client.until(({ method }) => method === 'session/request_permission');
  const updates = await replayed(client, 'session/resume', sessionId);
  expect(updates.at(-1)).toMatchObject({ state: 'requires_action' });
  const { id } = await client.until(({ method }) => method === 'session/request_permission');
  client.reply(id, choosing('reject-once')());
  await client.untilUpdate(({ state }) => state === 'idle');
});

test('a prompt right behind its restore finds the session', async () => {
  const { sessionId } = await past(2);
  const client = await meetAgent(2, { store });
  client.send('session/resume', { sessionId, cwd: CWD });
  const answer = await client.ask('session/prompt', textPrompt(sessionId, 'quick'));
  expect(answer.result).toBeDefined();
});
