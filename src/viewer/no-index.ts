// In place of what keeps what is known of a trace beside its bytes: here nothing outlives the page. Who would keep
// it goes on without, as with a trace that cannot be kept.
import type { Piece } from '../engine/traces/block-cache.ts';
import type { StoredBlock } from '../storage/schema.ts';

export const INDEX_VERSION = 0;

export function keepIndex(): never {
  throw new Error('Nothing is kept in the page of one trace.');
}

export { keepIndex as pack, keepIndex as unpack };

export const recallIndex = (): void => undefined;

/** Nor its first rows, which are shown until a stored trace is read. */
export { recallIndex as believed };
export const firstScreens = (): Promise<() => void> => Promise.resolve(recallIndex);

/** Nor is a block compressed, or damaged by a disk. */
export const DAMAGED = '';
export const crc32 = (): number => 0;
const bytesOf = ({ bytes }: Pick<StoredBlock, 'bytes'>) =>
  bytes instanceof Uint8Array ? bytes : new Uint8Array();
export const blockBytes = (block: StoredBlock) => Promise.resolve(bytesOf(block));
export const onDemand = (block: StoredBlock) => {
  const bytes = bytesOf(block);
  return { size: bytes.length, read: () => bytes };
};

/** In place of the blocks that were read last: all of the trace lies in memory. */
export const BLOCKS = {
  read(pieces: readonly Piece[], at: number): Uint8Array {
    const { bytes = new Uint8Array() } = pieces[at] ?? {};
    return bytes instanceof Uint8Array ? bytes : bytes.read();
  },
};

/** In place of who watches how full the browser's storage is: nothing is stored, and nothing waits for it. */
export class StorageWatch {
  behind = (): number => 0;
  problem(): void {
    return undefined;
  }
  refresh(): void {
    return undefined;
  }
  state() {
    return { used: 0, quota: 0, behind: 0 };
  }
}
