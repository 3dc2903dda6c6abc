import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from './defined.ts';
import { float64, int32, narrow, uint32 } from './growable.ts';
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

test('a narrow column gives back what was written to it, in as few bytes as the largest takes', () => {
  const number = fc.oneof(fc.nat(255), fc.nat(65_535), fc.nat(2 ** 31), fc.constant(2 ** 32 - 1));
  const step = fc.tuple(fc.constantFrom('push', 'set', 'append', 'take', 'add'), number);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      let column = narrow();
      const wanted: number[] = [];
      let most = 0;
      for (const [how, value] of steps) {
        const place = wanted.length - 1;
        const isAdded = how === 'add' && (wanted[place] ?? 0) + value < 2 ** 32;
        if (how === 'push') wanted.push(value);
        if (how === 'append') wanted.push(value, 1);
        if (how === 'set' && place >= 0) wanted[place] = value;
        if (isAdded && place >= 0) wanted[place] = (wanted[place] ?? 0) + value;
        most = Math.max(most, wanted[place] ?? 0, wanted.at(-1) ?? 0, wanted.at(-2) ?? 0);
        if (how === 'push') column.push(value);
        if (how === 'append') column.append(Uint32Array.of(value, 1));
        if (how === 'set' && place >= 0) column.set(place, value);
        if (isAdded && place >= 0) column.add(place, value);
        if (how !== 'take') continue;
        const kept = column.values().slice();
        column = narrow();
        column.take(kept);
      }
      expect([...column.values()]).toEqual(wanted);
      expect(wanted.map((_, at) => column.get(at))).toEqual(wanted);
      expect(column.values().BYTES_PER_ELEMENT).toBe(most < 256 ? 1 : most < 65_536 ? 2 : 4);
    }),
  );
});

test('an interner knows each string by one number', () => {
  const interner = new Interner();
  expect(['a', 'b', 'a', ''].map((text) => interner.of(text))).toEqual([0, 1, 0, 2]);
  expect([0, 1, 2, 3].map((number) => interner.text(number))).toEqual(['a', 'b', '', '']);
});

test('defined leaves out what is undefined, and nothing else', () => {
  expect(Object.keys(defined({ a: undefined, b: null, c: 0, d: '' }))).toEqual(['b', 'c', 'd']);
});
