import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWords } from './text-change.ts';

test('words, spaces and signs stand alone; scripts without spaces are cut sign by sign', () => {
  expect(textWords('Read it,  now.')).toEqual(['Read', ' ', 'it', ',', '  ', 'now', '.']);
  expect(textWords('重试5次 ok')).toEqual(['重', '试', '5', '次', ' ', 'ok']);
  expect(textWords('e\u0301te\u0301 👩‍👩‍👧👍🏽 🇨🇭🇩🇪')).toEqual([
    ...['e\u0301te\u0301', ' ', '👩‍👩‍👧', '👍🏽', ' ', '🇨🇭', '🇩🇪'],
  ]);
});

test('nothing is lost, and no sign that a person sees is cut', () => {
  const signs = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const sign = fc.constantFrom(
    ...[
      'a',
      'e\u0301',
      ' ',
      '\n',
      '漢',
      'か',
      'ก็',
      'กำ',
      '한',
      'नि',
      '1️⃣',
      '👍🏽',
      '👩‍👩‍👧',
      '🇨🇭',
      '_',
      '-',
      '𝒳',
    ],
  );
  fc.assert(
    fc.property(fc.array(sign), fc.string({ unit: 'binary' }), (all, odd) => {
      expect(textWords(odd).join('')).toBe(odd);
      const text = all.join('');
      const words = textWords(text);
      expect(words.join('')).toBe(text);
      const ends = new Set([...signs.segment(text)].map(({ index }) => index));
      let at = 0;
      for (const word of words) {
        expect(ends).toContain(at);
        at += word.length;
      }
    }),
  );
});
