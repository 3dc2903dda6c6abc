// A ZIP archive of logs: its files as they stand, each unpacked as it is read. An archive is a
// stranger's: it may lie about sizes, and unpack to more than any disk holds. A browser and Node bring
// what inflates; a library would add no more than what reads the directory.
import { chunksOf } from '../../lib/bytes.ts';
import { formatCount } from '../../lib/format.ts';

export interface ZipEntry {
  readonly name: string;
  /** Bytes that the directory states: packed, and unpacked. */
  readonly packed: number;
  readonly size: number;
  /** Its place in the archive. */
  readonly at: number;
  /** Unpacked. It may throw what the browser or Node says of damaged bytes. */
  open(): AsyncGenerator<Uint8Array>;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const END_SIZE = 22;
/** Bytes before a file's name and its data. */
const LOCAL_SIZE = 30;
const MAX_ENTRIES = 10_000;
/** In place of a number that is written elsewhere: in an archive of more than 65,535 files or 4 GiB (ZIP64). */
const ELSEWHERE = [0xffff, 0xffffffff] as const;
const STORED = 0;
const DEFLATED = 8;

export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
}

/** The files of an archive, in its order; a sentence where it cannot be read. */
export function zipEntries(bytes: Uint8Array): readonly ZipEntry[] | { readonly problem: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined)
    return { problem: 'This ZIP archive is cut off: it has no directory. Download it once more.' };
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  const count = view.getUint16(end + 10, true);
  if (count === ELSEWHERE[0] || at === ELSEWHERE[1])
    return {
      problem:
        'This ZIP archive is one for many files (ZIP64), which is not read here. Unpack it and open its logs.',
    };
  if (count > MAX_ENTRIES)
    return {
      problem: `This ZIP archive holds ${formatCount(count)} files; at most ${formatCount(MAX_ENTRIES)} are read. Unpack it and open its logs.`,
    };
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL)
      return {
        problem: 'The directory of this ZIP archive is damaged. Unpack it and open its logs.',
      };
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    entries.push(entryAt(bytes, view, at, name ?? 0));
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

/** True if two files share bytes: then the archive unpacks to more than it holds. */
export function overlap(entries: readonly ZipEntry[]): boolean {
  const inOrder = [...entries].sort((a, b) => a.at - b.at);
  return inOrder.some(
    ({ at, packed }, i) => (inOrder[i + 1]?.at ?? Infinity) < at + LOCAL_SIZE + packed,
  );
}

/** A comment of up to 64 KiB may stand behind the end record. */
function endOf(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - END_SIZE - 0xffff);
  for (let at = view.byteLength - END_SIZE; at >= first; at--)
    if (view.getUint32(at, true) === END) return at;
  return undefined;
}

function entryAt(bytes: Uint8Array, view: DataView, at: number, nameSize: number): ZipEntry {
  const method = view.getUint16(at + 10, true);
  const packed = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const local = view.getUint32(at + 42, true);
  const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize));
  return {
    ...{ name, packed, size, at: local },
    async *open() {
      if (local + LOCAL_SIZE > bytes.length) throw new Error(`${name} lies outside of the archive`);
      const start =
        local + LOCAL_SIZE + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const data = bytes.subarray(start, start + packed);
      if (method === STORED) yield data;
      else if (method === DEFLATED) yield* inflated(data);
      else throw new Error(`${name} is packed in a way (${method}) that cannot be read`);
    },
  };
}

function inflated(data: Uint8Array): AsyncGenerator<Uint8Array> {
  const packed = new Blob([new Uint8Array(data)]).stream();
  return chunksOf(packed.pipeThrough(new DecompressionStream('deflate-raw')));
}
