// The bytes of a stored block: a block that is full lies in the database as a Blob, which names bytes on disk
// without reading them, so that an opened trace need not lie in memory.
import type { StoredBlock } from './schema.ts';

/** Bytes that are read when they are asked for. */
export interface StoredBytes {
  readonly size: number;
  /** At once; throws where the browser has taken them away. */
  read(): Uint8Array;
  /** Where they lie on disk. */
  readonly blob?: Blob;
}

/** What workers have, and only they: reading a Blob without waiting. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

export function onDemand({ bytes }: Pick<StoredBlock, 'bytes'>): StoredBytes {
  if (!(bytes instanceof Blob)) return { size: bytes.length, read: () => bytes };
  return { size: bytes.size, blob: bytes, read: () => readNow(bytes) };
}

/**
 * What these blocks hold, or as many of them from the first on as can be read in one go: a reading costs
 * as much as the megabyte that it reads. Throws as the first of them does.
 */
export function readTogether(blocks: readonly StoredBytes[]): readonly Uint8Array[] {
  const [first] = blocks;
  if (!first) return [];
  const blobs = blocks.flatMap(({ blob }) => blob ?? []);
  if (blocks.length > 1 && blobs.length === blocks.length)
    try {
      const all = readNow(new Blob(blobs));
      let end = 0;
      const parts = blobs.map(({ size }) => all.subarray(end, (end += size)));
      if (end === all.length) return parts;
    } catch {
      // One of the others may be gone.
    }
  return [first.read()];
}

function readNow(blob: Blob): Uint8Array {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
}

export async function blockBytes({ bytes }: Pick<StoredBlock, 'bytes'>): Promise<Uint8Array> {
  return bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;
}
