// Reads a file of a stranger, in a worker of its own if there is one: from its bytes to lines of our trace format.
// Its cost is bounded. It knows no trace that is already here.
import { chunksOf, joinedLines } from '../../lib/bytes.ts';
import { defined } from '../../lib/defined.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { importSentence } from '../../model/import-report.ts';
import { senders } from '../../model/senders.ts';
import { otherSide, type Side, type TraceEvent } from '../../trace/event.ts';
import { eventLine, headerLine, type Header } from '../../trace/format.ts';
import { joinedHeader, joinedPair, joinedReport } from '../../trace/one-way.ts';
import {
  ImportStopped,
  MOST_ARCHIVE,
  unpackLogs,
  withinLimit,
} from '../../trace/import/archive.ts';
import type { ImportReport } from '../../trace/import/format.ts';
import { AnyReader } from '../../trace/import/sniff.ts';
import { isZip } from '../../trace/import/zip.ts';
import { LineReader, type ReadLines, type TraceItem } from '../../trace/read.ts';

/** Stored and shown at once: little before the first rows, then what a transaction is worth. */
const FIRST_BATCH = 1024 ** 2;
const BATCH = 4 * FIRST_BATCH;
/** Bytes of a packed file that are unpacked at once: 16 MiB at most come of them. */
const PACKED_PIECE = 16 * 1024;
/** Bytes of lines that wait for the other direction of their connection. */
const MAX_WAITING = 256 * 1024 ** 2;
const NEWLINE = 0x0a;

