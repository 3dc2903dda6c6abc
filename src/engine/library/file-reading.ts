// Reads a file of a stranger, in a worker of its own where there is one: from its bytes to batches that can be stored.
// What it may cost is bounded. It knows no trace that is already here.
import { chunksOf, joinedLines } from '../../lib/bytes.ts';
import { defined } from '../../lib/defined.ts';
import { importSentence } from '../../model/import-report.ts';
import { senders } from '../../model/senders.ts';
import type { EventBatch } from '../../storage/blocks.ts';
import { type Seq, seq } from '../../trace/event.ts';
import type { Header } from '../../trace/format.ts';
import {
  ImportStopped,
  MOST_ARCHIVE,
  unpackLogs,
  withinLimit,
} from '../../trace/import/archive.ts';
import type { ImportReport } from '../../trace/import/format.ts';
import { AnyReader } from '../../trace/import/sniff.ts';
import { isZip } from '../../trace/import/zip.ts';
import type { TraceItem } from '../../trace/read.ts';
import { Sequence } from '../traces/sequence.ts';

const MOST_EVENTS = 5_000_000;
/** Stored and shown at once: little before the first rows, then what a transaction is worth. */
const FIRST_BATCH = 1024 ** 2;
const BATCH = 4 * FIRST_BATCH;
/** Of something packed: unpacks to 16 MiB at most. */
const PACKED_PIECE = 16 * 1024;
const NEWLINE = 0x0a;

/** What comes of a file, in this order: a beginning, batches, an end. A refusal may take the place of any. */
export type FileStep =
  | { readonly kind: 'begun'; readonly header: Header; readonly headerBytes: Uint8Array }
  | { readonly kind: 'batch'; readonly batch: Omit<EventBatch, 'connection'> }
  /** `read`: of the bytes of the file. */
  | { readonly kind: 'progress'; readonly read: number; readonly frames: number }
  | {
      readonly kind: 'done';
      /** The last line has no 0x0A. */
      readonly unterminated: boolean;
      readonly report?: ImportReport;
      readonly note?: string;
    }
  | { readonly kind: 'refused'; readonly message: string };

/** Reads the file as it is asked for the next step. What goes wrong is a refusal. */
export async function* readSteps(file: File): AsyncGenerator<FileStep> {
  try {
    yield* new FileReading(file).steps();
  } catch (error) {
    if (error instanceof ImportStopped) return yield { kind: 'refused', message: error.message };
    // The browser's own words: a file that changed on disk, or a broken gzip.
    const why = error instanceof Error ? error.message : String(error);
    yield { kind: 'refused', message: `The file \`${file.name}\` cannot be read: ${why}` };
  }
}

class FileReading {
  readonly #file: File;
  readonly #reader = new AnyReader(senders);
  readonly #units = new ImportUnits();
  #hasBegun = false;
  #lastByte = NEWLINE;
  #note: string | undefined;

  constructor(file: File) {
    this.#file = file;
  }

