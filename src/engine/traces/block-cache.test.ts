import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { joined } from '../../lib/bytes.ts';
import { onDemand, onDisk } from '../../storage/block-bytes.ts';
import { connectionId, seq } from '../../trace/event.ts';
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

/** The sizes of what is read from disk at once. */
function readings(): number[] {
  const sizes: number[] = [];
  vi.stubGlobal('Blob', DiskBlob);
  vi.stubGlobal(
    'FileReaderSync',
    class {
      readAsArrayBuffer(blob: DiskBlob) {
        const { buffer } = blob.bytes();
        sizes.push(buffer.byteLength);
        return buffer;
      }
    },
  );
  return sizes;
}

/** Pieces of these many bytes, each filled with its number; `gone`: the last one. */
function lying(count: number, size: number, gone = false) {
  return Array.from({ length: count }, (_, at) => {
    const blob = new DiskBlob([new Uint8Array(size).fill(at)], gone && at === count - 1);
    return { begin: at * size, bytes: onDemand({ bytes: blob as unknown as Blob }) };
  });
}

test('who reads one block after the other has more and more of those behind read with it', () => {
  const size = 256 * 1024;
  const sizes = readings();
  const pieces = lying(40, size);
  const cache = new BlockCache();
  for (let at = 0; at < pieces.length; at++) {
    const bytes = cache.read(pieces, at);
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([size, at, at]);
  }
  expect(sizes).toEqual([1, 3, 7, 15, 14].map((count) => count * size));
  // From anywhere else on it begins anew.
  for (const at of [0, 30, 10]) expect(new BlockCache().read(pieces, at)[0]).toBe(at);
  expect(sizes.slice(5)).toEqual([size, size, size]);
});

test('R-38 what is read long after another block takes its room, and says what was written', () => {
  readings();
  const [connection, first, last] = [connectionId('c'), seq(1), seq(1)];
  const pieces = Array.from({ length: 60 }, (_, at) => {
    const bytes = new Uint8Array(250_000 + at * 100).fill(at);
    const stored = onDisk({ connection, first, last, count: 1000, bytes });
    return { begin: 0, bytes: onDemand(stored) };
  });
  const cache = new BlockCache(1 << 20);
  const rooms = new Set<ArrayBufferLike>();
  for (const at of [...pieces.keys(), ...[...pieces.keys()].reverse()]) {
    const bytes = cache.read(pieces, at);
    rooms.add(bytes.buffer);
    expect(bytes.every((byte) => byte === at) && bytes.length).toBe(250_000 + at * 100);
    // Those before it are as they were, too.
    for (const before of [at - 1, at - 2])
      if (before >= 0) expect(cache.read(pieces, before)[9]).toBe(before);
  }
  expect(rooms.size).toBeLessThan(40);
});

test('a block can be read though one behind it is gone', () => {
  readings();
  const pieces = lying(3, 10, true);
  const cache = new BlockCache();
  for (const at of [0, 1]) expect(cache.read(pieces, at)[0]).toBe(at);
  expect(() => cache.read(pieces, 2)).toThrow('gone');
});

test('R-38 blocks say what was written, those of before that are not compressed too', () => {
  readings();
  const [connection, first, last] = [connectionId('c'), seq(1), seq(1)];
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.string({ maxLength: 9 }).map((text) => Buffer.from(text.repeat(40))),
  );
  const block = fc.record({ bytes, count: fc.constantFrom(1, 1000), isOld: fc.boolean() });
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
      const pieces = blocks.map(({ bytes, count, isOld }) => {
        const written = Uint8Array.from(bytes);
        const stored = isOld
          ? { bytes: new Blob([written]) }
          : onDisk({ connection, first, last, count, bytes: written });
        return { begin: 0, bytes: onDemand(stored) };
      });
      const cache = new BlockCache(100);
      for (const [at, { bytes }] of blocks.entries()) {
        expect(pieces[at]?.bytes.size).toBe(bytes.length);
        expect(Buffer.compare(cache.read(pieces, at), bytes)).toBe(0);
      }
    }),
  );
});
