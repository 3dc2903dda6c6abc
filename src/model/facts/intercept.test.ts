import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { seq, type Frame, type Intercept } from '../../trace/event.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { methodStats } from '../performance/methods.ts';
import { InterceptFold } from './intercept.ts';
import { waitingAt } from './waiting.ts';

const event = (number: number, facts: Omit<Intercept, 'type' | 'seq' | 'at'>): Intercept => ({
  ...{ type: 'intercept', seq: seq(number), at: millis(number) },
  ...facts,
});
const line = { text: '{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file"}' };
const held = (number: number) =>
  event(number, { did: 'hold', rule: 'mine', from: 'agent', line, deadline: 100 });
const frame = (number: number, of: number): Frame => ({
  ...{ type: 'frame', seq: seq(number), at: millis(number), from: 'agent', line },
  ...{ origin: 'peer', of: seq(of) },
});

test('it is on from its event to its end, and a held frame waits until it crosses or is dropped', () => {
  const fold = new InterceptFold();
  expect(fold.view()).toBeUndefined();
  fold.take(event(1, { did: 'on', rules: ['mine', 'other'] }));
  for (const number of [2, 3, 4]) fold.take(held(number));
  expect(fold.view()?.held.map(({ seq: number }) => number)).toEqual([2, 3, 4]);
  expect(fold.view()).toMatchObject({
    held: [{ method: 'fs/read_text_file', rule: 'mine' }, {}, {}],
  });
  fold.take(frame(5, 3));
  fold.take(event(6, { did: 'drop', from: 'agent', of: seq(2) }));
  expect(fold.view()?.held.map(({ seq: number }) => number)).toEqual([4]);
  fold.take(event(7, { did: 'off', rule: 'other', problem: 'its pattern takes too long' }));
  expect(fold.view()?.rules).toEqual(['mine']);
  fold.take(event(8, { did: 'off' }));
  expect(fold.view()).toEqual({ held: [expect.objectContaining({ seq: 4 })] });
  fold.take({ type: 'exit', seq: seq(9), at: millis(9), code: 0 });
  expect(fold.view()).toBeUndefined();
  fold.take(event(10, { did: 'cut', rule: 'mine', from: 'agent', line }));
  fold.take({ type: 'exit', seq: seq(11), at: millis(11), code: 0 });
  expect(fold.view()).toEqual({ held: [], cut: 'mine' });
});

/** A frame that crosses, in the words of the trace. */
const crosses = (number: number, from: 'client' | 'agent', text: string, of?: number): Frame => ({
  ...{ type: 'frame', seq: seq(number), at: millis(number), from, line: { text } },
  ...(of === undefined ? { origin: 'peer' } : { origin: 'intercept', of: seq(of) }),
});
const PROMPT =
  '{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}';
const text = (json: string) => ({ line: { text: `{"jsonrpc":"2.0",${json}}` } });

test('a request of the intercept’s own waits for nobody once its answer was kept from the other side', () => {
  const { index, frame } = indexed([
    event(1, { did: 'inject', from: 'client', rule: 'ask', line: { text: PROMPT } }),
    crosses(2, 'client', '{"jsonrpc":"2.0","id":"x-1","method":"session/list"}', 1),
    crosses(3, 'client', '{"jsonrpc":"2.0","id":"x-2","method":"session/list"}', 1),
    event(4, { did: 'keep', from: 'agent', ...text('"id":"x-1","result":{"sessions":[]}') }),
  ]);
  expect(frame(2).waits).toBeUndefined();
  expect(frame(3).waits).toBe(true);
  expect(index.facts().open.map(({ id }) => id)).toEqual(['→"x-2"']);
  expect(waitingAt(index, index.length).open).toEqual([index.indexOf(3)]);
  expect(methodStats(index)).toMatchObject([{ method: 'session/list', unanswered: 1 }]);
  expect(frame(4).summary).toBe('kept: it answers what was injected · answer "x-1"');
});

test('what an intercept answers in the place of the other side is no answer to nothing; what it sends twice is', () => {
  const answer = '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"refusal"}}';
  const { frame } = indexed([
    event(1, { did: 'answer', from: 'client', rule: 'no', line: { text: PROMPT } }),
    crosses(2, 'agent', answer, 1),
    crosses(3, 'agent', answer, 9),
  ]);
  expect(frame(2)).toMatchObject({ method: 'session/prompt' });
  expect(frame(2).summary).not.toContain('answers no open request');
  expect(frame(3).summary).toContain('answers no open request');
});

test('the row of an event says what was done, what the line says, the rule, and why it was not done', () => {
  const chunk =
    '"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}}}';
  const words = (facts: Parameters<typeof event>[1]) => indexed([event(1, facts)]).frame(1).summary;
  expect(words({ did: 'drop', from: 'agent', rule: 'lose', ...text(chunk) })).toBe(
    'dropped · agent_message_chunk · “Hello” · rule lose',
  );
  expect(words({ did: 'drop', from: 'agent', of: seq(7) })).toBe('dropped · of #7');
  const problem = 'It went on as it was: it is no request.';
  expect(words({ did: 'answer', from: 'client', rule: 'r', line: { text: 'hm' }, problem })).toBe(
    `not answered in its place · hm · rule r · ${problem}`,
  );
  expect(words({ did: 'off', rule: 'r', problem: 'It is slow.' })).toBe(
    'rule off · rule r · It is slow.',
  );
  expect(words({ did: 'on', rules: ['a', 'b'] })).toBe('intercept on · a, b');
});

test('frames that were written, held, delayed or moved are found; what is no frame is counted as events', () => {
  const list = '{"jsonrpc":"2.0","id":2,"method":"session/list"}';
  const { view } = indexed([
    event(1, { did: 'delay', from: 'client', rule: 'slow', line: { text: list } }),
    { ...crosses(2, 'client', list), of: seq(1) },
    crosses(3, 'agent', '{"jsonrpc":"2.0","id":2,"result":{"sessions":[]}}', 1),
    crosses(4, 'client', list.replace('2,', '3,')),
  ]);
  view.setQuery('is:intercepted');
  expect(view.state()).toMatchObject({ rows: 2, counts: { shown: 2, all: 3, events: 0 } });
  view.setQuery('type:evt');
  expect(view.state()).toMatchObject({ rows: 1, counts: { shown: 0, all: 3, events: 1 } });
});

test('a frame that is held behind another rule waits for a person until it goes on', () => {
  const fold = new InterceptFold();
  fold.take(event(1, { did: 'edit', from: 'agent', rule: 'mine', line }));
  fold.take(event(2, { did: 'hold', from: 'agent', rule: 'mine', line, deadline: 9, of: seq(1) }));
  expect(fold.view()?.held).toMatchObject([{ seq: 2 }]);
  fold.take(frame(3, 2));
  expect(fold.view()).toBeUndefined();
});
