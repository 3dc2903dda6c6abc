import { expect, test } from 'vitest';
import type { Json } from '../../acp/message.ts';
import type { Millis } from '../../lib/time.ts';
import type { ConversationItem } from '../../model/sessions/conversation-view.ts';
import type { StateAsk, StateView } from '../../model/fold/look.ts';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  sessionFacts,
} from '../../test/programs/running-app.ts';
import { seq } from '../../trace/event.ts';
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

const view = (
  version: number,
  total: number,
  from: number,
  items: StateView['items'],
): StateView => ({
  version,
  last: 1,
  total,
  from,
  items,
  facts: [],
  plans: [],
  pending: [],
  pendingCount: 0,
  tools: [],
  toolCounts: [],
  terminals: [],
  outputs: [],
  commands: [],
});

async function looking(version = 1) {
  const asked: [string, Json][] = [];
  const asks: StateAsk[] = [];
  let change = view(
    1,
    2,
    0,
    [note(1, 'a'), note(2, 'b')].map((item, index) => ({ index, item })),
  );
  const app = await runningApp(
    {
      sessions: {
        conversation(_, __, ask) {
          asks.push(ask);
          return Promise.resolve(change);
        },
      },
      connections: {
        request(_, method, params) {
          asked.push([method, params]);
          return Promise.resolve({ kind: 'error', seq: seq(9), code: -32603, message: 'no model' });
        },
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
  const become = (next: StateView) => (change = next);
  return { app, it, asked, asks, become, sync: () => it.sync(CONNECTION, 's1') };
}

const words = (it: Conversation) => it.items.map((item) => (item.type === 'note' ? item.text : ''));

test('only what changed is read, and a conversation that began anew is shorter', async () => {
  const { it, asks, become, sync } = await looking();
  await sync();
  expect(words(it)).toEqual(['a', 'b']);
  become(
    view(2, 3, 0, [
      { index: 1, item: note(2, 'B') },
      { index: 2, item: note(3, 'c') },
    ]),
  );
  await sync();
  expect(words(it)).toEqual(['a', 'B', 'c']);
  become(view(3, 1, 0, [{ index: 0, item: note(9, 'new') }]));
  await sync();
  expect(words(it)).toEqual(['new']);
  expect(asks.map(({ since }) => since)).toEqual([0, 1, 2]);
});

test('of a long conversation the last items are held, and earlier ones when they are asked for', async () => {
  const { it, asks, become, sync } = await looking();
  become(
    view(
      1,
      300,
      298,
      [298, 299].map((index) => ({ index, item: note(index, `${index}`) })),
    ),
  );
  await sync();
  become(view(2, 301, 299, [{ index: 300, item: note(300, '300') }]));
  await sync();
  expect(words(it)).toEqual(['299', '300']);
  become(view(3, 301, 298, [{ index: 298, item: note(298, '298') }]));
  await it.more();
  expect(words(it)).toEqual(['298', '299', '300']);
  expect((asks[2]?.most ?? 0) > (asks[1]?.most ?? 0)).toBe(true);
});

test('at the playhead the state of that frame is read', async () => {
  const { app, asks, sync } = await looking();
  app.playhead = seq(7);
  await sync();
  app.playhead = undefined;
  await sync();
  expect(asks.map(({ at }) => at)).toEqual([7, undefined]);
});

test('readings asked for at once are made one after the other', async () => {
  const { it, asks, sync } = await looking();
  await Promise.all([sync(), sync(), sync()]);
  expect(asks.length).toBe(2);
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
