// Pieces of another tool's file as events of ours: numbered in file order, on a clock that begins with
// the first time there is, and counted for the report. The file is a stranger's: what it may cost is
// bounded.
import { joined } from '../../lib/bytes.ts';
import { defined } from '../../lib/defined.ts';
import { readJson } from './json-record.ts';
import { LineSplitter } from '../../lib/lines.ts';
import { millis } from '../../lib/time.ts';
import { decodeLossy, decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { seq, type Side, type TraceEvent } from '../event.ts';
import { eventLine, FORMAT, headerLine, FORMAT_VERSION, type Header } from '../format.ts';
import { NOT_UTF8_WHY, type Reader, type TraceItem } from '../read.ts';
import {
  odd,
  type WholeFileFormat,
  type FileFacts,
  type ImportReport,
  type LineFormat,
  type LineTaker,
  type ImportedPiece,
} from './format.ts';

/** A document of more bytes is not read. */
const MOST_DOCUMENT = 256 * 1024 ** 2;

type Counts = {
  -readonly [K in 'frames' | 'stderr' | 'rebuilt' | 'guessed' | 'untimed' | 'cut' | 'odd']: number;
};

/** Numbers and counts. */
class Events {
  readonly #format: LineFormat | WholeFileFormat;
  readonly #counts: Counts = {
    ...{ frames: 0, stderr: 0, rebuilt: 0, guessed: 0, untimed: 0, cut: 0, odd: 0 },
  };
  #firstOdd: string | undefined;
  #next = 1;
  #began: number | undefined;
  #lastFrame = seq(0);
  header: Header | undefined;
  headerBytes: Uint8Array | undefined;

  constructor(format: LineFormat | WholeFileFormat) {
    this.#format = format;
  }

  take(
    piece: ImportedPiece,
    line: number,
    bytes: Uint8Array,
    facts: FileFacts | undefined,
  ): TraceItem {
    if (piece.type === 'odd') {
      this.#counts.odd++;
      const record = this.#format.reads === 'document' ? `record ${line}: ` : '';
      const problem = `${record}${piece.problem}`;
      this.#firstOdd ??= record === '' ? `line ${line}: ${problem}` : problem;
      const kept = piece.text === undefined ? bytes : encodeUtf8(piece.text.replaceAll('\n', ' '));
      return { problem, bytes: kept, line };
    }
    const time = 'at' in piece && Number.isFinite(piece.at) ? piece.at : undefined;
    this.#began ??= time;
    if (!this.header) this.#begin(facts);
    const event = this.#event(piece, time);
    this.#count(piece, event);
    return { event, bytes: encodeUtf8(eventLine(event)) };
  }

  report(facts: FileFacts | undefined): ImportReport {
    const { word, name, fates } = this.#format;
    return {
      ...{ word, format: name, tool: facts?.tool, fates },
      ...this.#counts,
      firstOdd: this.#firstOdd,
    };
  }

  #begin(facts: FileFacts | undefined): void {
    const { name } = this.#format;
    const clock = facts?.clock ?? this.#format.clock;
    const wall = clock === 'wall' ? this.#began : undefined;
    this.header = {
      format: FORMAT,
      version: FORMAT_VERSION,
      created: isoOf(wall ?? 0),
      tool: facts?.tool ?? name,
      ...(facts?.name !== undefined && { name: facts.name }),
      ...(facts?.argv && { argv: facts.argv }),
      clock: wall === undefined ? 'imported' : 'wall',
    };
    this.headerBytes = encodeUtf8(headerLine(this.header));
  }

  #event(piece: Exclude<ImportedPiece, { type: 'odd' }>, time: number | undefined): TraceEvent {
    const at = time === undefined ? {} : { at: millis(time - (this.#began ?? 0)) };
    const stamp = { seq: seq(this.#next), ...at };
    this.#next += piece.type === 'gap' ? piece.count : 1;
    switch (piece.type) {
      case 'frame': {
        const { from, line, inferred, via } = piece;
        const origin = 'peer' as const;
        this.#lastFrame = stamp.seq;
        return { type: 'frame', ...stamp, from, line, origin, ...defined({ inferred, via }) };
      }
      case 'refused': {
        const { status } = piece;
        const problem = `The POST was answered with status ${status} and no message.`;
        const what = { stream: 'post', method: 'POST', of: this.#lastFrame, status } as const;
        return { type: 'transport', ...stamp, step: 'answered', ...what, problem };
      }
      case 'stderr':
        return { type: 'stderr', ...stamp, line: piece.line };
      case 'start':
        return { type: 'start', ...stamp, argv: piece.argv, cwd: piece.cwd ?? '' };
      case 'exit':
        return { type: 'exit', ...stamp, ...defined({ code: piece.code, problem: piece.problem }) };
      case 'gap': {
        const { count, reason, hole } = piece;
        return { type: 'gap', ...stamp, count, reason, ...defined({ hole }) };
      }
    }
  }

  #count(piece: ImportedPiece, { at }: TraceEvent): void {
    if (piece.type === 'stderr') this.#counts.stderr++;
    if (piece.type === 'gap' && piece.hole === 'cut') this.#counts.cut++;
    if (piece.type !== 'frame') return;
    this.#counts.frames++;
    if (piece.inferred?.includes('line')) this.#counts.rebuilt++;
    if (piece.inferred?.includes('from')) this.#counts.guessed++;
    if (at === undefined) this.#counts.untimed++;
  }
}

/** The part of a file of lines that is read. */
interface LinePart {
  /** The file has lines of this side alone. */
  readonly only?: Side | undefined;
  /** The process whose lines are read, and whether lines that name none are of it. */
  readonly process?: string | undefined;
  readonly isFirst?: boolean;
}

/** A file of one record a line. */
export class LineImport implements Reader {
  readonly firstLine = 1;
  readonly #splitter = new LineSplitter();
  readonly #taker: LineTaker;
  readonly #events: Events;
  readonly #format: LineFormat;
  readonly #part: LinePart;
  problem: string | undefined;
  line = 0;

  constructor(format: LineFormat, part: LinePart = {}) {
    this.#format = format;
    this.#taker = format.begin(part.only, part.process !== undefined);
    this.#events = new Events(format);
    this.#part = part;
  }

  get header(): Header | undefined {
    return this.#events.header;
  }
  get headerBytes(): Uint8Array | undefined {
    return this.#events.headerBytes;
  }
  get report(): ImportReport {
    return this.#events.report(this.#facts);
  }

  get #facts(): FileFacts {
    return { ...this.#taker.facts, ...defined({ name: this.#part.process }) };
  }

  push(chunk: Uint8Array): TraceItem[] {
    if (this.problem !== undefined) return [];
    return this.#splitter.push(chunk).flatMap((bytes) => this.#take(bytes));
  }

  end(): TraceItem[] {
    const rest = this.#splitter.end();
    const items = rest ? this.#take(rest) : [];
    items.push(...this.#items(this.#taker.end?.() ?? [], new Uint8Array()));
    if (!this.header) this.problem ??= nothingIn(this.#format.name);
    return items;
  }

  #take(bytes: Uint8Array): TraceItem[] {
    this.line++;
    const exact = decodeUtf8(bytes);
    const text = (exact ?? decodeLossy(bytes)).replace(/\r$/, '').replace(/^\ufeff/, '');
    const pieces = this.#taker.take(text).map((piece) => {
      // What the peer wrote is not known.
      return exact === undefined && piece.type === 'frame' ? odd(NOT_UTF8_WHY) : piece;
    });
    return this.#items(pieces, bytes);
  }

  #items(pieces: readonly ImportedPiece[], bytes: Uint8Array): TraceItem[] {
    const { process, isFirst = true } = this.#part;
    const mine = process === undefined ? pieces : pieces.filter((piece) => isOf(piece));
    return mine.map((piece) => this.#events.take(piece, this.line, bytes, this.#facts));
    function isOf(piece: ImportedPiece): boolean {
      return piece.process === undefined ? isFirst : piece.process === process;
    }
  }
}

/** A file that is one document: it is read when all of it is here. */
export class DocumentImport implements Reader {
  readonly firstLine = 1;
  readonly #formats: readonly WholeFileFormat[];
  readonly #unknown: (text: string) => string;
  readonly #linesOf: (text: string) => Reader | undefined;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #events: Events | undefined;
  #facts: FileFacts | undefined;
  #problem: string | undefined;
  /** Reads the file after all: it is no document, and holds messages. */
  #lines: Reader | undefined;

  /** `unknown`: returns the sentence about a document that is none of these; `linesOf`: returns its reader as lines, if it has one. */
  constructor(
    formats: readonly WholeFileFormat[],
    unknown: (text: string) => string,
    linesOf: (text: string) => Reader | undefined,
  ) {
    this.#formats = formats;
    this.#unknown = unknown;
    this.#linesOf = linesOf;
  }

  get header(): Header | undefined {
    return this.#lines?.header ?? this.#events?.header;
  }
  get headerBytes(): Uint8Array | undefined {
    return this.#lines?.headerBytes ?? this.#events?.headerBytes;
  }
  get report(): ImportReport | undefined {
    return this.#lines?.report ?? this.#events?.report(this.#facts);
  }
  get problem(): string | undefined {
    return this.#problem ?? this.#lines?.problem;
  }
  get line(): number {
    return this.#lines?.line ?? 1;
  }

  push(chunk: Uint8Array): TraceItem[] {
    if (this.problem !== undefined) return [];
    this.#size += chunk.length;
    // A copy: the caller may use its buffer again.
    this.#chunks.push(chunk.slice());
    if (this.#size > MOST_DOCUMENT) {
      this.#problem =
        'Import stopped: a document of more than 256 MiB cannot be read at once. Export less, or in a format of lines.';
      this.#chunks.length = 0;
    }
    return [];
  }

  end(): TraceItem[] {
    if (this.problem !== undefined) return [];
    const bytes = joined(this.#chunks.splice(0));
    const text = decodeUtf8(bytes)?.replace(/^\ufeff/, '');
    const json = text === undefined ? undefined : readJson(text);
    const format = this.#formats.find((one) => text !== undefined && one.fits(text, json));
    if (text === undefined || !format) {
      this.#lines = this.#linesOf(text ?? decodeLossy(bytes));
      if (this.#lines) return [...this.#lines.push(bytes), ...this.#lines.end()];
      this.#problem = this.#unknown(text ?? '');
      return [];
    }
    const { pieces, facts } = format.read(text, json);
    const events = new Events(format);
    [this.#events, this.#facts] = [events, facts];
    const items = pieces.map((piece, i) => events.take(piece, i + 1, new Uint8Array(), facts));
    if (!events.header) this.#problem = nothingIn(format.name);
    return items;
  }
}

function nothingIn(name: string): string {
  return `This file looks like ${name}, and there is no frame in it.`;
}

/** The epoch, where the time is none that a date can be. */
function isoOf(time: number): string {
  const date = new Date(time);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
