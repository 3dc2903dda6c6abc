import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { seq, type Frame, type Intercept } from '../../trace/event.ts';
import { InterceptFold } from './intercept.ts';

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
});
