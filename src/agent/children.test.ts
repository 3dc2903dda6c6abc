// Child sessions of the bundled agent, as a client sees them.
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../acp/message.ts';
import { at, type AgentClient } from '../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  textPrompt,
  turn,
  type Started,
} from '../test/programs/bundled-agent.ts';

let store: string;
beforeEach(() => {
  store = freshStore();
});

async function meet(version: 1 | 2, more: Started = {}): Promise<AgentClient> {
  const capabilities = version === 1 ? { subagents: {} } : {};
  const client = await meetAgent(version, { store, capabilities, ...more });
  client.answering = choosing('allow-once');
  return client;
}

/** What was told: whose session, and what. */
function told(client: AgentClient, from = 0): { of: string; update: JsonObject }[] {
  return client.heard(from).flatMap(({ method, params }) => {
    if (method !== 'session/update') return [];
    return [{ of: String(params?.['sessionId']), update: params?.['update'] as JsonObject }];
  });
}

const named = (client: AgentClient, variant: string, from = 0) =>
  told(client, from).filter(({ update }) => update['sessionUpdate'] === variant);

function childrenOf(client: AgentClient, from = 0): string[] {
  const ids = named(client, 'subagent_update', from).map(({ update }) =>
    String(update['sessionId']),
  );
  return [...new Set(ids)];
}

/** States of a child, as its parent and as it itself tells them. */
function states(client: AgentClient, child: string, from = 0) {
  const state = (value: unknown) => {
    const { state: name, stopReason } = value as { state: string; stopReason?: string };
    return stopReason === undefined ? name : `${name} ${stopReason}`;
  };
  return {
    parent: named(client, 'subagent_update', from).flatMap(({ update }) =>
      update['sessionId'] === child && update['state'] ? [state(update['state'])] : [],
    ),
    own: named(client, 'state_update', from).flatMap(({ of, update }) =>
      of === child ? [state(update)] : [],
    ),
  };
}

test.each([1, 2] as const)(
  'v%i: a child is announced before it speaks, and ends',
  async (version) => {
    const client = await meet(version);
    const sessionId = await newSession(client);
    await turn(client, sessionId, 'delegate it');
    const [child = '', ...more] = childrenOf(client);
    expect(more).toEqual([]);
    const first = told(client).findIndex(
      ({ of, update }) => of === child || update['sessionId'] === child,
    );
    expect(told(client)[first]).toMatchObject({
      of: sessionId,
      update: { sessionUpdate: 'subagent_update', capabilities: { cancel: {} } },
    });
    expect(states(client, child)).toEqual({
      parent: ['running', 'idle end_turn'],
      own: version === 1 ? [] : ['running', 'idle end_turn'],
    });
    expect(told(client).filter(({ of }) => of === child).length).toBeGreaterThan(3);
    expect(JSON.stringify(client.updates())).toContain(`{"type":"session","sessionId":"${child}"}`);
  },
);

test('a message between sessions has a view in each, and each names the other', async () => {
  const client = await meet(2);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'delegate it');
  const views = named(client, 'session_message');
  expect(views).toHaveLength(4);
  for (const { of, update } of views) {
    const isSent = update['senderSessionId'] === of;
    const twin = update[isSent ? 'recipientMessageId' : 'senderMessageId'];
    const other = views.find((view) => view.update['messageId'] === twin);
    expect(other?.of).toBe(update[isSent ? 'recipientSessionId' : 'senderSessionId']);
    expect(other?.update['content']).toEqual(update['content']);
  }
});

test('a v1 client that did not ask for children hears of none', async () => {
  const client = await meet(1, { capabilities: {} });
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'delegate deep edit');
  expect(childrenOf(client)).toEqual([]);
  expect(new Set(told(client).map(({ of }) => of))).toEqual(new Set([sessionId]));
});

test('a child may have one of its own, and ask a permission in its own name', async () => {
  const client = await meet(2);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'delegate deep edit');
  const [child = '', grandchild = ''] = childrenOf(client);
  const announcedBy = (id: string) =>
    named(client, 'subagent_update').find(({ update }) => update['sessionId'] === id)?.of;
  expect([announcedBy(child), announcedBy(grandchild)]).toEqual([sessionId, child]);
  const asked = client.heard().filter(({ method }) => method === 'session/request_permission');
  expect(asked.map(({ params }) => params?.['sessionId'])).toEqual([child]);
  expect(states(client, child).own).toEqual([
    'running',
    'requires_action',
    'running',
    'idle end_turn',
  ]);
});

/** Delegates, and waits until the child works and the turn has ended. */
async function behind(client: AgentClient): Promise<{ sessionId: string; child: string }> {
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'delegate behind');
  return { sessionId, child: childrenOf(client)[0] ?? '' };
}

test('a child may outlive the turn that made it', async () => {
  const client = await meet(2, { pace: 0.05 });
  const { child } = await behind(client);
  expect(states(client, child).parent).toEqual(['running']);
  await client.until(({ params }) => at(params, 'update', 'state', 'state') === 'idle');
  expect(states(client, child).parent).toEqual(['running', 'idle end_turn']);
});

test.each([1, 2] as const)(
  'v%i: a cancelled child ends, and its parent goes on',
  async (version) => {
    const client = await meet(version, { pace: 1 });
    const sessionId = await newSession(client);
    const id = client.send('session/prompt', textPrompt(sessionId, 'delegate it'));
    await client.untilUpdate(({ sessionUpdate }) => /thought/.test(String(sessionUpdate)));
    const [child = ''] = childrenOf(client);
    client.notify('session/cancel', { sessionId: child });
    await client.until(({ params }) => at(params, 'update', 'state', 'state') === 'idle');
    expect(states(client, child).parent).toEqual(['running', 'idle cancelled']);
    const { result } = await client.answer(id);
    if (version === 1) expect(result).toEqual({ stopReason: 'end_turn' });
  },
);

