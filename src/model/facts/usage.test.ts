import { expect, test } from 'vitest';
import { costWords } from './usage.ts';

test('a cost is told without what adding up fractions leaves at the end, and a small one not as nothing', () => {
  const words = (amount: number) => costWords({ amount, currency: 'USD' });
  expect(words(0.1 + 0.2)).toBe('0.3 USD');
  expect(words(0.008119999999999999)).toBe('0.00812 USD');
  expect(words(0.0000123)).toBe('0.0000123 USD');
  expect(words(12.34567)).toBe('12.3457 USD');
  expect(words(0)).toBe('0 USD');
});
