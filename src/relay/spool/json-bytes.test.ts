import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapedSize, writeEscaped } from './json-bytes.ts';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';

const written = (text: string) => {
  const utf8 = encodeUtf8(text);
  const size = escapedSize(utf8);
  const into = new Uint8Array(size + 2);
  expect(writeEscaped(into, 1, utf8)).toBe(size + 1);
  return decodeUtf8(into.subarray(1, size + 1));
};

test('a text in UTF-8 is escaped as JSON.stringify has it, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      expect(written(text)).toBe(JSON.stringify(text).slice(1, -1));
    }),
  );
  const all = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)).join('');
  expect(written(all)).toBe(JSON.stringify(all).slice(1, -1));
});
