// The events of one trace as the bytes of their lines, read when asked for: a million frames cost
// a few numbers each, not a million objects. Bytes that came lie in memory until they are stored; then, and
// where the trace was opened from the database, they are read from there.
import { leading } from '../../lib/list-window.ts';
import { joinedLines } from '../../lib/bytes.ts';
import { float64, uint32, uint8 } from '../../lib/growable.ts';
import { DAMAGED, type StoredBytes } from '../../storage/block-bytes.ts';
import type { ConnectionId, Seq, TraceEvent } from '../../trace/event.ts';
import type { EventBatch } from '../../storage/blocks.ts';
import { decodeUtf8, encodeUtf8, utf8Size } from '../../lib/utf8.ts';
import { LOOK, lookOf, type SearchedLines } from '../../model/query/lines-with.ts';
import { eventLine, frameTextIn, isUnreadable, parseEvent } from '../../trace/format.ts';
import { BLOCKS, type Piece } from './block-cache.ts';

/** Events kept as objects: rows on screen are read again and again. */
const REMEMBERED = 512;
/** Lines handed over at once, and their bytes. */
const MOST_TEXTS = 16_384;
const MOST_TEXT_BYTES = 4 << 20;
/** Lines decoded together for who reads one after the other, and bytes from where on no more are. */
const STRETCH = 64;
const STRETCH_BYTES = 1 << 17;

/** Where the lines stand, in typed arrays that change with them. */
export interface KeptLines {
  readonly starts: Float64Array;
  readonly sizes: Uint32Array;
  readonly seqs: Uint32Array;
  readonly areFrames: Uint8Array;
  readonly looks: Uint8Array;
  readonly made: ReadonlyMap<number, TraceEvent>;
}

/** All parts are there, and of the same lines. */
export function areLinesWhole({
  starts,
  sizes,
  seqs,
  areFrames,
  looks,
  made,
}: Partial<KeptLines>): boolean {
  const length = starts?.length;
  return (
    made !== undefined && [sizes, seqs, areFrames, looks].every((one) => one?.length === length)
  );
}

/** Lines behind each other, up to the place `to`. */
interface Run {
  readonly bytes: Uint8Array;
  readonly to: number;
}

export class LineStore {
  #pieces: Piece[] = [];
  /** The last piece a line was read from. */
  #piece = 0;
  /** Where each line begins, in all bytes of the trace, and its bytes without the 0x0A. */
  readonly #start = float64();
  readonly #size = uint32();
  readonly #seq = uint32();
  readonly #isFrame = uint8();
  readonly #look = uint8();
  /** Events without a line of their own: gaps that nobody recorded, and messages of an array. */
  readonly #made = new Map<number, TraceEvent>();
  readonly #remembered = new Map<number, TraceEvent>();
  /** Lines from a place on as text, and the place behind the one that was read last. */
  #stretch: readonly string[] = [];
  #stretchFrom = 0;
  #next = 0;
  /** The bytes that lines are taken from now, and where they begin. */
  #chunk: Uint8Array | undefined;
  #begin = 0;
  /** Bytes of the trace so far: the lines taken, and what between them is none. */
  bytes = 0;

  get length(): number {
    return this.#seq.length;
  }

  /** Bytes of the lines from a place on, each with its 0x0A. */
  bytesFrom(index: number): number {
    return index < this.length ? this.bytes - this.#start.get(index) : 0;
  }

