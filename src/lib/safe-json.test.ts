import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeJson } from './safe-json.ts';

test('S-11: C1 control characters and DEL are escaped, and the value is the same', () => {
  const text = safeJson({ seen: '\u009b31mred\u0085\u007f', '\u0090key': 1 });
  expect(text).toBe('{\n  "seen": "\\u009b31mred\\u0085\\u007f",\n  "\\u0090key": 1\n}');
  expect(JSON.parse(text)).toEqual({ seen: '\u009b31mred\u0085\u007f', '\u0090key': 1 });
});

test('S-11: whatever is said, no control character but line feeds comes out', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, key) => {
      const document = { list: [value], [`k${key}`]: key };
      const text = safeJson(document);
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
    }),
  );
});
