import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32 } from './crc32.ts';
import { encodeUtf8 } from '../lib/utf8.ts';
import { connectionId, seq } from '../trace/event.ts';
import { cutBlocks, isFull, type EventBatch } from './blocks.ts';
import type { StoredBlock } from './schema.ts';

const CONNECTION = connectionId('c');
const BLOCK_BYTES = 256 * 1024;
const BLOCK_EVENTS = 1000;

function batchOf(lines: readonly string[], first: number): EventBatch {
  const ends: number[] = [];
  let end = 0;
  for (const line of lines) ends.push((end += encodeUtf8(`${line}\n`).length));
  return {
    connection: CONNECTION,
    after: seq(first - 1),
    bytes: encodeUtf8(lines.map((line) => `${line}\n`).join('')),
    seqs: lines.map((_, i) => seq(first + i)),
    ends,
    frames: lines.length,
  };
}

/** Puts as the database does: a record of the same key is replaced. */
function put(blocks: readonly StoredBlock[], more: readonly StoredBlock[]): StoredBlock[] {
  const byKey = new Map([...blocks, ...more].map((block) => [block.first, block]));
  return [...byKey.values()].sort((a, b) => a.first - b.first);
}
const sumOf = (text: string) => ({ bytes: encodeUtf8(text), sum: crc32(encodeUtf8(text)) });
const join = (blocks: readonly StoredBlock[]) =>
  blocks.flatMap(({ bytes }) => (bytes instanceof Uint8Array ? [...bytes] : []));

describe('cutting blocks', () => {
  test('small batches gather in one record', () => {
    const one = cutBlocks(undefined, batchOf(['a', 'b'], 1));
    const two = put(one, cutBlocks(one.at(-1), batchOf(['c'], 3)));
    expect(two).toEqual([
      {
        ...{ connection: CONNECTION, first: 1, last: 3, count: 3 },
        ...sumOf('a\nb\nc\n'),
      },
    ]);
  });

  test('R-39: a block of an earlier version, without a sum, has one once it grows', () => {
    const { sum: _, ...before } = { ...cutBlocks(undefined, batchOf(['a'], 1))[0] } as StoredBlock;
    expect(cutBlocks(before, batchOf(['b'], 2))[0]).toMatchObject(sumOf('a\nb\n'));
  });

  test('a block ends at its number of events or of bytes', () => {
    const many = cutBlocks(undefined, batchOf(Array<string>(BLOCK_EVENTS + 1).fill(''), 1));
    expect(many.map(({ first, last }) => [first, last])).toEqual([
      [1, BLOCK_EVENTS],
      [BLOCK_EVENTS + 1, BLOCK_EVENTS + 1],
    ]);
    const big = 'x'.repeat(BLOCK_BYTES);
    expect(cutBlocks(undefined, batchOf(['a', big, 'b'], 1)).map(({ count }) => count)).toEqual([
      2, 1,
    ]);
  });

  test('a record does not hold on to the buffer its lines came in', () => {
    const batch = batchOf(['a', 'b'], 1);
    const bytes = new Uint8Array([...encodeUtf8('0\n'), ...batch.bytes]).subarray(2);
    expect(cutBlocks(undefined, { ...batch, bytes })[0]?.bytes.buffer.byteLength).toBe(4);
  });

  test('R-39: however lines are batched, the blocks joined are the lines, each event once, with the sum of what is not full', () => {
    const line = fc.oneof(
      { weight: 20, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
      { weight: 1, arbitrary: fc.constant('y'.repeat(BLOCK_BYTES / 2)) },
    );
    const batches = fc.array(fc.array(line, { minLength: 1, maxLength: 20 }), { maxLength: 8 });
    fc.assert(
      fc.property(batches, (all) => {
        let stored: StoredBlock[] = [];
        let next = 1;
        const lines: string[] = [];
        for (const raw of all) {
          const clean = raw.map((text) => text.replaceAll('\n', ''));
          stored = put(stored, cutBlocks(stored.at(-1), batchOf(clean, next)));
          next += clean.length;
          lines.push(...clean);
        }
        expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(lines.length);
        for (const block of stored)
          expect(block.sum).toBe(isFull(block) ? undefined : crc32(block.bytes as Uint8Array));
        stored.forEach((block, i) => expect(block.first).toBe((stored[i - 1]?.last ?? 0) + 1));
        const expected = encodeUtf8(lines.map((text) => `${text}\n`).join(''));
        expect(Buffer.from(join(stored)).equals(expected)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
