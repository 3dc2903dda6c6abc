// The events of one trace as the bytes of their lines, read when asked for: a million frames cost
// their bytes and a few numbers each, not a million objects.
import { leading } from '../../lib/list-window.ts';
import { joinedLines } from '../../lib/bytes.ts';
import { float64, uint32, uint8 } from '../../lib/growable.ts';
import type { ConnectionId, Gap, Seq, TraceEvent } from '../../trace/event.ts';
import type { Batch } from '../../storage/blocks.ts';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { LOOK, lookOf, type Lines } from '../../model/query/lines-with.ts';
import { eventLine, isUnreadable, parseEvent } from '../../trace/format.ts';

/** Events kept as objects: rows on screen are read again and again. */
const REMEMBERED = 512;
/** Lines handed over at once, and their bytes. */
const MOST_TEXTS = 16_384;
const MOST_TEXT_BYTES = 4 << 20;

export class LineStore {
  readonly #chunks: Uint8Array[] = [];
  readonly #chunk = uint32();
  readonly #start = uint32();
  readonly #end = uint32();
  readonly #seq = uint32();
  readonly #isFrame = uint8();
  readonly #look = uint8();
  /** Bytes of all lines before. */
  readonly #before = float64();
  /** Gaps nobody recorded: there is no line of them, only the hole they stand for. */
  readonly #gaps = new Map<number, Gap>();
  readonly #remembered = new Map<number, TraceEvent>();
  #bytes = 0;

  get length(): number {
    return this.#seq.length;
  }

  /** Bytes of the lines from a place on, each with its 0x0A. */
  bytesFrom(index: number): number {
    return index < this.length ? this.#bytes - this.#before.get(index) : 0;
  }

  /** The line at [start, end) of `chunk`, without its 0x0A, and what it says. The chunk must not change any more. */
  add(chunk: Uint8Array, start: number, end: number, event: TraceEvent, text: string): void {
    if (this.#chunks.at(-1) !== chunk) this.#chunks.push(chunk);
    this.#push(this.#chunks.length - 1, start, end, event);
    this.#look.push(lookOf(event, text));
    this.#bytes += end - start + 1;
  }

  addGap(gap: Gap): void {
    this.#gaps.set(this.length, gap);
    this.#push(0, 0, 0, gap);
    this.#look.push(LOOK.always);
  }

  /** The event at a place from 0, kept for the next look; a place that is not there is a bug. */
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
    const gap = this.#gaps.get(index);
    if (gap) return gap;
    const event = parseEvent(decodeUtf8(this.#line(index)) ?? '');
    if (isUnreadable(event)) throw new Error(`No event at ${index}: ${event.problem}`);
    return event;
  }

  all(): readonly TraceEvent[] {
    return Array.from({ length: this.length }, (_, at) => this.read(at));
  }

  /** The lines from a place on, for the worker that searches them: not many at once. */
  texts(from: number): Lines {
    let to = from;
    let size = 0;
    const parts: Uint8Array[] = [];
    while (to < this.length && to - from < MOST_TEXTS && size < MOST_TEXT_BYTES) {
      const run = this.#run(to, from + MOST_TEXTS, MOST_TEXT_BYTES - size);
      parts.push(run.bytes);
      size += run.bytes.length + 1;
      to = run.to;
    }
    const ends = new Uint32Array(to - from);
    let end = -1;
    for (let at = from; at < to; at++) {
      const gap = this.#gaps.get(at);
      const length = gap
        ? encodeUtf8(eventLine(gap)).length
        : this.#end.get(at) - this.#start.get(at);
      ends[at - from] = end += length + 1;
    }
    return { bytes: joinedLines(parts), ends, look: this.#look.values().slice(from, to) };
  }

  /** The lines from a place on that lie behind each other, without the last 0x0A. */
  #run(
    from: number,
    most: number,
    bytes: number,
  ): { readonly bytes: Uint8Array; readonly to: number } {
    const gap = this.#gaps.get(from);
    if (gap) return { bytes: encodeUtf8(eventLine(gap)), to: from + 1 };
    const chunk = this.#chunk.get(from);
    const start = this.#start.get(from);
    let to = from + 1;
    while (
      to < Math.min(this.length, most) &&
      this.#chunk.get(to) === chunk &&
      this.#start.get(to) === this.#end.get(to - 1) + 1 &&
      this.#end.get(to) - start < bytes
    )
      to++;
    return {
      bytes: this.#chunks[chunk]?.subarray(start, this.#end.get(to - 1)) ?? new Uint8Array(),
      to,
    };
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

  /** The lines from a place on, about `most` bytes of them, to be stored behind `after`. */
  batch(connection: ConnectionId, after: Seq, from: number, most: number): Batch | undefined {
    const seqs: Seq[] = [];
    const ends: number[] = [];
    const lines: Uint8Array[] = [];
    let frames = 0;
    let size = 0;
    for (let to = from; to < this.length && size < most; to++) {
      if (this.#gaps.has(to)) continue;
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
    const chunk = this.#chunks[this.#chunk.get(index)];
    return chunk?.subarray(this.#start.get(index), this.#end.get(index)) ?? new Uint8Array();
  }

  #push(chunk: number, start: number, end: number, event: TraceEvent): void {
    this.#chunk.push(chunk);
    this.#start.push(start);
    this.#end.push(end);
    this.#before.push(this.#bytes);
    this.#seq.push(event.seq);
    this.#isFrame.push(event.type === 'frame' ? 1 : 0);
  }
}
