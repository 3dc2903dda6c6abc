import { expect, test } from 'vitest';
import { toHex } from '../../lib/utf8.ts';
import { hexRows } from './hex.ts';

test('bytes that are not UTF-8 are shown in hex, sixteen a row', () => {
  const bytes = new Uint8Array([0x7b, 0xff, 0xfe, ...new Uint8Array(15).fill(0x41)]);
  expect(hexRows(bytes, 4096)).toEqual([
    {
      offset: '000000',
      hex: '7b ff fe 41 41 41 41 41  41 41 41 41 41 41 41 41',
      text: '{··AAAAAAAAAAAAA',
    },
    { offset: '000010', hex: '41 41', text: 'AA' },
  ]);
  expect(hexRows(bytes, 2)).toHaveLength(1);
  expect(toHex(bytes.subarray(0, 3))).toBe('7bfffe');
});
