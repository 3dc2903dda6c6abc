import { expect, test } from 'vitest';
import { markOf, marksInside, type ValueMarks } from './marks.ts';

const marks: ValueMarks = new Map([
  ['/params/a~1b/0', { severity: 'warning', text: 'one' }],
  ['/params/a~1b/1/c', { severity: 'error', text: 'two' }],
  ['/params/d', { severity: 'hint', text: 'three' }],
]);
const inside = marksInside(marks);
const at = (pointer: string, closed: boolean) => markOf(marks, inside, pointer, closed);

test('a row bears the mark of its own value', () => {
  expect(at('/params/d', false)).toEqual({ severity: 'hint', text: 'three' });
});
test('a closed row shows the worst of what it hides, without its words', () => {
  expect(at('/params/a~1b', true)).toEqual({ severity: 'error', text: undefined });
  expect(at('/params/a~1b', false)).toBeUndefined();
  expect(at('/params', true)).toEqual({ severity: 'error', text: undefined });
});
test('a row that nothing is said of bears none', () => {
  expect(at('/id', true)).toBeUndefined();
});
