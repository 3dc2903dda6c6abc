import { expect, test } from 'vitest';
import { cursorIds, cursorValues } from './cursor-values.ts';

test('values are found in lists and objects three levels deep, and a type is none', () => {
  const cursor = { type: '_x', id: 'm1', at: [3, { type: 'y', to: 'm2' }] };
  expect(cursorValues(cursor)).toEqual(['m1', 3, 'm2']);
  expect(cursorIds(cursor)).toEqual(['m1', 'm2']);
  expect(cursorValues({ a: { b: { c: 'here', d: { e: 'too deep' } } } })).toEqual(['here']);
  expect(cursorValues('start')).toEqual(['start']);
  expect(cursorValues(null)).toEqual([null]);
});

test('every string of a cursor may be an id, but for its type', () => {
  expect(cursorIds({ type: 'x', a: 'm1', b: [{ c: 'm2', type: 'y' }], n: 3 })).toEqual([
    'm1',
    'm2',
  ]);
});
