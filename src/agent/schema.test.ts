import { PassThrough, Readable, Writable } from 'node:stream';
import { client, ndJsonStream } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { beforeAll, expect, test } from 'vitest';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  textPrompt,
  turn,
} from '../test/programs/bundled-agent.ts';
import { checkFrames } from '../test/pages/sdk-schema.ts';
import { runAgent } from './main.ts';

beforeAll(() => checkFrames(1, []).length + checkFrames(2, []).length);

const CAPABILITIES = {
  1: {
    fs: { readTextFile: true, writeTextFile: true },
    session: { configOptions: { boolean: {} }, notices: {} },
    auth: { terminal: true },
    elicitation: { form: {} },
  },
  2: { auth: { terminal: {} }, elicitation: { form: {} } },
} as const;

test.each([1, 2] as const)(
  'v%i: every frame of a long and varied life is as its schema says',
  async (version) => {
    const store = freshStore();
    const capabilities = CAPABILITIES[version];
    const client = await meetAgent(version, { store, capabilities, requireSignIn: true });
    const answers: Record<string, object> = {
      'session/request_permission': choosing('allow-once')(),
      'elicitation/create': { action: 'accept', content: { name: 'lamp', style: 'a class' } },
      'fs/read_text_file': { content: 'One line.\n' },
      'fs/write_text_file': {},
    };
    client.answering = ({ method = '' }) => answers[method] as Record<string, never>;
    await client.call(version === 1 ? 'authenticate' : 'auth/login', { methodId: 'sign-in' });
    const broken =
      version === 1
        ? { name: 'broken', command: '/no/such/server', args: [], env: [] }
        : { type: 'stdio', name: 'broken', command: '/no/such/server' };
    const sessionId = await newSession(client, {
      mcpServers: [broken],
      additionalDirectories: ['/more'],
    });
    const words = [
      'Mend it',
      'quick',
      'ask',
      'files',
      'terminal',
      'mcp',
      'help',
      'run 5',
      'Mend that',
    ];
    for (const word of words) await turn(client, sessionId, word);
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    const link = { type: 'resource_link', name: 'notes', uri: 'file:///notes.txt' };
    const resource = { type: 'resource', resource: { uri: 'file:///n.txt', text: 'note' } };
    const mixed = { sessionId, prompt: [{ type: 'text', text: 'quick' }, image, link, resource] };
    await client.call('session/prompt', mixed);
    const option = {
      sessionId,
      configId: 'model',
      value: 'fresco',
      ...(version === 2 && { type: 'id' }),
    };
    await client.call('session/set_config_option', option);
    if (version === 1) await client.call('session/set_mode', { sessionId, modeId: 'code' });
    await turn(client, sessionId, 'Mend the rest');

    client.answering = () => undefined;
    await client.call('session/fork', { sessionId, cwd: CWD });
    client.send('session/prompt', textPrompt(sessionId, 'files'));
    client.notify('session/cancel', { sessionId });
    await client.call('session/list', {});
    await client.call('session/close', { sessionId });
    const more = version === 2 ? { replayFrom: { type: 'start' } } : {};
    const method = version === 1 ? 'session/load' : 'session/resume';
    await client.call(method, { sessionId, cwd: CWD, mcpServers: [], ...more });
    await client.call('session/resume', { sessionId, cwd: CWD });
    await client.call('session/delete', { sessionId });
    await client.end();
    expect(checkFrames(version, client.crossed)).toEqual([]);
    expect(client.crossed.length).toBeGreaterThan(150);
  },
);

test('the check itself sees a frame that is wrong', () => {
  const frame = (message: object) => ({ from: 'agent' as const, line: '', message });
  const update = { sessionUpdate: 'plan', entries: 'none' };
  const params = { sessionId: 's', update };
  expect(checkFrames(1, [frame({ method: 'session/update', params })])).toHaveLength(1);
  expect(checkFrames(2, [frame({ method: 'session/load', id: 1, params: {} })])).toHaveLength(1);
});

test('the SDK’s own v2 client, which checks every answer, takes part in a turn', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const agent = {
    protocol: 2,
    store: freshStore(),
    version: '0.0.0',
    pace: 0,
    mayUse: () => true,
  } as const;
  void runAgent({ ...agent, log: () => undefined }, input, output).then(() => output.end());
  const states: unknown[] = [];
  const app = client({ name: 'test' })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'cancelled' } }))
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'state_update') states.push(update['state']);
    });
  const stream = ndJsonStream(Writable.toWeb(input), Readable.toWeb(output));
  await app.connectWith(stream, async (context) => {
    await context.request('initialize', {
      protocolVersion: 2,
      info: { name: 'test', version: '1' },
    });
    const { sessionId } = await context.request('session/new', { cwd: CWD });
    await context.request('session/prompt', textBlocks(sessionId, 'Mend it'));
    await expect.poll(() => states).toContain('idle');
    await context.request('session/close', { sessionId });
    await context.request('session/resume', {
      sessionId,
      cwd: CWD,
      replayFrom: { type: 'start' },
    });
    const { sessions } = await context.request('session/list', {});
    expect(sessions).toHaveLength(1);
  });
  expect(states).toEqual(['running', 'requires_action', 'running', 'idle', 'idle']);
});

function textBlocks(sessionId: string, text: string) {
  return { sessionId, prompt: [{ type: 'text' as const, text }] };
}
