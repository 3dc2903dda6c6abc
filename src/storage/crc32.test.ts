import { crc32 as ofZlib } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from './crc32.ts';
import { encodeUtf8 } from '../lib/utf8.ts';

test('it is the sum that others make, of the whole and of pieces', () => {
  expect(crc32(encodeUtf8('123456789'))).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, cut) => {
      const sum = crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)));
      expect(sum).toBe(crc32(bytes));
      expect(sum).toBe(ofZlib(bytes));
    }),
  );
});

test('R-39: another letter is another sum', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, at, by) => {
        const other = bytes.slice();
        other[at % bytes.length] = (other[at % bytes.length] ?? 0) ^ by;
        expect(crc32(other)).not.toBe(crc32(bytes));
      },
    ),
  );
});
