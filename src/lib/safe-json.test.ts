import fc from 'fast-check';
import { expect, test } from 'vitest';
import { obeyedIn } from '../test/ci-log.ts';
import { safeJson } from './safe-json.ts';
import { visibleWords } from './visible-text.ts';

test('S-11: C1 control characters and DEL are escaped, and the value is the same', () => {
  const text = safeJson({ seen: '\u009b31mred\u0085\u007f', '\u0090key': 1 });
  expect(text).toBe('{\n  "seen": "\\u009b31mred\\u0085\\u007f",\n  "\\u0090key": 1\n}');
  expect(JSON.parse(text)).toEqual({ seen: '\u009b31mred\u0085\u007f', '\u0090key': 1 });
});

test('S-11: characters that turn, hide or look like a blank are escaped, and the value is the same', () => {
  const value = {
    words: 'a\u202eb\u2066c\u200b\u3164\u00a0\u2028\u{e0041}\u{1d173}👩\u200d🚀',
    '\u202ekey': 1,
  };
  const text = safeJson(value);
  expect(visibleWords(text)).toBe(text);
  expect(text).toContain(String.raw`a\u202eb\u2066c\u200b\u3164\u00a0\u2028\udb40\udc41`);
  expect(JSON.parse(text)).toEqual(value);
});

test('S-19: the log of a CI finds no command in it, and the value is the same', () => {
  const value = {
    '##[error]': '##vso[a.b]c',
    list: ['::stop-commands::x', '\\##[error]a', 'travis_fold:start:a'],
  };
  for (const indent of [0, 2]) {
    const text = safeJson(value, indent);
    expect(obeyedIn(text)).toEqual([]);
    expect(JSON.parse(text)).toEqual(value);
  }
});

test('S-11 S-19: in no text anything hides or is obeyed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, key) => {
      const document = { list: [value], [`k${key}`]: key };
      const text = safeJson(document);
      expect(visibleWords(text)).toBe(text);
      expect(obeyedIn(text)).toEqual([]);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
    }),
  );
});
