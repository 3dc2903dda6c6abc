import { expect, test } from 'vitest';
import { BlockCache } from './block-cache.ts';

/** Blocks of ten bytes, and how often each was read. */
function blocks(count: number) {
  const reads = Array<number>(count).fill(0);
  const all = reads.map((_, at) => ({
    size: 10,
    read: () => {
      reads[at] = (reads[at] ?? 0) + 1;
      return new Uint8Array(10).fill(at);
    },
  }));
  return { all, reads };
}

test('blocks read again are not fetched again, and those not read for longest go first', () => {
  const { all, reads } = blocks(4);
  const cache = new BlockCache(30);
  const read = (at: number) => {
    const block = all[at];
    return block && cache.read(block)[0];
  };
  for (const at of [0, 1, 2, 0, 0]) expect(read(at)).toBe(at);
  expect(reads).toEqual([1, 1, 1, 0]);
  expect(read(3)).toBe(3);
  expect(read(0)).toBe(0);
  expect(reads).toEqual([1, 1, 1, 1]);
  expect(read(1)).toBe(1);
  expect(reads).toEqual([1, 2, 1, 1]);
});

test('a block larger than all that is kept is read once for all lines in it', () => {
  const { all, reads } = blocks(2);
  const cache = new BlockCache(5);
  for (const at of [0, 0, 1, 1, 0]) expect(all[at] && cache.read(all[at])[0]).toBe(at);
  expect(reads).toEqual([2, 1]);
});
