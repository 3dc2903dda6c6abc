import { expect, test } from 'vitest';
import { heldOf } from './restore-held.ts';

const AS_DUE = { due: true, words: 'as due: history, then the answer' };

test('a restore that falls short of nothing is what its verdict says', () => {
  expect(heldOf(AS_DUE, undefined)).toEqual({ mark: 'ok', words: AS_DUE.words });
  expect(heldOf({ due: false, words: 'no' }, undefined).mark).toBe('err');
  expect(heldOf({ due: undefined, words: '?' }, undefined).mark).toBe('dim');
});

test('what had to come whole and did not is no longer told as due', () => {
  const words = '3 items did not come back; v1 makes the entire conversation due';
  expect(heldOf(AS_DUE, { weight: 'error', words })).toEqual({
    mark: 'err',
    words: `history, then the answer, but ${words}`,
  });
  expect(heldOf(AS_DUE, { weight: 'warning', words })).toMatchObject({ mark: 'warn' });
});

test('what need not come whole stays as due, without a tick', () => {
  const short = { weight: 'hint', words: '3 items did not come back' } as const;
  expect(heldOf(AS_DUE, short)).toEqual({
    mark: 'hint',
    words: 'as due: history, then the answer; 3 items did not come back',
  });
});
