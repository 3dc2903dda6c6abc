import { expect, test } from 'vitest';
import { append, fold, drawn } from '../../test/traces/fold.ts';
import { StateLooks } from './look.ts';

const CHUNKS = Array.from(
  { length: 40 },
  (_, i) => `agent update s1 agent_message_chunk m${i} "${i}"`,
).join('\n');

test('of a conversation the last items are given, then those that changed or are wanted too', () => {
  const looks = new StateLooks();
  const first = fold(CHUNKS, 2);
  const all = looks.give(first, first, { since: 0, most: 10 });
  expect([all.total, all.from, all.items.length]).toEqual([40, 30, 10]);
  const grown = append(first, drawn('agent update s1 agent_message_chunk m5 "+"', 41));
  const more = append(grown, drawn('agent update s1 agent_message_chunk m39 "+"', 42));
  const next = looks.give(more, more, { since: all.version, most: 12 });
  expect(next.items.map(({ index }) => index)).toEqual([39, 28, 29]);
  const back = looks.give(first, more, { since: next.version, most: 12 });
  expect(back.items.map(({ index }) => index)).toEqual([39]);
  const unknown = looks.give(more, more, { since: 99, most: 2 });
  expect(unknown.items.map(({ index }) => index)).toEqual([38, 39]);
});

test('what is another by now says so, and an open ask says how it was answered later', () => {
  const looks = new StateLooks();
  const then = fold(`
    agent update s1 session_info_update {"title":"A"}
    agent →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
  `);
  const answer = drawn('client ←0 result {"outcome":{"outcome":"cancelled"}}', 3);
  const renamed = drawn('agent update s1 session_info_update {"title":"B"}', 4);
  const now = append(append(then, answer), renamed);
  const view = looks.give(then, now, { since: 0, most: 10 });
  expect(view.facts).toMatchObject([{ path: 'title', value: 'A', seq: 1, live: 'B' }]);
  expect(view.pending).toMatchObject([{ seq: 2, id: '←0', from: 'agent' }]);
  expect(view.items.at(-1)?.item).toMatchObject({ later: { seq: 3, words: 'Cancelled' } });
  const live = looks.give(now, now, { since: view.version, most: 10 });
  expect(live.facts[0]).not.toHaveProperty('live');
  expect(live.pending).toEqual([]);
});

test('a terminal whose command an open permission request is about does not run yet', () => {
  const ask = (subject: string) =>
    drawn(
      `agent →0 session/request_permission {"sessionId":"s1","title":"Run?","subject":${subject},"options":[]}`,
      3,
    );
  const begun = fold(
    `
    agent update s1 terminal_update {"terminalId":"x1","command":"make"}
    agent update s1 tool_call_update {"toolCallId":"t1","title":"Run","content":[{"type":"terminal","terminalId":"x1"}]}
  `,
    2,
  );
  const waits = (state: ReturnType<typeof fold>) =>
    new StateLooks().give(state, state, { since: 0, most: 1 }).terminals[0]?.waits;
  expect(waits(begun)).toBeUndefined();
  for (const subject of [
    '{"type":"command","command":"make","terminalId":"x1"}',
    '{"type":"command","command":"make","toolCallId":"t1"}',
    '{"type":"tool_call","toolCall":{"toolCallId":"t1"}}',
  ]) {
    const asked = append(begun, ask(subject));
    expect(waits(asked), subject).toBe(true);
    const answer = drawn('client ←0 result {"outcome":{"outcome":"cancelled"}}', 4);
    expect(waits(append(asked, answer)), subject).toBeUndefined();
  }
});