  async *steps(): AsyncGenerator<FileStep> {
    const { bytes, read, note } = await unpacked(this.#file);
    this.#note = note;
    for await (const chunk of bytes) {
      if (this.#units.events > MOST_EVENTS)
        throw new ImportStopped('Import stopped: more than 5,000,000 events.');
      this.#lastByte = chunk.at(-1) ?? this.#lastByte;
      for (const item of this.#reader.push(chunk)) this.#units.add(item);
      yield* this.#gathered(this.#hasBegun ? BATCH : FIRST_BATCH);
      yield { kind: 'progress', read: read(), frames: this.#units.frames };
    }
    for (const item of this.#reader.end()) this.#units.add(item);
    yield* this.#gathered(0);
    const words = [this.#note, this.#said()].filter((words) => words !== undefined).join(' ');
    yield {
      kind: 'done',
      unterminated: this.#lastByte !== NEWLINE,
      ...defined({ report: this.#reader.report, note: words === '' ? undefined : words }),
    };
  }

  /** What was gathered, if it is `enough` bytes; 0: the file ended. */
  *#gathered(enough: number): Generator<FileStep> {
    const { problem, header, headerBytes } = this.#reader;
    if (problem !== undefined) throw new ImportStopped(problem);
    if (!header || !headerBytes || (enough > 0 && this.#units.size < enough)) return;
    if (!this.#hasBegun) yield { kind: 'begun', header, headerBytes: headerBytes.slice() };
    this.#hasBegun = true;
    const batch = this.#units.take(enough === 0);
    if (batch) yield { kind: 'batch', batch };
  }

  /** What there is to say of the file as it was read. */
  #said(): string | undefined {
    const { report } = this.#reader;
    if (report) return importSentence(report);
    const { odd, events, last } = this.#units;
    if (!odd) return undefined;
    if (odd.count === 1 && odd.atEnd && this.#lastByte !== NEWLINE)
      return `The last line is cut off. ${events} events are fine; the cut line is kept as #${last + 1}.`;
    const lines = odd.count === 1 ? 'One line is no event' : `${odd.count} lines are no events`;
    return `${lines} of a trace and cannot be shown (${odd.first}). All bytes are kept.`;
  }
}

interface Bytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes of the file that were read so far. */
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

/** The same bytes; `hear` is told how many came. */
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
  // Whoever reads what is unpacked is told by that.
  give().catch((error: unknown) => void writer.abort(error).catch(() => undefined));
  return { bytes: withinLimit(chunksOf(readable), () => read), read: () => read };
}

// From the items of a file to batches that can be stored: every byte goes along, also of lines that
// are no events. Those ride with the event before them, since only events have a place of their own.

class ImportUnits {
  readonly #sequence = new Sequence();
  #after: Seq = seq(0);
  #lines: Uint8Array[] = [];
  #seqs: Seq[] = [];
  #ends: number[] = [];
  /** Bytes gathered and not taken. */
  size = 0;
  frames = 0;
  /** Frames that were taken. */
  #taken = 0;
  #odd = 0;
  #firstOdd: string | undefined;
  events = 0;
  #endsOdd = false;

  /** Lines that are no events, what is wrong with the first, and whether the last one is such. */
  get odd():
    { readonly count: number; readonly first: string; readonly atEnd: boolean } | undefined {
    if (this.#firstOdd === undefined) return undefined;
    return { count: this.#odd, first: this.#firstOdd, atEnd: this.#endsOdd };
  }
  /** The newest event so far. */
  get last(): Seq {
    return this.#sequence.last;
  }

  add(item: TraceItem): void {
    this.#lines.push(item.bytes);
    this.size += item.bytes.length + 1;
    const fault = this.#faultOf(item);
    this.#endsOdd = fault !== undefined;
    if (fault === undefined && 'event' in item) {
      this.#sequence.take(item.event, '');
      this.#seqs.push(item.event.seq);
      this.#ends.push(this.size);
      this.events++;
      if (item.event.type === 'frame') this.frames++;
      return;
    }
    this.#odd++;
    this.#firstOdd ??= fault;
    if (this.#ends.length > 0) this.#ends[this.#ends.length - 1] = this.size;
  }

  /**
   * What was gathered. `isEnd`: lines that are no events, and have none before them in this batch,
   * get a place of their own, for nothing may be left behind. Otherwise they wait for an event.
   */
  take(isEnd: boolean): Omit<EventBatch, 'connection'> | undefined {
    if (this.size === 0 || (this.#seqs.length === 0 && !isEnd)) return undefined;
    const seqs = this.#seqs.length > 0 ? this.#seqs : [seq(this.#sequence.last + 1)];
    const ends = this.#ends.length > 0 ? this.#ends : [this.size];
    const batch = {
      after: this.#after,
      bytes: joinedLines(this.#lines),
      seqs,
      ends,
      frames: this.frames - this.#taken,
    };
    this.#after = seqs.at(-1) ?? this.#after;
    this.#lines = [];
    this.#seqs = [];
    this.#ends = [];
    this.size = 0;
    this.#taken = this.frames;
    return batch;
  }

  #faultOf(item: TraceItem): string | undefined {
    if ('problem' in item) return `line ${item.line}: ${item.problem}`;
    if (!this.#sequence.isRepeat(item.event)) return undefined;
    return `seq ${item.event.seq} stands after seq ${this.#sequence.last}`;
  }
}
