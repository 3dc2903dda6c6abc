// Cutting a trace into blocks. A record a line would be too slow, one record a trace could not
// grow: so lines gather in the last block until it is full.
import { joined } from '../lib/bytes.ts';
import { crc32 } from './crc32.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { StoredBlock } from './schema.ts';

export const BLOCK_BYTES = 256 * 1024;
const BLOCK_EVENTS = 1000;

/** Events to add behind those stored. */
export interface EventBatch {
  readonly connection: ConnectionId;
  /** Newest event the writer knows to be stored; 0: none. It is written only if that is so. */
  readonly after: Seq;
  /** Exact lines, each with its 0x0A. */
  readonly bytes: Uint8Array;
  /** For each event: its seq, and where its line ends in `bytes`, after the 0x0A. */
  readonly seqs: readonly Seq[];
  readonly ends: readonly number[];
  readonly frames: number;
}

/** One that lies in memory. The sum of a full one is made of what is written in its place. */
export interface CutBlock extends StoredBlock {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The records to put so that the trace grows by the batch. The first takes the place of `tail`,
 * the trace's last block, while that has room; the key stays, because its first event does.
 */
export function cutBlocks(tail: StoredBlock | undefined, batch: EventBatch): CutBlock[] {
  const blocks: CutBlock[] = [];
  let open = tail && !isFull(tail) ? tail : undefined;
  let held = open?.bytes instanceof Uint8Array ? open.bytes : undefined;
  let begin = 0;
  let start = 0;
  batch.seqs.forEach((seq, i) => {
    const end = batch.ends[i] ?? batch.bytes.length;
    const bytes = (held?.length ?? 0) + end - start;
    const count = (open?.count ?? 0) + i + 1 - begin;
    if (hasRoom(bytes, count) && i + 1 < batch.seqs.length) return;
    const more = batch.bytes.subarray(start, end) as Uint8Array<ArrayBuffer>;
    const place = {
      connection: batch.connection,
      first: open?.first ?? batch.seqs[begin] ?? seq,
      last: seq,
      count,
    };
    if (!held && !hasRoom(bytes, count)) blocks.push({ ...place, bytes: more });
    else {
      // A copy: a record must not carry the whole buffer its lines are a view of.
      const all = joined([...(held ? [held] : []), more]);
      const sum = () => (open && open.sum === undefined ? crc32(all) : crc32(more, open?.sum));
      blocks.push({ ...place, bytes: all, ...(hasRoom(bytes, count) && { sum: sum() }) });
    }
    open = held = undefined;
    begin = i + 1;
    start = end;
  });
  return blocks;
}

/** Nothing is added to it any more. */
export function isFull({ bytes, count }: Pick<StoredBlock, 'bytes' | 'count'>): boolean {
  return !(bytes instanceof Uint8Array && hasRoom(bytes.length, count));
}

function hasRoom(bytes: number, count: number): boolean {
  return bytes < BLOCK_BYTES && count < BLOCK_EVENTS;
}
