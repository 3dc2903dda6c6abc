import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align, nthWithNth, rising, type Pair } from './align.ts';

const tokens = fc.array(fc.nat(8), { maxLength: 40 });
const ascends = (pairs: readonly Pair[]) =>
  pairs.every(
    ([a, b], at) => at === 0 || (a > (pairs[at - 1]?.[0] ?? -1) && b > (pairs[at - 1]?.[1] ?? -1)),
  );

test('pairs have equal tokens and ascend on both sides', () => {
  fc.assert(
    fc.property(tokens, tokens, (a, b) => {
      const pairs = align(a, b);
      expect(pairs.every(([i, j]) => a[i] === b[j])).toBe(true);
      expect(ascends(pairs)).toBe(true);
    }),
  );
});

test('a sequence is all of itself, and what was taken out of it is all that is missing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), fc.array(fc.boolean()), (a, kept) => {
      const b = a.filter((_, at) => kept[at] ?? true);
      expect(align(a, a)).toEqual(a.map((_, at) => [at, at]));
      expect(align(a, b).map(([i]) => a[i])).toEqual(b);
      expect(align(b, a).map(([, j]) => a[j])).toEqual(b);
    }),
  );
});

test('of crossing pairs the most that ascend are kept', () => {
  expect(
    rising([
      [0, 3],
      [1, 0],
      [2, 1],
      [3, 2],
    ]),
  ).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
  expect(nthWithNth([1, 2, 1], [1, 1, 2])).toEqual([
    [0, 0],
    [1, 2],
    [2, 1],
  ]);
});

test('histories without anything rare are paired within their means', () => {
  const a = Array.from({ length: 5000 }, (_, at) => at % 2);
  const b = Array.from({ length: 5000 }, (_, at) => (at + 1) % 2);
  expect(align(a, b).length).toBeGreaterThanOrEqual(2500);
});
