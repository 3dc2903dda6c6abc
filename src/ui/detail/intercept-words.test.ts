import { expect, test } from 'vitest';
import { byIntercept, onItsWay } from './intercept-words.ts';

const line = { text: '{"id":1}' };
const was = (did: 'hold' | 'duplicate' | 'answer' | 'inject' | 'edit' | 'delay') =>
  ({ did, line, origin: 'peer' }) as const;

test('a frame with bytes of the intercept says whether it was changed, sent again, added or an answer', () => {
  expect(byIntercept({ line: { text: '{"id":2}' } }, was('edit'))).toBe('changed by intercept');
  expect(byIntercept({ line }, was('duplicate'))).toBe('sent again by intercept');
  expect(byIntercept({ line }, was('inject'))).toBe('added by intercept');
  expect(byIntercept({ line }, was('answer'))).toBe('answered by intercept');
  expect(byIntercept({ line }, undefined)).toBe('changed by intercept');
});

test('a frame that kept its bytes says where it was held or delayed', () => {
  expect(onItsWay({ origin: 'peer' }, was('hold'))).toBe('held in');
  expect(onItsWay({ origin: 'peer' }, was('delay'))).toBe('delayed in');
  expect(onItsWay({ origin: 'peer' }, was('edit'))).toBe('see');
  expect(onItsWay({ origin: 'intercept' }, was('hold'))).toBe('see');
});
