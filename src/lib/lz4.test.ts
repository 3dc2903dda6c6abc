import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeUtf8 } from './utf8.ts';
import { compress, decompress } from './lz4.ts';

/** Texts as lines of a trace are: the same words again and again, near and far, among what is said once. */
const repetitive = fc
  .array(
    fc.oneof(
      fc.constantFrom('{"jsonrpc":"2.0","method":"session/update"', 'aaaaaaaa', 'é', '\n'),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.tuple(fc.constantFrom('x', 'ab', 'chunk '), fc.nat(400)).map(([of, n]) => of.repeat(n)),
    ),
    { maxLength: 60 },
  )
  .map((parts) => encodeUtf8(parts.join('')));

test('what is compressed is what it was, whatever it says and wherever it lies in its buffer', () => {
  const bytes = fc.oneof(repetitive, fc.uint8Array({ maxLength: 4000 }));
  fc.assert(
    fc.property(bytes, fc.nat(5), (given, offset) => {
      const buffer = new Uint8Array(given.length + offset);
      buffer.set(given, offset);
      const packed = compress(buffer.subarray(offset));
      expect(packed.length).toBeLessThanOrEqual(given.length + given.length / 250 + 12);
      expect(Buffer.compare(decompress(packed, given.length), given)).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test('what repeats is small, further back than a match reaches too', () => {
  const noise = Uint8Array.from({ length: 70_000 }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 21);
  const twice = new Uint8Array([...noise, ...noise]);
  expect(Buffer.compare(decompress(compress(twice), twice.length), twice)).toBe(0);
  expect(compress(new Uint8Array(1e6)).length).toBeLessThan(4000);
});

test('it is the block format that is written down: tokens, literals, and matches that overlap themselves', () => {
  const block = [0x1f, 0x61, 1, 0, 0, 0x50, ...encodeUtf8('aaaaa')];
  expect([...compress(encodeUtf8('a'.repeat(25)))]).toEqual(block);
  expect(decompress(Uint8Array.from(block), 25)).toEqual(encodeUtf8('a'.repeat(25)));
});

test('R-39 bytes that are no such block, cut short or changed, are an error or other bytes, and never more', () => {
  fc.assert(
    fc.property(repetitive, fc.nat(), fc.nat(255), fc.nat(), (given, place, value, cut) => {
      const packed = compress(given);
      packed[place % packed.length] = value;
      const damaged = packed.subarray(0, packed.length - (cut % 3));
      let size = given.length;
      try {
        size = decompress(damaged, given.length).length;
      } catch (error) {
        expect(String(error)).toContain('other bytes than were written');
      }
      expect(size).toBe(given.length);
    }),
  );
});
