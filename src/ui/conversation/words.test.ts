import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesIn, shownPart } from './light.ts';

test('a word on screen is found in the Markdown that was sent', () => {
  const sent = 'Use **`npm test`** and\n\nsee [the docs](https://x.y/z) for more.';
  const shown = 'Use npm test and see the docs for more.';
  const at = (word: string) => placesIn(sent, shown)[shown.indexOf(word)];
  expect(at('npm')).toBe(sent.indexOf('npm'));
  expect(at('and')).toBe(sent.indexOf('and'));
  expect(at('the docs')).toBe(sent.indexOf('the docs'));
});

test('text without signs is found where it is, and a part of it is itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z ]{0,80}$/), fc.nat(80), fc.nat(80), (text, a, b) => {
      const from = Math.min(a, b, text.length);
      const to = Math.min(Math.max(a, b), text.length);
      const part = shownPart(text, text, from, to);
      expect(text.slice(part.from, part.to).replaceAll(' ', '')).toBe(
        text.slice(from, to).replaceAll(' ', ''),
      );
    }),
  );
});

test('whatever was sent and is shown, places ascend and stay inside', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (sent, shown) => {
      const places = [...placesIn(sent, shown)];
      places.forEach((place, i) => {
        expect(place).toBeGreaterThanOrEqual(places[i - 1] ?? 0);
        expect(place).toBeLessThanOrEqual(sent.length);
      });
    }),
  );
});
