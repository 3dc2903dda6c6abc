// Each fault of child sessions does its one thing.
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import { at, type AgentClient } from '../../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  textPrompt,
  turn,
} from '../../test/programs/bundled-agent.ts';
import type { MisbehaviourName } from '../misbehaviours.ts';

let store: string;
beforeEach(() => {
  store = freshStore();
});

async function meet(misbehave: MisbehaviourName, pace = 0): Promise<AgentClient> {
  const client = await meetAgent(2, { store, misbehave, pace });
  client.answering = choosing('allow-once');
  return client;
}

/** A session in which a child did its work. */
async function delegated(client: AgentClient, how = 'it'): Promise<string> {
  const sessionId = await newSession(client);
  await turn(client, sessionId, `delegate ${how}`);
  return sessionId;
}

async function restored(client: AgentClient, sessionId: string): Promise<number> {
  const from = client.now;
  const params = { sessionId, cwd: CWD, mcpServers: [], replayFrom: { type: 'start' } };
  await client.call('session/resume', params);
  return from;
}

const announced = ({ sessionUpdate }: JsonObject) => sessionUpdate === 'subagent_update';
const childOf = (client: AgentClient) => String(client.updates().find(announced)?.['sessionId']);
const marks = (client: AgentClient, from: number) =>
  client
    .heard(from)
    .filter(({ params }) => at(params, 'update', 'sessionUpdate') === 'replay_complete');

test('child-of-itself', async () => {
  const client = await meet('child-of-itself');
  await delegated(client);
  const child = childOf(client);
  const own = client.heard().filter(({ params }) => {
    const { sessionId, update } = params ?? {};
    return sessionId === child && at(update, 'sessionId') === child;
  });
  expect(own).toHaveLength(1);
});

test('listed-children', async () => {
  const client = await meet('listed-children');
  const sessionId = await delegated(client);
  const { sessions } = await client.call('session/list', {});
  const ids = (sessions as JsonObject[]).map((one) => one['sessionId']);
  expect(ids).toEqual([sessionId, childOf(client)]);
});

test('hidden-child-cancel', async () => {
  const client = await meet('hidden-child-cancel', 1);
  const sessionId = await delegated(client, 'behind');
  client.notify('session/cancel', { sessionId: childOf(client) });
  const { params } = await client.until(
    (one) => at(one.params, 'update', 'state', 'state') === 'idle',
  );
  expect(params).toMatchObject({ sessionId, update: { state: { stopReason: 'end_turn' } } });
});

test('unrenewed-children', async () => {
  const client = await meet('unrenewed-children', 0.2);
  const sessionId = await delegated(client, 'behind');
  const child = childOf(client);
  await restored(client, sessionId);
  const after = client.now;
  await client.until(({ params }) => params?.['sessionId'] === child, after);
  expect(client.updates(after).filter(announced)).toEqual([]);
});

test('child-asks-in-replay', async () => {
  const client = await meet('child-asks-in-replay');
  const sessionId = await delegated(client);
  const from = await restored(client, sessionId);
  const asked = client.heard(from).filter(({ method }) => method === 'session/request_permission');
  expect(asked.map(({ params }) => params?.['sessionId'])).toEqual([childOf(client)]);
});

test('unknown-link', async () => {
  const client = await meet('unknown-link');
  await delegated(client);
  const text = JSON.stringify(client.updates());
  expect(text).toContain('{"type":"session","sessionId":"sess_nowhere"}');
});

test('early-replay-marker', async () => {
  const client = await meet('early-replay-marker');
  const sessionId = await delegated(client);
  const from = await restored(client, sessionId);
  expect(client.updates(from)[0]).toMatchObject({ sessionUpdate: 'replay_complete' });
});

test('missing-child-marker', async () => {
  const client = await meet('missing-child-marker');
  const sessionId = await delegated(client);
  const from = await restored(client, sessionId);
  expect(marks(client, from).map(({ params }) => params?.['sessionId'])).toEqual([sessionId]);
});

test('unannounced-child', async () => {
  const client = await meet('unannounced-child');
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'delegate it'));
  const { params } = await client.until(
    (one) => (one.params?.['sessionId'] ?? sessionId) !== sessionId,
  );
  expect(client.updates().filter(announced)).toEqual([]);
  expect(params?.['sessionId']).not.toBe(sessionId);
});
