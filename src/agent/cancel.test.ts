import { expect, test } from 'vitest';
import {
  choosing,
  meetAgent,
  newSession,
  saidBy,
  textPrompt,
  turn,
} from '../test/programs/bundled-agent.ts';

test('v1: a cancelled turn ends in an answer with “cancelled”, after its last updates', async () => {
  const client = await meetAgent(1, { pace: 1 });
  const sessionId = await newSession(client);
  const prompt = client.send('session/prompt', textPrompt(sessionId, 'slow'));
  await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  client.notify('session/cancel', { sessionId });
  expect((await client.answer(prompt)).result).toEqual({ stopReason: 'cancelled' });
  expect(client.heard().at(-1)?.id).toBe(prompt);
});

test('v2: a cancelled turn ends idle with “cancelled”, and its prompt was answered long before', async () => {
  const client = await meetAgent(2, { pace: 1 });
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'slow'));
  await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  client.notify('session/cancel', { sessionId });
  expect(await client.untilUpdate(({ state }) => state === 'idle')).toMatchObject({
    stopReason: 'cancelled',
  });
});

test.each([1, 2] as const)(
  'v%i: a cancel takes the permission request back and leaves no tool call open',
  async (version) => {
    const client = await meetAgent(version);
    const sessionId = await newSession(client);
    client.send('session/prompt', textPrompt(sessionId, 'Mend it'));
    const { id } = await client.until(({ method }) => method === 'session/request_permission');
    client.notify('session/cancel', { sessionId });
    const back = await client.until(({ method }) => method === '$/cancel_request');
    expect(back.params).toEqual({ requestId: id });
    client.reply(id, { outcome: { outcome: 'cancelled' } });
    const status = version === 1 ? 'failed' : 'cancelled';
    await client.untilUpdate((update) => update['status'] === status);
    if (version === 2) await client.untilUpdate(({ state }) => state === 'idle');
    const from = await turn(client, sessionId, 'quick');
    expect(saidBy('agent', client.updates(from))).toContain('short answer');
  },
);

test('v2: prompts that wait are held in order, and refused with -32800 by a cancel', async () => {
  const client = await meetAgent(2, { pace: 1 });
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'slow'));
  const held = ['quick', 'quick'].map((text) =>
    client.send('session/prompt', textPrompt(sessionId, text)),
  );
  client.notify('session/cancel', { sessionId });
  for (const id of held) expect((await client.answer(id)).error).toMatchObject({ code: -32800 });
  await client.untilUpdate(({ stopReason }) => stopReason === 'cancelled');
});

test('v2: held prompts get different ids, and are inserted in the order sent', async () => {
  const client = await meetAgent(2);
  const sessionId = await newSession(client);
  const sent = ['reply with A', 'reply with B', 'reply with C'].map((text) =>
    client.send('session/prompt', textPrompt(sessionId, text)),
  );
  const ids: unknown[] = [];
  for (const id of sent) ids.push((await client.answer(id)).result?.['messageId']);
  await client.until(() => client.updates().filter(({ state }) => state === 'idle').length === 3);
  const users = client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'user_message');
  expect(users.map(({ messageId }) => messageId)).toEqual(ids);
  expect(new Set(ids).size).toBe(3);
  expect(saidBy('agent', client.updates())).toBe('ABC');
});

test.each([1, 2] as const)('v%i: a cancel right behind its prompt is not lost', async (version) => {
  const client = await meetAgent(version, { pace: 1 });
  const sessionId = await newSession(client);
  const prompt = client.send('session/prompt', textPrompt(sessionId, 'slow'));
  client.notify('session/cancel', { sessionId });
  const { result } = await client.answer(prompt);
  if (version === 1) expect(result).toEqual({ stopReason: 'cancelled' });
  else
    expect(await client.untilUpdate(({ state }) => state === 'idle')).toMatchObject({
      stopReason: 'cancelled',
    });
});

test.each([1, 2] as const)('v%i: a cancel of nothing is heard in silence', async (version) => {
  const client = await meetAgent(version);
  const sessionId = await newSession(client);
  client.notify('session/cancel', { sessionId });
  client.notify('session/cancel', { sessionId: 'sess_none' });
  await turn(client, sessionId, 'quick');
  expect(client.heard().filter(({ error }) => error)).toEqual([]);
});

test.each([
  ['tool_call/cancel', 'toolCallId'],
  ['terminal/cancel', 'terminalId'],
])('v2: %s stops the tests and leaves the turn alone', async (method, key) => {
  const client = await meetAgent(2, { pace: 1 });
  client.answering = choosing('allow-once');
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'Mend it'));
  const running = await client.untilUpdate(
    (update) => update[key] !== undefined && update['capabilities'] !== undefined,
  );
  await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'terminal_output_chunk');
  const params = { sessionId, [key]: running[key] };
  expect((await client.ask(method, params)).result).toEqual({});
  await client.untilUpdate(({ exitStatus }) => exitStatus !== undefined);
  const end = await client.untilUpdate(({ state }) => state === 'idle');
  expect(end).toMatchObject({ stopReason: 'end_turn' });
  expect(client.updates()).toContainEqual(expect.objectContaining({ status: 'cancelled' }));
  expect((await client.ask(method, params)).error).toMatchObject({ code: -32602 });
});

test('v2: a close ends the turn first, and nothing comes after its answer', async () => {
  const client = await meetAgent(2, { pace: 1 });
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'slow'));
  const held = client.send('session/prompt', textPrompt(sessionId, 'quick'));
  await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  await client.call('session/close', { sessionId });
  expect(client.heard().at(-2)?.params).toMatchObject({
    update: { state: 'idle', stopReason: 'cancelled' },
  });
  expect((await client.answer(held)).error).toMatchObject({ code: -32800 });
  const after = await client.ask('session/prompt', textPrompt(sessionId, 'quick'));
  expect(after.error).toMatchObject({ code: -32002, data: { sessionId } });
});

test('v1: a close answers the running prompt before itself', async () => {
  const client = await meetAgent(1, { pace: 1 });
  const sessionId = await newSession(client);
  const prompt = client.send('session/prompt', textPrompt(sessionId, 'slow'));
  await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  const close = client.send('session/close', { sessionId });
  await client.answer(close);
  const answers = client.heard().flatMap(({ id, method }) => (method ? [] : [id]));
  expect(answers.slice(-2)).toEqual([prompt, close]);
});
