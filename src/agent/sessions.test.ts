import { beforeEach, expect, test } from 'vitest';
import { at } from '../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  saidBy,
  startAgent,
  textPrompt,
  turn,
} from '../test/programs/bundled-agent.ts';

let store: string;
beforeEach(() => {
  store = freshStore();
});

test.each([1, 2] as const)('v%i: the list goes by pages of ten, and ends', async (version) => {
  const client = await meetAgent(version, { store });
  const made = new Set<unknown>();
  for (let count = 0; count < 23; count++) made.add(await newSession(client));
  const listed: unknown[] = [];
  const sizes: number[] = [];
  for (let cursor: unknown; sizes.length < 5;) {
    const page = await client.call('session/list', cursor === undefined ? {} : { cursor });
    const sessions = page['sessions'] as { readonly sessionId: string }[];
    listed.push(...sessions.map(({ sessionId }) => sessionId));
    sizes.push(sessions.length);
    cursor = page['nextCursor'];
    if (cursor === undefined) break;
  }
  expect(sizes).toEqual([10, 10, 3]);
  expect(new Set(listed)).toEqual(made);
});

test('the list tells title, folder and time, of one folder alone when asked so', async () => {
  const client = await meetAgent(2, { store });
  const sessionId = await newSession(client, { additionalDirectories: ['/more'] });
  await newSession(client, { cwd: '/elsewhere' });
  await turn(client, sessionId, 'quick, please');
  const list = async (cwd: string) =>
    (await client.call('session/list', { cwd }))['sessions'] as object[];
  expect(await list(`${CWD}/`)).toEqual([
    {
      sessionId,
      cwd: CWD,
      additionalDirectories: ['/more'],
      title: 'quick, please',
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  ]);
  expect(await list(`${CWD}/inside`)).toEqual([]);
});

test('a list cursor that was never given is refused', async () => {
  const client = await meetAgent(2, { store });
  for (const cursor of ['not-a-cursor', '']) {
    const { error } = await client.ask('session/list', { cursor });
    expect(error?.code).toBe(-32602);
  }
});

test('listing attaches nothing', async () => {
  const first = await meetAgent(2, { store });
  const sessionId = await newSession(first);
  await first.end();
  const client = await meetAgent(2, { store });
  await client.call('session/list', {});
  const { error } = await client.ask('session/prompt', textPrompt(sessionId, 'quick'));
  expect(error).toMatchObject({ code: -32002, data: { sessionId } });
});

test.each([1, 2] as const)(
  'v%i: a deleted session is gone, also from the disk',
  async (version) => {
    const client = await meetAgent(version, { store });
    const sessionId = await newSession(client);
    await client.call('session/delete', { sessionId });
    await client.call('session/delete', { sessionId });
    await client.call('session/delete', { sessionId: '../no-such' });
    expect((await client.call('session/list', {}))['sessions']).toEqual([]);
    const { error } = await client.ask('session/resume', { sessionId, cwd: CWD });
    expect(error).toMatchObject({ code: -32002 });
  },
);

test('a deleted id is not given again, with a seed', async () => {
  const first = await meetAgent(1, { store, seed: 3 });
  const sessionId = await newSession(first);
  await first.call('session/delete', { sessionId });
  await first.end();
  expect(await newSession(await meetAgent(1, { store, seed: 3 }))).not.toBe(sessionId);
});

test.each([1, 2] as const)('v%i: closing twice, or nothing, is fine', async (version) => {
  const client = await meetAgent(version, { store });
  const sessionId = await newSession(client);
  for (const id of [sessionId, sessionId, 'sess_none'])
    expect((await client.ask('session/close', { sessionId: id })).result).toEqual({});
});

test.each([1, 2] as const)(
  'v%i: a fork knows what was said, and its origin does not learn from it',
  async (version) => {
    const client = await meetAgent(version, { store });
    const sessionId = await newSession(client);
    await turn(client, sessionId, 'reply with LANTERN');
    const fork = await client.call('session/fork', { sessionId, cwd: CWD, mcpServers: [] });
    const forkId = String(fork['sessionId']);
    expect(forkId).not.toBe(sessionId);
    const from = await turn(client, forkId, 'What did I ask first?');
    expect(saidBy('agent', client.updates(from))).toContain('LANTERN');
    await client.end();

    const again = await meetAgent(1, { store });
    await again.call('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(saidBy('user', again.updates())).toBe('reply with LANTERN');
  },
);

test.each([1, 2] as const)(
  'v%i: cursors are announced to a client that takes them, and a fork ends at one',
  async (version) => {
    const capabilities = { session: { cursors: {} } };
    const client = await meetAgent(version, { store, capabilities });
    const sessionId = await newSession(client);
    await turn(client, sessionId, 'reply with LANTERN');
    await turn(client, sessionId, 'What did I ask first?');
    const cursors = () =>
      client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'cursor_update');
    expect(cursors()).toHaveLength(2);
    const [first] = cursors();
    expect(first).toMatchObject({
      cursorId: expect.stringMatching(/^cur_/),
      anchor: { type: 'agent_message', position: 'after' },
      capabilities: { fork: {} },
    });
    const params = { sessionId, cwd: CWD, mcpServers: [] };
    const { error } = await client.ask('session/fork', { ...params, cursorId: 'cur_none' });
    expect(error).toMatchObject({ code: -32602 });
    const fork = await client.call('session/fork', { ...params, cursorId: first?.['cursorId'] });
    await client.call('session/resume', params);
    expect(cursors().slice(2)).toEqual(cursors().slice(0, 2));
    await client.end();

    const again = await meetAgent(1, { store });
    await again.call('session/load', { ...params, sessionId: fork['sessionId'] });
    expect(saidBy('user', again.updates())).toBe('reply with LANTERN');
    expect(again.updates().map(({ sessionUpdate }) => sessionUpdate)).not.toContain(
      'cursor_update',
    );
  },
);

test('settings are kept over a restart', async () => {
  const first = await meetAgent(2, { store });
  const sessionId = await newSession(first);
  const set = { sessionId, configId: 'model', type: 'id', value: 'fresco' };
  await first.call('session/set_config_option', set);
  await first.end();
  const client = await meetAgent(1, { store });
  const loaded = await client.call('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  expect(at(loaded, 'configOptions', 1, 'currentValue')).toBe('fresco');
});

test('“always allow” holds for a session, not for its next restore', async () => {
  const first = await meetAgent(1, { store });
  first.answering = choosing('allow-always');
  const sessionId = await newSession(first);
  await turn(first, sessionId, 'Mend it');
  await first.end();
  const client = await meetAgent(1, { store });
  client.answering = choosing('reject-once');
  await client.call('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  await turn(client, sessionId, 'Mend it');
  expect(client.heard().some(({ method }) => method === 'session/request_permission')).toBe(true);
});

test.each([
  [1, 'authenticate', 'logout', 'id'],
  [2, 'auth/login', 'auth/logout', 'methodId'],
] as const)('v%i: sessions need a sign-in, when asked to', async (version, login, logout, key) => {
  const capabilities = { auth: { terminal: version === 1 ? true : {} } };
  const client = await meetAgent(version, { store, requireSignIn: true, capabilities });
  const methods = client.heard()[0]?.result?.['authMethods'];
  expect(methods).toMatchObject([{ [key]: 'sign-in' }, { type: 'terminal', args: ['--login'] }]);
  const begin = () => client.ask('session/new', { cwd: CWD, mcpServers: [] });
  expect((await begin()).error).toMatchObject({ code: -32000 });
  const wrong = await client.ask(login, { methodId: 'sign-in-terminal' });
  expect(wrong.error).toMatchObject({ code: -32602 });
  await client.call(login, { methodId: 'sign-in' });
  expect((await begin()).result).toBeDefined();
  await client.call(logout, {});
  expect((await begin()).error).toMatchObject({ code: -32000 });
});

test.each([
  [1, 'authenticate', { methodId: 'sign-in' }],
  [1, 'logout', {}],
  [2, 'auth/login', { methodId: 'sign-in' }],
  [2, 'auth/logout', {}],
  [2, 'authenticate', { methodId: 'sign-in' }],
  [2, 'session/load', { sessionId: 's', cwd: CWD, mcpServers: [] }],
  [1, 'session/status', { sessionId: 's' }],
] as const)('v%i: %s, which is not advertised, does not exist', async (version, method, params) => {
  const client = await meetAgent(version, { store });
  expect((await client.ask(method, params)).error).toMatchObject({ code: -32601 });
});

test('a terminal sign-in lets the next start make sessions', async () => {
  const terminal = startAgent({ store, login: true });
  await terminal.ended;
  expect(terminal.crossed[0]?.line).toContain('Signed in');
  const client = await meetAgent(2, { store, requireSignIn: true });
  await newSession(client);
});
