import { expect, test } from 'vitest';
import { letterOf, PinBook } from './pins.ts';

test('the cursors of a session are lettered in the order sent, on whichever connection', () => {
  const book = new PinBook();
  book.sent('s', 'start', () => 2000, 5);
  book.sent('s', 'second', () => 1000, 9000);
  book.sent('s', 'first', () => 1000, 1);
  book.sent('s', 'start', () => 3000, 0);
  book.sent('other', 'second', () => 0, 0);
  expect([...book.letters('s')]).toEqual([
    ['first', 'A'],
    ['start', 'B'],
    ['second', 'C'],
  ]);
  expect([...book.letters('other')]).toEqual([['second', 'A']]);
});

test('a later send relabels nothing, nor does a connection that is forgotten', () => {
  const book = new PinBook();
  let began = 500;
  book.sent('s', 'a', () => began, 0);
  expect(book.letters('s').get('a')).toBe('A');
  began = Number.MAX_SAFE_INTEGER;
  book.sent('s', 'b', () => 600, 0);
  book.sent('s', 'a', () => 700, 0);
  expect([...book.letters('s').values()]).toEqual(['A', 'B']);
  expect(book.letters('s').get('a')).toBe('A');
});

test('after Z comes AA', () => {
  expect([0, 25, 26, 27, 51, 52, 701, 702].map(letterOf)).toEqual([
    'A',
    'Z',
    'AA',
    'AB',
    'AZ',
    'BA',
    'ZZ',
    'AAA',
  ]);
});
