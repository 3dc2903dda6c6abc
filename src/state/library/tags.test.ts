import { expect, test } from 'vitest';
import { tagsIn, tagsOf, tagsText } from './tags.ts';

test('tags stand between commas, each once whichever its case, without spaces around', () => {
  expect(tagsIn(' keep, Bug  report ,,KEEP,bug report')).toEqual({ tags: ['keep', 'Bug report'] });
  expect(tagsIn(' , ')).toEqual({ tags: [] });
});

test('what is stored reads as it was typed', () => {
  expect(tagsIn(tagsText(['a b', 'c']))).toEqual({ tags: ['a b', 'c'] });
});

test('a tag that is too long, and too many of them, are told in a sentence and not cut', () => {
  expect(tagsIn(`ok, ${'x'.repeat(41)}`).problem).toMatch(/at most 40 letters; “x+…” has 41/);
  const many = Array.from({ length: 21 }, (_, at) => `t${at}`).join(',');
  expect(tagsIn(many).problem).toBe('A trace has at most 20 tags; these are 21.');
});

test('the tag used most is offered first', () => {
  expect(tagsOf([{ tags: ['a', 'b'] }, {}, { tags: ['b'] }])).toEqual(['b', 'a']);
});
