// The bytes of a stored block: a block that is full lies in the database as a Blob, which names bytes on disk
// without reading them, so that an opened trace need not lie in memory.
import type { StoredBlock } from './schema.ts';

/** Bytes that are read when they are asked for. */
export interface StoredBytes {
  readonly size: number;
  /** At once; throws where the browser has taken them away. */
  read(): Uint8Array;
}

/** What workers have, and only they: reading a Blob without waiting. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

export function onDemand({ bytes }: Pick<StoredBlock, 'bytes'>): StoredBytes {
  if (!(bytes instanceof Blob)) return { size: bytes.length, read: () => bytes };
  return {
    size: bytes.size,
    read: () => new Uint8Array(new FileReaderSync().readAsArrayBuffer(bytes)),
  };
}

export async function blockBytes({ bytes }: Pick<StoredBlock, 'bytes'>): Promise<Uint8Array> {
  return bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;
}
