import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, unpack } from './packed.ts';

const column = fc.oneof(
  fc.float64Array({ noNaN: true }),
  fc.uint32Array(),
  fc.int32Array(),
  fc.uint8Array(),
);

test('columns come back as they were, whatever their types and lengths, in one piece of memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(column, { maxLength: 8 }), async (columns) => {
      const named = Object.fromEntries(columns.map((one, at) => [`c${at}`, one]));
      const again = await unpack(pack(named));
      expect(again).toEqual(named);
      expect(new Set(Object.values(again).map(({ buffer }) => buffer)).size).toBeLessThan(2);
    }),
  );
});

test('a part of a column that lies in a longer piece goes alone, and what is no column is left out', async () => {
  const packed = pack({ a: new Uint32Array([1, 2, 3]).subarray(1, 2), texts: ['no'] });
  expect(packed.bytes.size).toBe(8);
  expect(await unpack(packed)).toEqual({ a: new Uint32Array([2]) });
});

test('bytes that are too few or too many are no columns', async () => {
  const { layout, bytes } = pack({ a: new Float64Array([1, 2]), b: new Uint8Array(3) });
  await expect(unpack({ layout, bytes: bytes.slice(0, 16) })).rejects.toThrow();
  const more = new Blob([bytes, new Uint8Array(8)]);
  await expect(unpack({ layout, bytes: more })).rejects.toThrow('other bytes');
});
