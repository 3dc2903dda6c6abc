// Server-sent events: bytes in, events out, with the exact bytes of their data. Chunks may be cut
// anywhere; lines end in LF, CRLF or CR. Of one event, the lines of its data are joined by LF. A long line
// stays in the pieces it came in: joined, it would take its bytes twice.
import { LineSplitter } from '../lines.ts';
import { joined, PIECE_COST, sizeOf } from '../bytes.ts';
import { decodeLossy } from '../utf8.ts';

export interface SseEvent {
  /** In one piece or several. */
  readonly data: readonly Uint8Array[];
  /** As this event itself gives it. */
  readonly id?: string;
  readonly event?: string;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const NEWLINE = new Uint8Array([LF]);
const NONE = new Uint8Array();
const MOST_NAME = 1024;
/** A longer one is not joined. */
const LONG = 64 * 1024;

export class SseParser {
  readonly #lines = new LineSplitter();
  #isFirst = true;
  /** The last byte was a CR, whose LF may follow. */
  #afterCr = false;
  /** Its lines, each in one piece or several, with an LF between them. */
  #data: Uint8Array[] = [];
  #size = 0;
  #id: string | undefined;
  #event: string | undefined;
  /** Named since, and counts once its event is whole. */
  #nextId: string | undefined;
  #lastId: string | undefined;
  #retry: number | undefined;

  /** What a reconnect goes on behind; undefined: no event that came whole has named itself. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Milliseconds before a reconnect, as the server wishes. */
  get retry(): number | undefined {
    return this.#retry;
  }

  /** What the unfinished event takes. */
  get held(): number {
    return this.#lines.held + this.#size;
  }

  /** The events that this chunk completes, in order. */
  push(chunk: Uint8Array): SseEvent[] {
    const lines = this.#withLf(chunk);
    const end = this.#lines.held > LONG ? lines.indexOf(LF) : -1;
    if (end >= 0) this.#takeLong([...this.#lines.take(), lines.slice(0, end)]);
    return this.#lines.push(lines.subarray(end + 1)).flatMap((line) => this.#take(line) ?? []);
  }

  /** What is unfinished is given up. */
  drop(): void {
    this.#lines.take();
    this.#data = [];
    this.#size = 0;
  }

  /** The stream ended: an event without its empty line, which a browser would throw away. */
  end(): SseEvent | undefined {
    if (this.#lines.held > LONG) this.#takeLong(this.#lines.take());
    else {
      const rest = this.#lines.end();
      if (rest) this.#take(rest);
    }
    return this.#finished();
  }

  /** The same chunk with every line end an LF. */
  #withLf(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk;
    const own = this.#afterCr && chunk[0] === LF ? chunk.subarray(1) : chunk;
    this.#afterCr = own.length > 0 && own[own.length - 1] === CR;
    if (!own.includes(CR)) return own;
    const lines = new Uint8Array(own.length);
    let length = 0;
    for (let at = 0; at < own.length; at++) {
      const byte = own[at] ?? 0;
      lines[length++] = byte === CR ? LF : byte;
      if (byte === CR && own[at + 1] === LF) at++;
    }
    return lines.subarray(0, length);
  }

  #take(line: Uint8Array): SseEvent | undefined {
    const bytes = this.#withoutMark(line);
    if (bytes.length === 0) {
      this.#lastId = this.#nextId;
      return this.#finished();
    }
    this.#field(bytes, []);
    return undefined;
  }

  #takeLong([first = NONE, second = NONE, ...rest]: readonly Uint8Array[]): void {
    // The field's name stands in the beginning, however small the first chunk was.
    const isEnough = first.length > MOST_NAME;
    const beginning = this.#withoutMark(isEnough ? first : joined([first, second]));
    this.#field(beginning, isEnough ? [second, ...rest] : rest);
  }

  /** A line that is not empty, with what of it is in pieces of its own. */
  #field(line: Uint8Array, more: readonly Uint8Array[]): void {
    const colon = line.indexOf(COLON);
    const name = decodeLossy(colon < 0 ? line.subarray(0, MOST_NAME) : line.subarray(0, colon));
    const value = colon < 0 ? NONE : line.subarray(colon + (line[colon + 1] === 0x20 ? 2 : 1));
    switch (name) {
      case 'data':
        if (this.#data.length > 0) this.#data.push(NEWLINE);
        this.#data.push(value, ...more);
        this.#size += value.length + sizeOf(more) + PIECE_COST;
        return;
      case 'id':
        if ([value, ...more].some((piece) => piece.includes(0))) return;
        this.#id = this.#nextId = decodeLossy(value.subarray(0, MOST_NAME));
        return;
      case 'event':
        this.#event = decodeLossy(value.subarray(0, MOST_NAME));
        return;
      case 'retry': {
        const text = decodeLossy(value.subarray(0, MOST_NAME));
        if (/^\d{1,9}$/.test(text)) this.#retry = Number(text);
      }
    }
  }

  #withoutMark(line: Uint8Array): Uint8Array {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst ? withoutMark(line) : line;
  }

  /** An event without data is none; its id counts. */
  #finished(): SseEvent | undefined {
    const [data, id, event] = [this.#data, this.#id, this.#event];
    this.#data = [];
    this.#size = 0;
    this.#id = this.#event = undefined;
    if (data.length === 0) return undefined;
    return {
      data,
      ...(id && { id }),
      ...(event && { event }),
    };
  }
}

function withoutMark(line: Uint8Array): Uint8Array {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}
