// Reading a trace file while it grows: what it is, where an event stands in it, and its lines as
// they are. Lines are found by a binary search, because seq only grows: nothing is read twice and
// nothing is kept in memory, however long the recording. A last line without its 0x0A is not read.
import type { FileHandle } from 'node:fs/promises';
import { seq, type Seq } from '../../trace/event.ts';
import { isUnreadable, parseHeader, type Header } from '../../trace/format.ts';

export interface TraceFacts {
  readonly header: Header;
  /** Where the first event's line starts. */
  readonly start: number;
}

export interface Tail {
  /** The newest event; 0: none. */
  readonly last: Seq;
  readonly exited: boolean;
  /** Where the last whole line ends. */
  readonly end: number;
  /** When the newest event was, and the number the next one gets; undefined: that cannot be told. */
  readonly at: number;
  readonly next: number | undefined;
}

/** Whole lines, each with its 0x0A. */
export interface SpoolBatch {
  readonly first: Seq;
  readonly last: Seq;
  /** Bytes. */
  readonly size: number;
  /** The bytes, of a line of many megabytes read as they are asked for: only a long one has several parts. */
  readonly parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const NEWLINE = 0x0a;
const BLOCK = 64 * 1024;
/** A command line has less; what has more before its first 0x0A is no trace. */
const MOST_HEADER = 16 * 1024 * 1024;
/** Lines at the end that may be unreadable; a file with more of them is left as it is. */
const MOST_SKIPPED = 100;
/** Every line starts as the recorder writes it; this holds the longest such start. */
const HEAD = 128;
const START = /^\{"type":"([a-z]+)","seq":(\d+)(?:,"at":([\d.e+-]+)(?:,"count":(\d+))?)?[,}]/;

/** Events and bytes of one batch; a longer line goes alone. */
const BATCH_EVENTS = 1000;
export const BATCH_BYTES = 256 * 1024;
/** Bytes of a longer line that are read at once. */
export const PART_BYTES = 2 * 1024 * 1024;

/** `not_whole`: the header line is still being written. `foreign`: this is no trace of ours. */
export async function readHeader(file: FileHandle): Promise<TraceFacts | 'not_whole' | 'foreign'> {
  const { size } = await file.stat();
  const end = await newlineAfter(file, 0, Math.min(size, MOST_HEADER));
  if (end === undefined) return size < MOST_HEADER ? 'not_whole' : 'foreign';
  const header = parseHeader((await read(file, 0, end)).toString('utf8'));
  return isUnreadable(header) ? 'foreign' : { header, start: end + 1 };
}

/** What stands at the end of a file of this size whose events start at `start`. */
export async function readTail(file: FileHandle, start: number, size: number): Promise<Tail> {
  const newline = await newlineBefore(file, start, size);
  if (newline === undefined) return { last: seq(0), exited: false, end: start, at: 0, next: 1 };
  let stop = newline;
  // A line that cannot be read has a number all the same: the one before it tells which.
  for (let skipped = 0; skipped <= MOST_SKIPPED; skipped++) {
    const before = await newlineBefore(file, start, stop);
    const line = (before ?? start - 1) + 1;
    const head = headOf(await read(file, line, Math.min(HEAD, stop - line)));
    if (head) {
      const exited = head.type === 'exit' && skipped === 0;
      const { seq: last, at, count } = head;
      return { last, exited, end: newline + 1, at, next: last + count + skipped };
    }
    if (before === undefined) break;
    stop = before;
  }
  return { last: seq(0), exited: false, end: newline + 1, at: 0, next: undefined };
}

/** Where the line of the first event after `after` starts, or `size` if there is none yet. */
export async function locateLine(
  file: FileHandle,
  after: Seq,
  start: number,
  size: number,
): Promise<number> {
  let low = start;
  // The answer if no line that starts in [low, top) is it.
  let answer = size;
  let top = size;
  while (top - low > BLOCK) {
    const middle = low + Math.floor((top - low) / 2);
    const newline = await newlineAfter(file, middle, top);
    const line = newline === undefined ? top : newline + 1;
    if (line >= top) {
      top = middle + 1;
      continue;
    }
    // An unreadable line counts as later: what is sent twice is dropped, what is skipped is lost.
    const head = headOf(await read(file, line, HEAD));
    if (head && head.seq <= after) low = line;
    else {
      answer = line;
      top = line;
    }
  }
  const bytes = await read(file, low, top - low + HEAD);
  for (let at = 0; low + at < top;) {
    const head = headOf(bytes.subarray(at, at + HEAD));
    if (!head || head.seq > after) return Math.min(low + at, answer);
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0) break;
    at = newline + 1;
  }
  return answer;
}

