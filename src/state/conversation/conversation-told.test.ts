import { expect, test } from 'vitest';
import type { Millis } from '../../lib/time.ts';
import type { ConversationItem } from '../../model/sessions/conversation-view.ts';
import type { StateAsk, StateView } from '../../model/fold/look.ts';
import type { TextOrigin } from '../../model/fold/patch.ts';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  sessionFacts,
} from '../../test/programs/running-app.ts';
import { seq } from '../../trace/event.ts';
import { Conversation } from './conversation.svelte.ts';
import { ConversationTold } from './conversation-told.svelte.ts';

const message = (key: string, first: number, last: number): ConversationItem => ({
  key,
  first: seq(first),
  last: seq(last),
  frames: 2,
  at: 0 as Millis,
  replay: false,
  late: false,
  type: 'message',
  role: 'agent',
  parts: [{ type: 'text', text: 'one two' }],
});

const nothing = {
  last: 9,
  facts: [],
  plans: [],
  pending: [],
  pendingCount: 0,
  tools: [],
  toolCounts: [],
  terminals: [],
  outputs: [],
  commands: [],
};

async function asked(items: readonly ConversationItem[], touched: readonly string[]) {
  const spans: TextOrigin[] = [
    { field: 'content[0]', from: 0, seq: seq(3) },
    { field: 'content[0]', from: 3, seq: seq(5) },
  ];
  const asks: StateAsk[] = [];
  const app = await runningApp(
    {
      sessions: {
        conversation(_, __, ask): Promise<StateView> {
          asks.push(ask);
          const total = items.length;
          if (ask.at !== undefined)
            return Promise.resolve({
              ...nothing,
              version: 2,
              total,
              from: total,
              items: [],
              touched,
            });
          const from = Math.max(0, total - ask.most);
          const held = items.map((item, index) => ({ index, item })).slice(from);
          return Promise.resolve({ ...nothing, version: 1, total, from, items: held });
        },
        provenance: () => Promise.resolve(spans),
      },
    },
    connectionFacts({ sessions: [sessionFacts('s1')] }),
  );
  const conversation = new Conversation(app);
  await conversation.sync(CONNECTION, 's1');
  return { told: new ConversationTold(app, conversation), asks };
}

test('the selected frame knows the items it spoke of, and which of their words are its own', async () => {
  const { told } = await asked([message('#1', 1, 2), message('#3', 3, 5)], ['#3']);
  await told.read(seq(5));
  expect(told.words?.items.map(({ item }) => item.key)).toEqual(['#3']);
  expect(told.words?.items[0]?.spans.filter((span) => span.seq === 5)).toHaveLength(1);
  await told.read(undefined);
  expect(told.words).toBeUndefined();
});

test('a frame that said nothing here lights nothing', async () => {
  const { told } = await asked([message('#1', 1, 2)], []);
  await told.read(seq(2));
  expect(told.words).toBeUndefined();
});

test('words that a restore has taken away since are told as gone', async () => {
  const { told } = await asked([message('m:agent:a', 8, 9)], ['m:agent:a']);
  await told.read(seq(5));
  expect(told.words).toEqual({ seq: 5, items: [] });
});

test('earlier items are read for a frame that stands before those that are here', async () => {
  const items = Array.from({ length: 700 }, (_, i) => message(`#${i + 1}`, i + 1, i + 1));
  const { told, asks } = await asked(items, ['#3']);
  await told.read(seq(3));
  expect(told.words?.items.map(({ item }) => item.key)).toEqual(['#3']);
  expect(asks.at(-1)?.most).toBe(2000);
});
