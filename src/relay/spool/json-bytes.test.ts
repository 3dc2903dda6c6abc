import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapedSize, writeEscaped } from './json-bytes.ts';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';

const written = (text: string) => {
  const utf8 = encodeUtf8(`"${text}"`);
  const [start, stop] = [1, utf8.length - 1];
  const size = escapedSize(utf8, start, stop);
  const into = new Uint8Array(size + 2);
  expect(writeEscaped(into.subarray(0, size + 1), 1, utf8, start, stop)).toBe(size + 1);
  expect(into.at(-1)).toBe(0);
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

test('a long text that hardly needs it is escaped the same, wherever it does', () => {
  const calm = fc.nat(400).map((size) => 'x'.repeat(size));
  const special = fc.constantFrom('"', '\\', '\n', '\0', '\u001f', '\u007f', 'é', '日', '');
  fc.assert(
    fc.property(fc.array(fc.tuple(calm, special), { maxLength: 6 }), (parts) => {
      const text = parts.flat().join('');
      expect(written(text)).toBe(JSON.stringify(text).slice(1, -1));
      const utf8 = encodeUtf8(text);
      const size = escapedSize(utf8);
      if (size > 0) expect(writeEscaped(new Uint8Array(size - 1), 0, utf8)).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

test('a text is not escaped into less room than it takes', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'ä', '"', '\n', '\0'), minLength: 1 });
  fc.assert(
    fc.property(texts, fc.nat(), (text, at) => {
      const utf8 = encodeUtf8(text);
      const room = at % escapedSize(utf8);
      expect(writeEscaped(new Uint8Array(room), 0, utf8)).toBeUndefined();
    }),
  );
});