/** The next lines from `offset`; undefined if no whole line is there yet. */
export async function readBatch(
  file: FileHandle,
  offset: number,
  size: number,
): Promise<SpoolBatch | undefined> {
  const bytes = await read(file, offset, Math.min(BATCH_BYTES, size - offset));
  const end = endOfLines(bytes);
  const first = headOf(bytes)?.seq ?? seq(0);
  if (end > 0) {
    const lines = bytes.subarray(0, end);
    const lastLine = lines.subarray(lines.lastIndexOf(NEWLINE, end - 2) + 1);
    return { first, last: headOf(lastLine)?.seq ?? first, size: end, parts: [lines] };
  }
  const alone = (stop: number, parts: SpoolBatch['parts']) => ({
    ...{ first, last: first, size: stop - offset, parts },
  });
  const held = [bytes];
  let at = offset + bytes.length;
  while (at < size && at - offset < PART_BYTES) {
    const next = await read(file, at, Math.min(BATCH_BYTES, size - at));
    const stop = next.indexOf(NEWLINE) + 1;
    held.push(stop > 0 ? next.subarray(0, stop) : next);
    if (stop > 0) return alone(at + stop, held);
    if (next.length === 0) return undefined;
    at += next.length;
  }
  const newline = await newlineAfter(file, at, size);
  return newline === undefined ? undefined : alone(newline + 1, partsOf(file, offset, newline + 1));
}

async function* partsOf(file: FileHandle, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const part = await read(file, at, Math.min(PART_BYTES, to - at));
    if (part.length === 0) throw new Error('The file is shorter than it was.');
    yield part;
    at += part.length;
  }
}

/** Where the last whole line ends, at most so many lines on; 0: none is whole. */
function endOfLines(bytes: Buffer): number {
  let end = 0;
  for (let count = 0; count < BATCH_EVENTS; count++) {
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline < 0) break;
    end = newline + 1;
  }
  return end;
}

interface Start {
  readonly type: string;
  readonly seq: Seq;
  readonly at: number;
  /** How many seqs it stands for: a gap stands for those it lacks. */
  readonly count: number;
}

function headOf(line: Uint8Array): Start | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, Math.min(HEAD, line.length));
  const match = START.exec(text.toString('latin1'));
  if (!match) return undefined;
  const [, type = '', number, at = 0, count = 1] = match;
  const start = { type, seq: seq(Number(number)), at: Number(at), count: Number(count) };
  const isSound = Number.isSafeInteger(start.seq + start.count) && Number.isFinite(start.at);
  return isSound ? start : undefined;
}

async function newlineAfter(
  file: FileHandle,
  from: number,
  to: number,
): Promise<number | undefined> {
  const block = Buffer.allocUnsafe(BLOCK);
  for (let at = from; at < to; at += BLOCK) {
    const found = (await read(file, at, Math.min(BLOCK, to - at), block)).indexOf(NEWLINE);
    if (found >= 0) return at + found;
  }
  return undefined;
}

async function newlineBefore(
  file: FileHandle,
  from: number,
  to: number,
): Promise<number | undefined> {
  const block = Buffer.allocUnsafe(BLOCK);
  for (let end = to; end > from; end -= BLOCK) {
    const at = Math.max(from, end - BLOCK);
    const found = (await read(file, at, end - at, block)).lastIndexOf(NEWLINE);
    if (found >= 0) return at + found;
  }
  return undefined;
}

/** Fewer bytes than asked for only at the end of the file. */
async function read(
  file: FileHandle,
  offset: number,
  length: number,
  into = Buffer.allocUnsafe(Math.max(0, length)),
): Promise<Buffer> {
  let got = 0;
  while (got < length) {
    const { bytesRead } = await file.read(into, got, length - got, offset + got);
    if (bytesRead === 0) break;
    got += bytesRead;
  }
  return into.subarray(0, got);
}