/** The steps of reading a file, in this order: a beginning, lines, an end. A refusal may replace any. */
export type FileStep =
  | {
      readonly kind: 'begun';
      readonly header: Header;
      readonly headerBytes: Uint8Array;
      /** The processes whose lines are in the file, if they are several: one of them is read. */
      readonly processes: readonly string[];
      /** Index of the file beside it that has the other direction of the trace. */
      readonly joined?: number;
    }
  /** Lines of our trace format, each with its 0x0A. Not every line need be an event. */
  | { readonly kind: 'lines'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `read`: number of bytes of the file that were read. */
  | { readonly kind: 'progress'; readonly read: number }
  | {
      readonly kind: 'done';
      /** The last line has no 0x0A. */
      readonly unterminated: boolean;
      readonly report?: ImportReport;
      readonly note?: string;
    }
  | { readonly kind: 'refused'; readonly message: string };

/** The part of a file that is read, and the files beside it. */
export interface ReadHow {
  /** Index of the process in a log. */
  readonly process?: number;
  /** Files that were opened with it: one may have the other direction of its connection. */
  readonly beside?: readonly File[];
}

/** Reads the lines of a file step by step. An error is a refusal. */
export async function* readSteps(file: File, how: ReadHow = {}): AsyncGenerator<FileStep> {
  try {
    yield* new FileReading(file, how).steps();
  } catch (error) {
    if (error instanceof ImportStopped) return yield { kind: 'refused', message: error.message };
    // The browser's own words: a file that changed on disk, or a broken gzip.
    const why = error instanceof Error ? error.message : String(error);
    yield { kind: 'refused', message: `The file \`${file.name}\` cannot be read: ${why}` };
  }
}

class FileReading {
  readonly #file: File;
  readonly #beside: readonly File[];
  readonly #reader: AnyReader<ReadLines>;
  #lines: Uint8Array[] = [];
  /** The events of the lines, while they wait for the other direction. */
  readonly #events: TraceEvent[] = [];
  readonly #odd: Uint8Array[] = [];
  /** Bytes of `#lines`, each with its 0x0A. */
  #size = 0;
  #hasBegun = false;
  #lastByte = NEWLINE;

  constructor(file: File, { process = 0, beside = [] }: ReadHow) {
    this.#file = file;
    this.#beside = beside;
    this.#reader = new AnyReader(senders, { own: () => new LineReader(), part: process });
  }

  /** True if another file may have the other direction. */
  get #isWaiting(): boolean {
    const { onlySide } = this.#reader;
    return onlySide !== undefined && this.#beside.length > 0 && this.#size < MAX_WAITING;
  }

  async *steps(): AsyncGenerator<FileStep> {
    const { bytes, read, note } = await unpacked(this.#file);
    for await (const chunk of bytes) {
      this.#lastByte = chunk.at(-1) ?? this.#lastByte;
      this.#gather(this.#reader.push(chunk));
      yield* this.#gathered(this.#hasBegun ? BATCH : FIRST_BATCH);
      yield { kind: 'progress', read: read() };
    }
    this.#gather(this.#reader.end());
    const both = await this.#withOtherDirection();
    if (both) yield* both.steps;
    else yield* this.#gathered(0);
    const report = both?.report ?? this.#reader.report;
    const words = [note, report && importSentence(report)].filter((words) => words !== undefined);
    yield {
      kind: 'done',
      unterminated: !both && this.#lastByte !== NEWLINE,
      ...defined({ report, note: words.length === 0 ? undefined : words.join(' ') }),
    };
  }

  #gather(items: readonly (ReadLines | TraceItem)[]): void {
    for (const item of items) {
      this.#lines.push(item.bytes);
      this.#size += item.bytes.length + 1;
      if (!this.#isWaiting) continue;
      if ('event' in item) this.#events.push(item.event);
      else this.#odd.push(item.bytes);
    }
  }

  /** Reads this file and the file with its other direction as one; undefined if there is none. */
  async #withOtherDirection(): Promise<
    { readonly steps: readonly FileStep[]; readonly report: ImportReport } | undefined
  > {
    const { onlySide, header, report, problem } = this.#reader;
    const isWhole = this.#isWaiting && !this.#hasBegun && problem === undefined;
    if (!isWhole || !onlySide || !header || !report) return undefined;
    for (const [joined, file] of this.#beside.entries()) {
      // A file that cannot be read is refused when its turn comes.
      const other = await directionIn(file, otherSide(onlySide)).catch(() => undefined);
      const events = other && joinedPair(this.#events, other.events);
      if (!other || !events) continue;
      const own = joinedHeader(header);
      const headerBytes = encodeUtf8(headerLine(own));
      const lines = events.map((event) => encodeUtf8(eventLine(event)));
      const steps: FileStep[] = [
        { kind: 'begun', header: own, headerBytes, processes: [], joined },
        { kind: 'lines', bytes: joinedLines([...lines, ...this.#odd, ...other.odd]) },
      ];
      return { steps, report: joinedReport(report, other.report, file.name) };
    }
    return undefined;
  }

  /** The lines that were gathered, if they have `enough` bytes; 0: the file ended. */
  *#gathered(enough: number): Generator<FileStep> {
    const { problem, header, headerBytes, parts: processes } = this.#reader;
    if (problem !== undefined) throw new ImportStopped(problem);
    if (!header || !headerBytes || (enough > 0 && this.#size < enough)) return;
    if (enough > 0 && !this.#hasBegun && this.#isWaiting) return;
    if (!this.#hasBegun)
      yield { kind: 'begun', header, headerBytes: headerBytes.slice(), processes };
    this.#hasBegun = true;
    if (this.#size > 0) yield { kind: 'lines', bytes: joinedLines(this.#lines.splice(0)) };
    this.#size = 0;
  }
}

/** Reads a log of one direction; undefined if the file is anything else. */
async function directionIn(file: File, side: Side) {
  const reader = new AnyReader(senders);
  const events: TraceEvent[] = [];
  const odd: Uint8Array[] = [];
  let size = 0;
  const take = (items: readonly TraceItem[]) => {
    for (const item of items) {
      size += item.bytes.length;
      if ('event' in item) events.push(item.event);
      else odd.push(item.bytes);
    }
  };
  const isOther = () =>
    size > MAX_WAITING ||
    reader.problem !== undefined ||
    (reader.header !== undefined && reader.onlySide !== side);
  const { bytes } = await unpacked(file);
  for await (const chunk of bytes) {
    take(reader.push(chunk));
    if (isOther()) return undefined;
  }
  take(reader.end());
  const { report } = reader;
  return isOther() || !report ? undefined : { events, odd, report };
}

interface Bytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Number of bytes of the file that were read. */
  readonly read: () => number;
  readonly note?: string | undefined;
}

/** The logs in an archive of logs. Throws `ImportStopped`. */
async function archived(file: File): Promise<Bytes> {
  if (file.size > MOST_ARCHIVE)
    throw new ImportStopped(
      'An archive of more than 512 MiB is not unpacked here. Unpack it and open its logs.',
    );
  const logs = unpackLogs(new Uint8Array(await file.arrayBuffer()));
  if (!logs.ok) throw new ImportStopped(logs.problem);
  const { bytes, size, note } = logs;
  let read = 0;
  const counted = (chunk: number) => (read += chunk);
  return { bytes: passing(bytes, counted), read: () => (file.size * read) / size, note };
}

/** Passes the bytes on; `hear` gets the number of bytes of each chunk. */
async function* passing(
  bytes: AsyncIterable<Uint8Array>,
  hear: (more: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hear(chunk.length);
    yield chunk;
  }
}

/** The file's bytes, unpacked if they are packed. Throws `ImportStopped`. */
async function unpacked(file: File): Promise<Bytes> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (isZip(head)) return archived(file);
  let read = 0;
  const hear = (more: number) => (read += more);
  const plain = passing(chunksOf(file.stream()), hear);
  if (head[0] !== 0x1f || head[1] !== 0x8b)
    return { bytes: withinLimit(plain, () => read), read: () => read };
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  // In small pieces, each unpacked before the next is given: what unpacks to a thousand times its size
  // is measured against what came of it, and not against all that lies ready to be read.
  const give = async () => {
    for await (const chunk of chunksOf(file.stream()))
      for (let at = 0; at < chunk.length; at += PACKED_PIECE) {
        const piece = chunk.subarray(at, at + PACKED_PIECE);
        read += piece.length;
        await writer.write(piece);
      }
    await writer.close();
  };
  // The reader of the unpacked bytes fails with the same error.
  give().catch((error: unknown) => void writer.abort(error).catch(() => undefined));
  return { bytes: withinLimit(chunksOf(readable), () => read), read: () => read };
}
