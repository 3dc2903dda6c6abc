import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Book } from './book.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 6, maxLength: 12 });

test('I-09 a known value is found wherever it stands, the longest where several begin', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 200 }),
      (known, text) => {
        const longestFirst = [...known].sort((a, b) => b.length - a.length);
        const plain = [...text.matchAll(new RegExp(longestFirst.join('|'), 'g'))].map(
          ({ index, 0: { length } }) => ({ start: index, end: index + length }),
        );
        expect(new Book(known).knownIn(text)).toEqual(plain);
      },
    ),
  );
});

test('I-09 of ten thousand known values each is found, and in an address too', () => {
  const known = Array.from({ length: 10_000 }, (_, at) => `${String(at).padStart(5, '0')}/key`);
  const book = new Book(known);
  for (const value of [known[0], known[5000], known[9999]] as string[])
    for (const said of [value, encodeURIComponent(value)])
      expect(book.knownIn(`is ${said}.`)).toEqual([{ start: 3, end: 3 + said.length }]);
});

test('what is shorter than six signs is no secret that could be told from other words', () => {
  expect(new Book(['short']).knownIn('a short text')).toEqual([]);
});
