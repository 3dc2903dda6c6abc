import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSlip } from './nearest.ts';

const word = fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom(...'abc_') });
const place = fc.nat(11);

test('a letter that is changed, added, omitted or swapped with its neighbour is a slip', () => {
  fc.assert(
    fc.property(word, place, fc.constantFrom('x', 'y'), (meant, where, letter) => {
      const at = where % meant.length;
      const before = meant.slice(0, at);
      const after = meant.slice(at + 1);
      expect(isSlip(before + letter + after, meant)).toBe(true);
      expect(isSlip(before + letter + meant.slice(at), meant)).toBe(true);
      expect(isSlip(before + after, meant)).toBe(true);
      const [here = '', next = ''] = [meant[at], meant[at + 1]];
      const swapped = before + next + here + meant.slice(at + 2);
      if (next !== '' && here !== next) expect(isSlip(swapped, meant)).toBe(true);
    }),
  );
});

test('two new letters are no slip, and a word is no slip of itself', () => {
  fc.assert(
    fc.property(word, place, place, (meant, one, other) => {
      const at = one % meant.length;
      const grown = `${meant.slice(0, at)}x${meant.slice(at)}`;
      const to = other % grown.length;
      expect(isSlip(`${grown.slice(0, to)}y${grown.slice(to)}`, meant)).toBe(false);
      expect(isSlip(meant, meant)).toBe(false);
    }),
  );
});

test('a swap and a new letter are no slip', () => {
  expect(isSlip('titel', 'title')).toBe(true);
  expect(isSlip('titel', 'titles')).toBe(false);
});