  /** The line at [start, end) of `chunk`, without its 0x0A, and what it says. The chunk must not change any more. */
  add(chunk: Uint8Array, start: number, end: number, event: TraceEvent, text: string): void {
    this.pass(chunk, start);
    if (this.#pieces.at(-1)?.bytes !== chunk)
      this.#pieces.push({ begin: this.#begin, bytes: chunk });
    this.#push(this.#begin + start, end - start, event);
    this.#look.push(lookOf(event, text));
    this.pass(chunk, end + 1);
  }

  /** Of this chunk, all before `to` was looked at: lines that were added, or are none of this trace. */
  pass(chunk: Uint8Array, to: number): void {
    if (this.#chunk !== chunk) this.#begin = this.bytes;
    this.#chunk = chunk;
    this.bytes = this.#begin + Math.min(to, chunk.length);
  }

  addMade(event: TraceEvent): void {
    this.#made.set(this.length, event);
    this.#push(this.bytes, 0, event);
    this.#look.push(LOOK.always);
  }

  /** What `recall` makes the same lines of, given the same bytes. */
  keep(): KeptLines {
    return {
      starts: this.#start.values(),
      sizes: this.#size.values(),
      seqs: this.#seq.values(),
      areFrames: this.#isFrame.values(),
      looks: this.#look.values(),
      made: new Map(this.#made),
    };
  }

  /** Into a store without lines: those that stand in the first `bytes` of these blocks. */
  recall(kept: KeptLines, blocks: readonly StoredBytes[], bytes: number): void {
    this.#start.take(kept.starts);
    this.#size.take(kept.sizes);
    this.#seq.take(kept.seqs);
    this.#isFrame.take(kept.areFrames);
    this.#look.take(kept.looks);
    for (const [at, event] of kept.made) this.#made.set(at, event);
    this.bytes = bytes;
    this.#lie(blocks);
  }

  /** These blocks hold the same bytes, which need not lie here any more. False: they are others. */
  lieIn(blocks: readonly StoredBytes[]): boolean {
    if (blocks.reduce((sum, { size }) => sum + size, 0) !== this.bytes) return false;
    this.#chunk = undefined;
    this.#lie(blocks);
    return true;
  }

  #lie(blocks: readonly StoredBytes[]): void {
    let begin = 0;
    this.#piece = 0;
    this.#pieces = blocks.map((bytes) => {
      const piece = { begin, bytes };
      begin += bytes.size;
      return piece;
    });
  }

  /**
   * The event at a place from 0, kept for the next look; a gap where its block is damaged. A place that is not
   * there is a bug.
   */
  event(index: number): TraceEvent {
    const known = this.#remembered.get(index);
    if (known) return known;
    const event = this.read(index);
    if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
    this.#remembered.set(index, event);
    return event;
  }

