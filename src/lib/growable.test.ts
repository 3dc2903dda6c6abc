import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from './defined.ts';
import { float64, int32, uint32 } from './growable.ts';
import { Interner } from './interner.ts';

test('a column gives back what was pushed, however long it grows', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 2000 }), (numbers) => {
      const column = float64();
      for (const number of numbers) column.push(number);
      expect(column.length).toBe(numbers.length);
      expect(numbers.map((_, i) => column.get(i))).toEqual(numbers);
    }),
  );
});

test('entries are set, added to and forgotten', () => {
  const column = uint32();
  column.push(1);
  column.push(2);
  column.set(0, 5);
  column.add(1, 3);
  expect([column.get(0), column.get(1), column.get(2)]).toEqual([5, 5, 0]);
  column.truncate(1);
  column.push(9);
  expect([column.length, column.get(1)]).toEqual([2, 9]);
  const signed = int32();
  signed.push(-1);
  expect(signed.get(0)).toBe(-1);
});

test('an interner knows each string by one number', () => {
  const interner = new Interner();
  expect(['a', 'b', 'a', ''].map((text) => interner.of(text))).toEqual([0, 1, 0, 2]);
  expect([0, 1, 2, 3].map((number) => interner.text(number))).toEqual(['a', 'b', '', '']);
});

test('defined leaves out what is undefined, and nothing else', () => {
  expect(Object.keys(defined({ a: undefined, b: null, c: 0, d: '' }))).toEqual(['b', 'c', 'd']);
});
