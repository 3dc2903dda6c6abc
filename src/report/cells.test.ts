import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellsOf, cut, padEnd } from './words.ts';

test.each([
  ['abc', 3],
  ['日本語', 6],
  ['한국어', 6],
  ['é', 1],
  ['e\u0301', 1],
  ['🚀 go', 5],
  ['ｱｲｳ', 3],
  ['！', 2],
  ['', 0],
])('%j takes %d cells of a terminal', (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

describe('a text that is cut', () => {
  test('keeps whole letters, and says that there was more', () => {
    expect(cut('日本語', 6)).toBe('日本語');
    expect(cut('日本語', 5)).toBe('日本…');
    expect(cut('日本語', 4)).toBe('日…');
    expect(cut('🚀🚀🚀', 4)).toBe('🚀…');
  });

  test('is no wider than asked, and a padded one as wide', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '語', '🚀', '\u0301', 'é') });
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 20 }), (one, most) => {
        expect(cellsOf(cut(one, most))).toBeLessThanOrEqual(most);
        expect(cellsOf(padEnd(cut(one, most), most))).toBe(most);
      }),
    );
  });
});
