import { afterEach, expect, test, vi } from 'vitest';
import { joined } from '../../lib/bytes.ts';
import { onDemand } from '../../storage/block-bytes.ts';
import { BlockCache } from './block-cache.ts';

afterEach(() => vi.unstubAllGlobals());

/** Blocks of ten bytes, and how often each was read. */
function blocks(count: number) {
  const reads = Array<number>(count).fill(0);
  const all = reads.map((_, at) => ({
    begin: at * 10,
    bytes: {
      size: 10,
      read: () => {
        reads[at] = (reads[at] ?? 0) + 1;
        return new Uint8Array(10).fill(at);
      },
    },
  }));
  return { all, reads };
}

test('blocks read again are not fetched again, and those not read for longest go first', () => {
  const { all, reads } = blocks(4);
  const cache = new BlockCache(30);
  const read = (at: number) => cache.read(all, at)[0];
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
  for (const at of [0, 0, 1, 1, 0]) expect(cache.read(all, at)[0]).toBe(at);
  expect(reads).toEqual([2, 1]);
});

/** A Blob that can be read at once, as workers can; `gone`: its bytes are not there any more. */
class DiskBlob {
  readonly #parts: readonly (Uint8Array | DiskBlob)[];
  readonly #gone: boolean;
  constructor(parts: readonly (Uint8Array | DiskBlob)[], gone = false) {
    this.#parts = parts;
    this.#gone = gone;
  }
  get size(): number {
    return this.#parts.reduce((sum, part) => sum + ('size' in part ? part.size : part.length), 0);
  }
  bytes(): Uint8Array<ArrayBuffer> {
    if (this.#gone) throw new Error('gone');
    return joined(this.#parts.map((part) => (part instanceof DiskBlob ? part.bytes() : part)));
  }
}

/** Pieces of these many bytes, each filled with its number; `gone`: the last one. */
function onDisk(count: number, size: number, gone = false) {
  const readings: number[] = [];
  vi.stubGlobal('Blob', DiskBlob);
  vi.stubGlobal(
    'FileReaderSync',
    class {
      readAsArrayBuffer(blob: DiskBlob) {
        const { buffer } = blob.bytes();
        readings.push(buffer.byteLength / size);
        return buffer;
      }
    },
  );
  const pieces = Array.from({ length: count }, (_, at) => {
    const blob = new DiskBlob([new Uint8Array(size).fill(at)], gone && at === count - 1);
    return { begin: at * size, bytes: onDemand({ bytes: blob as unknown as Blob }) };
  });
  return { pieces, readings };
}

test('who reads one block after the other has more and more of those behind read with it', () => {
  const { pieces, readings } = onDisk(40, 256 * 1024);
  const cache = new BlockCache();
  for (let at = 0; at < pieces.length; at++) {
    const bytes = cache.read(pieces, at);
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([256 * 1024, at, at]);
  }
  expect(readings).toEqual([1, 3, 7, 15, 14]);
  // From anywhere else on it begins anew.
  for (const at of [0, 30, 10]) expect(new BlockCache().read(pieces, at)[0]).toBe(at);
  expect(readings.slice(5)).toEqual([1, 1, 1]);
});

test('a block can be read though one behind it is gone', () => {
  const { pieces } = onDisk(3, 10, true);
  const cache = new BlockCache();
  for (const at of [0, 1]) expect(cache.read(pieces, at)[0]).toBe(at);
  expect(() => cache.read(pieces, 2)).toThrow('gone');
});