test('a cancelled parent takes the children that it waits for with it, and leaves the others', async () => {
  const client = await meet(2, { pace: 1 });
  const { sessionId, child } = await behind(client);
  client.send('session/prompt', textPrompt(sessionId, 'delegate it'));
  const from = client.now;
  const isSecond = ({ sessionUpdate, sessionId: id, state }: JsonObject) =>
    sessionUpdate === 'subagent_update' && id !== child && state !== undefined;
  const waited = String((await client.untilUpdate(isSecond, from))['sessionId']);
  client.notify('session/cancel', { sessionId });
  await client.untilUpdate(({ stopReason }) => stopReason === 'cancelled', from);
  expect(states(client, waited).parent).toEqual(['running', 'idle cancelled']);
  expect(states(client, child).parent).toEqual(['running']);
});

test('the client may do nothing else to a child', async () => {
  const client = await meet(1, { pace: 0.05 });
  const { child } = await behind(client);
  const codes: unknown[] = [];
  for (const [method, params] of [
    ['session/prompt', textPrompt(child, 'Hi')],
    ['session/load', { sessionId: child, cwd: CWD, mcpServers: [] }],
    ['session/resume', { sessionId: child, cwd: CWD, mcpServers: [] }],
    ['session/fork', { sessionId: child, cwd: CWD, mcpServers: [] }],
    ['session/set_mode', { sessionId: child, modeId: 'plan' }],
    ['session/set_config_option', { sessionId: child, configId: 'mode', value: 'plan' }],
    ['session/close', { sessionId: child }],
    ['session/delete', { sessionId: child }],
  ] as const)
    codes.push((await client.ask(method, params)).error?.code);
  expect(new Set(codes)).toEqual(new Set([-32600]));
  const { sessions } = await client.call('session/list', {});
  expect(JSON.stringify(sessions)).not.toContain(child);
});

const RESTORE = {
  1: ['session/load', {}],
  2: ['session/resume', { replayFrom: { type: 'start' } }],
} as const;

async function restored(client: AgentClient, version: 1 | 2, sessionId: string): Promise<number> {
  const [method, more] = RESTORE[version];
  const from = client.now;
  await client.call(method, { sessionId, cwd: CWD, mcpServers: [], ...more });
  return from;
}

test.each([1, 2] as const)(
  'v%i: a replay tells the whole tree where it stood, with the same ids, and none of it works',
  async (version) => {
    const client = await meet(version);
    const sessionId = await newSession(client);
    await turn(client, sessionId, 'delegate deep');
    const live = told(client).filter(({ update }) => isHistory(update));
    await client.end();
    const again = await meet(version);
    const from = await restored(again, version, sessionId);
    const back = told(again, from).filter(({ update }) => isHistory(update));
    const ids = (all: typeof live) => [
      ...new Set(
        all.flatMap(({ of, update }) => {
          const { messageId, toolCallId, sessionUpdate } = update;
          return version === 1 && /user/.test(String(sessionUpdate))
            ? []
            : `${of} ${String(messageId ?? toolCallId)}`;
        }),
      ),
    ];
    expect([...ids(back)].sort()).toEqual([...ids(live)].sort());
    expect(childrenOf(again, from)).toEqual(childrenOf(client));
    for (const child of childrenOf(again, from))
      expect(states(again, child, from)).toEqual({ parent: ['idle end_turn'], own: [] });
  },
);

const isHistory = ({ sessionUpdate }: JsonObject) =>
  /message|thought|tool_call/.test(String(sessionUpdate));

test.each([1, 2] as const)(
  'v%i: children at work are announced again after the answer, and say nothing before it',
  async (version) => {
    const client = await meet(version, { pace: 0.1 });
    const { sessionId, child } = await behind(client);
    const from = await restored(client, version, sessionId);
    const answer = client.crossed.findIndex(
      ({ message }, i) => i > from && message?.method === undefined && message?.id !== undefined,
    );
    const after = () =>
      told(client, answer).filter(
        ({ of, update }) => of === child || update['sessionId'] === child,
      );
    await client.until(({ params }) => at(params, 'update', 'state', 'state') === 'idle', answer);
    expect(after()[0]).toMatchObject({
      of: sessionId,
      update: {
        title: expect.any(String),
        capabilities: { cancel: {} },
        state: { state: 'running' },
      },
    });
  },
);

test('what a killed process left at work has ended when it is restored', async () => {
  const client = await meet(2, { pace: 1 });
  const { sessionId, child } = await behind(client);
  const again = await meet(2);
  const from = await restored(again, 2, sessionId);
  expect(states(again, child, from).parent).toEqual(['idle error']);
});

test('asked to, it marks the end of each replay: of the children, then of the session', async () => {
  const client = await meet(2);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'delegate deep');
  const children = childrenOf(client);
  await client.end();
  const plain = await meet(2);
  expect(named(plain, 'replay_complete', await restored(plain, 2, sessionId))).toEqual([]);
  const marking = await meet(2, { replayComplete: true });
  const from = await restored(marking, 2, sessionId);
  const marks = named(marking, 'replay_complete', from).map(({ of }) => of);
  expect(marks).toEqual([...children.toReversed(), sessionId]);
  const all = told(marking, from);
  const last = all.findLastIndex(({ update }) => isHistory(update));
  expect(
    all.findLastIndex(({ update }) => update['sessionUpdate'] === 'replay_complete'),
  ).toBeGreaterThan(last);
  const quiet = marking.now;
  await marking.call('session/resume', { sessionId, cwd: CWD, mcpServers: [] });
  expect(named(marking, 'replay_complete', quiet)).toEqual([]);
});
