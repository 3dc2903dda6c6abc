import { expect, test } from 'vitest';
import { canBeTold, knowsIt } from './knows-it.ts';

test('an answer that repeats half of the words knows it, one with none of them forgot', () => {
  expect(knowsIt('You asked me to mend the fault in retry.ts', 'Mend the fault')).toBe('knows');
  expect(knowsIt('This is the start of our talk.', 'Mend the fault')).toBe('forgot');
  expect(knowsIt('Something about a fault', 'Mend fault retry jitter')).toBe('unsure');
});

test('a word to remember is known or not', () => {
  expect(knowsIt('The word was MARLIN4821.', 'MARLIN4821')).toBe('knows');
  expect(knowsIt('I do not know.', 'MARLIN4821')).toBe('forgot');
});

test('of short words no answer tells anything', () => {
  expect(canBeTold('Fix it')).toBe(false);
  expect(canBeTold('Fix the roof')).toBe(true);
});

test('without words there is nothing to compare', () => {
  expect(knowsIt('anything', 'a b c')).toBe('unsure');
  expect(knowsIt('', 'Mend the fault')).toBe('unsure');
});
