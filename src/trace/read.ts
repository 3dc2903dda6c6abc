// Reading a trace as its bytes arrive, from a file, the spool or the database. Each event comes
// with the exact bytes of its line, so that what is stored or exported is what was read.
import { LineSplitter } from '../lib/lines.ts';
import { decodeUtf8 } from '../lib/utf8.ts';
import type { TraceEvent } from './event.ts';
import type { ImportReport } from './import/format.ts';
import { isUnreadable, parseEvent, parseHeader, type Header } from './format.ts';
import { decodeLines } from './line-texts.ts';

/** Why a line is no event. */
export const NOT_UTF8_WHY = 'not UTF-8';

/** One line after the header: an event, or why it is none. `bytes` without the 0x0A, and what they say as text. */
export type TraceItem =
  | { readonly event: TraceEvent; readonly bytes: Uint8Array; readonly text?: string }
  | { readonly problem: string; readonly bytes: Uint8Array; readonly line: number };

/** What reads a file of any format: as it comes in, in chunks of any size. */
export interface Reader {
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
  push(chunk: Uint8Array): TraceItem[];
  /** The file ended. A last line without its 0x0A counts if it is whole, and is a problem if cut. */
  end(): TraceItem[];
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
    if (!this.header && !this.problem)
      this.problem = 'This file is empty: there is no trace in it.';
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
