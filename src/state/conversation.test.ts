import { expect, test } from 'vitest';
import type { Json } from '../acp/message.ts';
import type { Millis } from '../lib/time.ts';
import type { ConversationItem } from '../model/conversation-view.ts';
import { CONNECTION, connectionFacts, runningApp, sessionFacts } from '../test/running-app.ts';
import { seq } from '../trace/event.ts';
import { Conversation } from './conversation.svelte.ts';

const note = (n: number, text: string): ConversationItem => ({
  key: `#${n}`,
  first: seq(n),
  last: seq(n),
  frames: 1,
  at: 0 as Millis,
  replay: false,
  late: false,
  type: 'note',
  tone: 'quiet',
  text,
});

async function looking(version = 1) {
  const asked: [string, Json][] = [];
  const since: number[] = [];
  let change = {
    version: 1,
    total: 2,
    items: [note(1, 'a'), note(2, 'b')].map((item, index) => ({ index, item })),
  };
  const app = await runningApp(
    {
      conversation(_, __, version_) {
        since.push(version_);
        return Promise.resolve(change);
      },
      terminals: () => Promise.resolve([]),
      request(_, method, params) {
        asked.push([method, params]);
        return Promise.resolve({ kind: 'error', seq: seq(9), code: -32603, message: 'no model' });
      },
    },
    connectionFacts({
      sessions: [sessionFacts('s1')],
      handshake: {
        request: seq(1),
        version,
        clientCapabilities: {},
        agentCapabilities: {},
        authMethods: [],
      },
    }),
  );
  const it = new Conversation(app);
  const become = (next: typeof change) => (change = next);
  return { it, asked, since, become, sync: () => it.sync(CONNECTION, 's1') };
}

const words = (it: Conversation) => it.items.map((item) => (item.type === 'note' ? item.text : ''));

test('only what changed is read, and a conversation that began anew is shorter', async () => {
  const { it, since, become, sync } = await looking();
  await sync();
  expect(words(it)).toEqual(['a', 'b']);
  become({
    version: 2,
    total: 3,
    items: [
      { index: 1, item: note(2, 'B') },
      { index: 2, item: note(3, 'c') },
    ],
  });
  await sync();
  expect(words(it)).toEqual(['a', 'B', 'c']);
  become({ version: 3, total: 1, items: [{ index: 0, item: note(9, 'new') }] });
  await sync();
  expect(words(it)).toEqual(['new']);
  expect(since).toEqual([0, 1, 2]);
});

test('readings asked for at once are made one after the other', async () => {
  const { it, since, sync } = await looking();
  await Promise.all([sync(), sync(), sync()]);
  expect(since.length).toBe(2);
  expect(words(it)).toEqual(['a', 'b']);
});

test('a prompt goes out as text, and a refusal is said where it was written', async () => {
  const { it, asked, sync } = await looking();
  await sync();
  it.prompt = '  ';
  await it.sendPrompt();
  it.prompt = 'Hello';
  await it.sendPrompt();
  expect(asked).toEqual([
    ['session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'Hello' }] }],
  ]);
  expect(it.problem).toBe('session/prompt failed: -32603 no model');
  expect(it.prompt).toBe('');
});

test('config options are set as each version wants it', async () => {
  const option = { id: 'm', name: 'Model', type: 'select' as const, value: 'a', options: [] };
  const v1 = await looking(1);
  await v1.it.setConfig(option, 'b');
  const v2 = await looking(2);
  await v2.it.setConfig(option, 'b');
  await v2.it.setConfig({ ...option, type: 'boolean' }, true);
  expect([...v1.asked, ...v2.asked].map(([, params]) => params)).toEqual([
    { sessionId: 's1', configId: 'm', value: 'b' },
    { sessionId: 's1', configId: 'm', type: 'id', value: 'b' },
    { sessionId: 's1', configId: 'm', type: 'boolean', value: true },
  ]);
});
