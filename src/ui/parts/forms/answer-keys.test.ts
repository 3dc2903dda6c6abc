import { expect, test } from 'vitest';
import { answerKey } from './answer-keys.ts';

test('a key is printed on the first option of those it leads to, and none on a kind nobody knows', () => {
  const options = ['_defer', 'reject_once', 'allow_always', 'allow_always', 'reject_always'].map(
    (kind) => ({ kind }),
  );
  expect(options.map((_, at) => answerKey(options, at))).toEqual([
    undefined,
    'N',
    'A',
    undefined,
    undefined,
  ]);
});
