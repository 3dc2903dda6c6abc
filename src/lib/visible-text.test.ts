import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleParts, visibleWords } from './visible-text.ts';

const marks = (text: string) =>
  visibleParts(text).flatMap((part) => (part.type === 'mark' ? [part.sign] : []));

test('S-11: a right-to-left override in a command is one visible mark', () => {
  expect(marks('rm -rf ~\u202e/tmp')).toEqual(['U+202E']);
});

test('S-11: every hiding character has a mark, and plain text has none', () => {
  for (const char of [
    '\u200b',
    '\u200f',
    '\u2066',
    '\u2069',
    '\ufeff',
    '\u{e0041}',
    '\u0085',
    '\u00ad',
  ])
    expect(marks(`a${char}b`)).toHaveLength(1);
  expect(marks('tab\tline\nÄ 漢字 👩‍🚀'.replace('\u200d', ''))).toEqual([]);
});

test('control characters show their short name', () => {
  expect(marks('\u001b[31m\r\u0000\u007f')).toEqual(['ESC', 'CR', 'NUL', 'DEL']);
  expect(marks('\ud800')).toEqual(['U+D800']);
});

test('no character is lost between the parts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = visibleParts(text).flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const hidden = marks(text).length;
      const length = [...text].length;
      expect([...plain.join('')].length + hidden).toBe(length);
    }),
  );
});

test('S-11 where only a string can stand, the signs stand in brackets', () => {
  expect(visibleWords('rm \u202etxt\u0007')).toBe('rm [U+202E]txt[BEL]');
});
