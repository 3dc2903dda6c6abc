import { expect, test } from 'vitest';
import { flipped, setOf, withOne } from './sets.ts';

test('what is chosen is taken out, and let in again, and the set before stays as it was', () => {
  const none = setOf<string>([]);
  const one = flipped(none, 'hint');
  expect([[...none], [...one], [...flipped(one, 'hint')]]).toEqual([[], ['hint'], []]);
});

test('what is in a set already is in it once', () => {
  expect([...withOne(setOf(['a']), 'a')]).toEqual(['a']);
});
