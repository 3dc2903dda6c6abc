import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatShare } from './format.ts';

test('a count has its thousands apart, in the same way everywhere', () => {
  expect([0, 999, 1200, 1_000_000].map(formatCount)).toEqual(['0', '999', '1,200', '1,000,000']);
});

test('a count is written as Intl writes it, also one that is none', () => {
  const { format } = new Intl.NumberFormat('en-US');
  for (const number of [-1, -1234, 1234.5678, 2 ** 53, 1e21, NaN, Infinity])
    expect(formatCount(number)).toBe(format(number));
});

test.each([
  [0, '0 B'],
  [391, '391 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1100, '1.1 kB'],
  [9960, '10 kB'],
  [999_600, '1.0 MB'],
  [1_300_000, '1.3 MB'],
  [2_000_000_000, '2.0 GB'],
])('%i bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});

test.each([
  [0, '0 %'],
  [0.000_01, '< 0.1 %'],
  [0.034, '3.4 %'],
  [0.0999, '10 %'],
  [0.7, '70 %'],
  [1.2, '120 %'],
])('a share of %s is %s', (share, words) => {
  expect(formatShare(share)).toBe(words);
});