  /** The same, for who reads all of them once. */
  read(index: number): TraceEvent {
    const made = this.#made.get(index);
    if (made) return made;
    let text: string | undefined;
    try {
      text = this.#text(index);
    } catch {
      return { type: 'gap', seq: this.#seq.get(index) as Seq, count: 1, reason: DAMAGED };
    }
    const event = parseEvent(text ?? '');
    if (isUnreadable(event)) throw new Error(`No event at ${index}: ${event.problem}`);
    return event;
  }

  /** As `frameTextIn` the event's line. */
  frameText(index: number): string | undefined {
    return this.#made.has(index) ? undefined : frameTextIn(this.#text(index) ?? '');
  }

  #text(index: number): string | undefined {
    const known = this.#stretch[index - this.#stretchFrom];
    const follows = index === this.#next;
    this.#next = index + 1;
    if (known !== undefined) return known;
    if (!follows) return decodeUtf8(this.#line(index));
    const { bytes, to } = this.#run(index, index + STRETCH, STRETCH_BYTES);
    const texts = decodeUtf8(bytes)?.split('\n') ?? [];
    this.#stretch = texts.length === to - index ? texts : [];
    this.#stretchFrom = index;
    return this.#stretch[0] ?? decodeUtf8(this.#line(index));
  }

  all(): readonly TraceEvent[] {
    return Array.from({ length: this.length }, (_, at) => this.read(at));
  }

  /** The lines from a place on, for the worker that searches them: not many at once. */
  texts(from: number): SearchedLines {
    let to = from;
    let size = 0;
    const parts: Uint8Array[] = [];
    while (to < this.length && to - from < MOST_TEXTS && size < MOST_TEXT_BYTES) {
      const run = this.#runOrBlank(to, from + MOST_TEXTS, MOST_TEXT_BYTES - size);
      parts.push(run.bytes);
      size += run.bytes.length + 1;
      to = run.to;
    }
    const ends = new Uint32Array(to - from);
    let end = -1;
    for (let at = from; at < to; at++) {
      const made = this.#made.get(at);
      const length = made ? utf8Size(eventLine(made)) : this.#size.get(at);
      ends[at - from] = end += length + 1;
    }
    return { bytes: joinedLines(parts), ends, look: this.#look.values().slice(from, to) };
  }

  /** Of the lines of a damaged block as many spaces, in which nothing is found. */
  #runOrBlank(from: number, most: number, bytes: number): Run {
    try {
      return this.#run(from, most, bytes);
    } catch {
      const end = (at: number) => this.#start.get(at) + this.#size.get(at);
      const next = this.#pieces[this.#piece + 1]?.begin ?? this.bytes;
      let to = from + 1;
      while (
        to < Math.min(this.length, most) &&
        this.#start.get(to) === end(to - 1) + 1 &&
        end(to) < next
      )
        to++;
      return { bytes: new Uint8Array(end(to - 1) - this.#start.get(from)).fill(0x20), to };
    }
  }

  /** The lines from a place on that lie behind each other, without the last 0x0A. */
  #run(from: number, most: number, bytes: number): Run {
    const made = this.#made.get(from);
    if (made) return { bytes: encodeUtf8(eventLine(made)), to: from + 1 };
    const { begin, held } = this.#at(from);
    const start = this.#start.get(from);
    let end = start + this.#size.get(from);
    let to = from + 1;
    for (; to < Math.min(this.length, most); to++) {
      const next = this.#start.get(to) + this.#size.get(to);
      const follows = this.#start.get(to) === end + 1 && !this.#made.has(to);
      if (!follows || next - begin > held.length || next - start >= bytes) break;
      end = next;
    }
    return { bytes: held.subarray(start - begin, end - begin), to };
  }

  /** Where the event stands; undefined: there is none of this seq. */
  indexOf(seq: Seq): number | undefined {
    const index = this.after(seq - 1);
    return index < this.length && this.#seq.get(index) === seq ? index : undefined;
  }

  /** The place of the first event with a greater seq; `length` if there is none. */
  after(seq: number): number {
    return leading(this.length, (place) => this.#seq.get(place) <= seq);
  }

  /** The lines from a place on, about `most` bytes of them, far fewer than the cache keeps, to be stored behind `after`. */
  batch(connection: ConnectionId, after: Seq, from: number, most: number): EventBatch | undefined {
    const seqs: Seq[] = [];
    const ends: number[] = [];
    const lines: Uint8Array[] = [];
    let frames = 0;
    let size = 0;
    for (let to = from; to < this.length && size < most; to++) {
      if (this.#made.has(to)) continue;
      const line = this.#line(to);
      lines.push(line);
      size += line.length + 1;
      seqs.push(this.#seq.get(to) as Seq);
      ends.push(size);
      frames += this.#isFrame.get(to);
    }
    if (seqs.length === 0) return undefined;
    return { connection, after, seqs, ends, frames, bytes: joinedLines(lines) };
  }

  #line(index: number): Uint8Array {
    const { begin, held } = this.#at(index);
    const start = this.#start.get(index) - begin;
    return held.subarray(start, start + this.#size.get(index));
  }

  /** The bytes that a line stands in, and where they begin. */
  #at(index: number): { readonly begin: number; readonly held: Uint8Array } {
    const start = this.#start.get(index);
    const next = this.#pieces[this.#piece + 1]?.begin ?? Infinity;
    if (start < (this.#pieces[this.#piece]?.begin ?? 0) || start >= next)
      this.#piece =
        leading(this.#pieces.length, (at) => (this.#pieces[at]?.begin ?? 0) <= start) - 1;
    const { begin = 0 } = this.#pieces[this.#piece] ?? {};
    return { begin, held: BLOCKS.read(this.#pieces, this.#piece) };
  }

  #push(start: number, size: number, event: TraceEvent): void {
    this.#start.push(start);
    this.#size.push(size);
    this.#seq.push(event.seq);
    this.#isFrame.push(event.type === 'frame' ? 1 : 0);
  }
}
