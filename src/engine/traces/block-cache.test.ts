import { afterEach, expect, test, vi } from 'vitest';
import { onDemand } from '../../storage/block-bytes.ts';
import { BlockCache } from './block-cache.ts';

afterEach(() => vi.unstubAllGlobals());

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
    return block && cache.read(block, () => [])[0];
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
  for (const at of [0, 0, 1, 1, 0]) expect(all[at] && cache.read(all[at], () => [])[0]).toBe(at);
  expect(reads).toEqual([2, 1]);
});

/** A Blob that can be read at once, as workers can; `gone`: its bytes are not there any more. */
class DiskBlob {
  readonly parts: readonly (number | DiskBlob)[];
  readonly gone: boolean;
  constructor(parts: readonly (number | DiskBlob)[], gone = false) {
    this.parts = parts;
    this.gone = gone;
  }
  get size(): number {
    return this.parts.reduce<number>(
      (sum, part) => sum + (part instanceof DiskBlob ? part.size : 1),
      0,
    );
  }
  bytes(): number[] {
    if (this.gone) throw new Error('gone');
    return this.parts.flatMap((part) => (part instanceof DiskBlob ? part.bytes() : part));
  }
}

function onDisk(blobs: readonly DiskBlob[]) {
  const read: number[][] = [];
  vi.stubGlobal('Blob', DiskBlob);
  vi.stubGlobal(
    'FileReaderSync',
    class {
      readAsArrayBuffer(blob: DiskBlob) {
        const bytes = Uint8Array.from(blob.bytes());
        read.push([...bytes]);
        return bytes.buffer;
      }
    },
  );
  const blocks = blobs.map((bytes) => onDemand({ bytes: bytes as unknown as Blob }));
  return { blocks, read };
}

test('blocks that are wanted next are read with the one that is asked for', () => {
  const { blocks, read } = onDisk([[1, 2], [3], [4, 5, 6]].map((parts) => new DiskBlob(parts)));
  const cache = new BlockCache();
  const [first, ...ahead] = blocks;
  const all = blocks.map((block) => [...cache.read(block, () => (block === first ? ahead : []))]);
  expect(all).toEqual([[1, 2], [3], [4, 5, 6]]);
  expect(read).toEqual([[1, 2, 3, 4, 5, 6]]);
});

test('a block can be read though one behind it is gone', () => {
  const { blocks, read } = onDisk([new DiskBlob([1]), new DiskBlob([2], true)]);
  const cache = new BlockCache();
  const [first, gone] = blocks;
  if (!first || !gone) throw new Error('no blocks');
  expect([...cache.read(first, () => [gone])]).toEqual([1]);
  expect(read).toEqual([[1]]);
  expect(() => cache.read(gone, () => [])).toThrow('gone');
});
