// The bytes of a stored block: a block that is full lies in the database compressed, and as a Blob, which names
// bytes on disk without reading them, so that an opened trace need not lie in memory.
import { isFull, type CutBlock } from './blocks.ts';
import { crc32 } from './crc32.ts';
import { compress, decompress, OTHER_BYTES } from '../lib/lz4.ts';
import type { StoredBlock } from './schema.ts';

/** Where so many bytes may be made; undefined: anywhere. */
export type RoomFor = (size: number) => ArrayBuffer | undefined;

/** Bytes that are read when they are asked for. */
export interface StoredBytes {
  readonly size: number;
  /** At once; throws where the browser has taken them away. */
  read(room?: RoomFor): Uint8Array;
  /** Where they lie on disk. */
  readonly lying?: Lying;
}

interface Lying {
  readonly blob: Blob;
  /** What its bytes are made into. */
  lines(bytes: Uint8Array, room?: RoomFor): Uint8Array;
}

/** The reason of a gap. */
export const DAMAGED =
  'their bytes in the browser’s database cannot be read, or are not those that were written';

type Block = Pick<StoredBlock, 'bytes' | 'size' | 'sum'>;

/** What workers have, and only they: reading a Blob without waiting. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

/** As it is put into the database. */
export function onDisk(block: CutBlock): StoredBlock {
  if (!isFull(block)) return block;
  const { length } = block.bytes;
  const small = compress(block.bytes);
  if (small.length >= length)
    return { ...block, bytes: new Blob([block.bytes]), sum: crc32(block.bytes) };
  return { ...block, bytes: new Blob([small]), size: length, sum: crc32(small) };
}

export function onDemand(block: Block): StoredBytes {
  const { bytes } = block;
  if (!(bytes instanceof Blob)) return { size: bytes.length, read: () => linesOf(block, bytes) };
  const lines = (read: Uint8Array, room?: RoomFor) => linesOf(block, read, room);
  return {
    size: block.size ?? bytes.size,
    lying: { blob: bytes, lines },
    read: (room) => lines(readNow(bytes), room),
  };
}

/**
 * What these blocks hold, or as many of them from the first on as can be read in one go: a reading costs
 * as much as the megabyte that it reads. Throws as the first of them does.
 */
export function readTogether(
  blocks: readonly StoredBytes[],
  room?: RoomFor,
): readonly Uint8Array[] {
  const [first] = blocks;
  if (!first) return [];
  const all = blocks.flatMap(({ lying }) => lying ?? []);
  if (blocks.length > 1 && all.length === blocks.length)
    try {
      const bytes = readNow(new Blob(all.map(({ blob }) => blob)));
      let end = 0;
      return all.map(({ blob, lines }) => lines(bytes.subarray(end, (end += blob.size)), room));
    } catch {
      // One of the others may be gone.
    }
  return [first.read(room)];
}

function readNow(blob: Blob): Uint8Array {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
}

export async function blockBytes(block: Block): Promise<Uint8Array> {
  const { bytes } = block;
  return linesOf(block, bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes);
}

/** Throws where they are not the bytes that were written, as far as that is known. */
function linesOf({ size, sum }: Block, bytes: Uint8Array, room?: RoomFor): Uint8Array {
  if (sum !== undefined && crc32(bytes) !== sum) throw new Error(OTHER_BYTES);
  return size === undefined ? bytes : decompress(bytes, size, room?.(size));
}
