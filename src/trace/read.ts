// Reading a trace as its bytes arrive, from a file, the spool or the database. Each event comes
// with the exact bytes of its line, so that what is stored or exported is what was read.
import { joined } from '../lib/bytes.ts';
import { formatCount } from '../lib/format.ts';
import { LineSplitter } from '../lib/lines.ts';
import { decodeUtf8 } from '../lib/utf8.ts';
import type { TraceEvent } from './event.ts';
import type { ImportReport } from './import/format.ts';
import { isUnreadable, parseEvent, parseHeader, type Header } from './format.ts';
import { decodeLines } from './line-texts.ts';

/** Why a line is no event. */
export const NOT_UTF8_WHY = 'not UTF-8';

const EMPTY = 'This file is empty: there is no trace in it.';
const NEWLINE = 0x0a;

/** Number of lines in a row without an event, after which reading stops. */
export const MOST_ODD = 1_000_000;
/** The sentence about a file that is not read to its end. `line`: the number of the last line read. */
export const tooManyOdd = (line: number, odd: number) =>
  `Import stopped: line ${line} is the last of ${formatCount(odd)} without an event.`;

/** One line after the header: an event, or why it is none. `bytes` without the 0x0A, and what they say as text. */
export type TraceItem =
  | { readonly event: TraceEvent; readonly bytes: Uint8Array; readonly text?: string }
  | { readonly problem: string; readonly bytes: Uint8Array; readonly line: number };

/** One or more lines after the header, without the last 0x0A. */
export interface ReadLines {
  readonly bytes: Uint8Array;
}

/** What reads a file of any format: as it comes in, in chunks of any size. */
export interface Reader<T = TraceItem> {
  /** Undefined until the first line has come. */
  readonly header: Header | undefined;
  /** The header's exact line in our own format, without its 0x0A. */
  readonly headerBytes: Uint8Array | undefined;
  /** The file cannot be read at all: a sentence. Nothing more comes out. */
  readonly problem: string | undefined;
  /** The line of the file that the first event stands on. */
  readonly firstLine: number;
  /** How many lines have come. */
  readonly line: number;
  /** What came of a file of another tool; undefined: it is in a format of ours. */
  readonly report?: ImportReport | undefined;
  push(chunk: Uint8Array): T[];
  /** The file ended. A last line without its 0x0A counts if it is whole, and is a problem if cut. */
  end(): T[];
}

export class TraceReader implements Reader {
  readonly firstLine = 2;
  readonly #splitter = new LineSplitter();
  header: Header | undefined;
  headerBytes: Uint8Array | undefined;
  problem: string | undefined;
  line = 0;

  push(chunk: Uint8Array): TraceItem[] {
    const lines = this.#splitter.push(chunk);
    const texts = decodeLines(lines);
    return lines.flatMap((bytes, at) => this.#take(bytes, texts[at]));
  }

  end(): TraceItem[] {
    const rest = this.#splitter.end();
    const items = rest ? this.#take(rest, decodeUtf8(rest)) : [];
    if (!this.header) this.problem ??= EMPTY;
    return items;
  }

  /** `text`: what the line says; undefined: it is not UTF-8. */
  #take(bytes: Uint8Array, text: string | undefined): TraceItem[] {
    if (this.problem !== undefined) return [];
    this.line++;
    if (!this.header) {
      const header = parseHeader(text ?? '');
      if (isUnreadable(header)) this.problem = header.problem;
      else [this.header, this.headerBytes] = [header, bytes];
      return [];
    }
    if (text === undefined) return [{ problem: NOT_UTF8_WHY, bytes, line: this.line }];
    const event = parseEvent(text, this.header.version);
    return isUnreadable(event) ? [{ ...event, bytes, line: this.line }] : [{ event, bytes, text }];
  }
}

/** Reads the header of our trace format, and passes the lines after the header on without parsing them. */
export class LineReader implements Reader<ReadLines> {
  readonly firstLine = 2;
  /** Bytes of the line that has not ended. */
  #held: Uint8Array[] = [];
  header: Header | undefined;
  headerBytes: Uint8Array | undefined;
  problem: string | undefined;
  line = 0;

  push(chunk: Uint8Array): ReadLines[] {
    const end = chunk.lastIndexOf(NEWLINE);
    // A copy: the caller may use its buffer again.
    const rest = chunk.slice(end + 1);
    const lines =
      end < 0 ? [] : this.#take(joined([...this.#held.splice(0), chunk.subarray(0, end)]));
    if (rest.length > 0) this.#held.push(rest);
    return lines;
  }

  end(): ReadLines[] {
    const lines = this.#held.length > 0 ? this.#take(joined(this.#held.splice(0))) : [];
    if (!this.header) this.problem ??= EMPTY;
    return lines;
  }

  #take(bytes: Uint8Array): ReadLines[] {
    if (this.problem !== undefined) return [];
    this.line++;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.line++;
    if (this.header) return [{ bytes }];
    const end = bytes.indexOf(NEWLINE);
    this.headerBytes = end < 0 ? bytes : bytes.slice(0, end);
    const header = parseHeader(decodeUtf8(this.headerBytes) ?? '');
    if (isUnreadable(header)) this.problem = header.problem;
    else this.header = header;
    return this.header && end >= 0 ? [{ bytes: bytes.subarray(end + 1) }] : [];
  }
}
