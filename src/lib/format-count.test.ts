import { expect, test } from 'vitest';
import { formatCount } from './format-count.ts';

test('a count has its thousands apart, in the same way everywhere', () => {
  expect([0, 999, 1200, 1_000_000].map(formatCount)).toEqual(['0', '999', '1,200', '1,000,000']);
});
