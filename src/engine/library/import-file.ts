// Reading a file into the database and into memory at once, so that rows appear while it is read.
// The file is a stranger's: what it may cost is bounded, what it says never names a trace
// that is already here.
import { chunksOf, joinedLines } from '../../lib/bytes.ts';
import { defined } from '../../lib/defined.ts';
import type { ImportReport } from '../../trace/import/format.ts';
import { AnyReader } from '../../trace/import/sniff.ts';
import { type ConnectionId, type Seq, connectionId, seq } from '../../trace/event.ts';
import { importSentence } from '../../model/import-report.ts';
import { senders } from '../../model/senders.ts';
import { MOST_ARCHIVE, unpackLimit, unpackLogs } from '../../trace/import/archive.ts';
import { isZip } from '../../trace/import/zip.ts';
import type { Parts } from '../parts.ts';
import { whileReading } from '../connections/leader.ts';
import { traceNameOf } from '../../trace/file-name.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { EventBatch } from '../../storage/blocks.ts';
import type { TraceItem } from '../../trace/read.ts';
import { Sequence } from '../traces/sequence.ts';

const MOST_EVENTS = 5_000_000;
/** Stored and shown at once: little before the first rows, then what a transaction is worth. */
const FIRST_BATCH = 1024 ** 2;
const BATCH = 4 * FIRST_BATCH;
/** Of something packed: unpacks to 16 MiB at most. */
const PACKED_PIECE = 16 * 1024;
const NEWLINE = 0x0a;

interface ImportParts extends Pick<Parts, 'store' | 'catalog' | 'traces' | 'intake'> {
  /** The header is read: there is a trace to show. */
  begun(connection: ConnectionId): void;
}

/** `report`: of a file of another tool, what became of it, field by field. */
export type Imported =
  | {
      readonly ok: true;
      readonly connection: ConnectionId;
      readonly note?: string;
      readonly report?: ImportReport;
    }
  | { readonly ok: false; readonly message: string };

export async function importFile(file: File, parts: ImportParts): Promise<Imported> {
  const connection = connectionId(crypto.randomUUID());
  const reading = new Reading(file, connection, parts);
  try {
    return await whileReading(connection, () => reading.run());
  } catch (error) {
    // The browser's own words: a file that changed on disk, or a broken gzip.
    const why = error instanceof Error ? error.message : String(error);
    return reading.giveUp(`The file \`${file.name}\` cannot be read: ${why}`);
  }
}

class Reading {
  readonly #file: File;
  readonly #connection: ConnectionId;
  readonly #parts: ImportParts;
  readonly #reader = new AnyReader(senders);
  readonly #units: ImportUnits;
  #trace: OpenTrace | undefined;
  #lastByte = NEWLINE;
  /** The batch before is stored and taken in; a sentence: it cannot be stored. */
  #before: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(file: File, connection: ConnectionId, parts: ImportParts) {
    this.#file = file;
    this.#connection = connection;
    this.#parts = parts;
    this.#units = new ImportUnits(connection);
  }

  async run(): Promise<Imported> {
    let size = 0;
    const opened = await unpacked(this.#file);
    if (typeof opened === 'string') return this.giveUp(opened);
    const { bytes, packed } = opened;
    for await (const chunk of bytes) {
      size += chunk.length;
      const limit = limitOf(size, packed?.(), this.#units.events);
      if (limit !== undefined) return this.giveUp(limit);
      this.#lastByte = chunk.at(-1) ?? this.#lastByte;
      for (const item of this.#reader.push(chunk)) this.#units.add(item);
      const problem = await this.#progress(this.#trace ? BATCH : FIRST_BATCH);
      if (problem !== undefined) return this.giveUp(problem);
    }
    for (const item of this.#reader.end()) this.#units.add(item);
    const problem = await this.#progress(0);
    return problem === undefined ? this.#finish() : this.giveUp(problem);
  }

  /** Stores and shows what was gathered, if it is `enough` bytes. A sentence: it cannot go on. */
  async #progress(enough: number): Promise<string | undefined> {
    if (this.#reader.problem !== undefined) return this.#reader.problem;
    if (!this.#reader.header || (enough > 0 && this.#units.size < enough)) return undefined;
    this.#trace ??= await this.#begin();
    if (!this.#trace)
      return 'The browser could not store this trace. Free some space, then open it again.';
    const batch = this.#units.take(enough === 0);
    if (!batch) return this.#before;
    // One batch is stored and taken in while the next is read.
    const problem = await this.#before;
    if (problem !== undefined) return problem;
    this.#before = this.#keep(this.#trace, batch);
    return enough === 0 ? this.#before : undefined;
  }

  async #keep(trace: OpenTrace, { items, ...batch }: ReadBatch): Promise<string | undefined> {
    const [stored] = await Promise.all([
      this.#parts.store.append([batch]),
      this.#parts.intake.add(trace, batch.bytes, items),
    ]);
    if (!stored.ok) return stored.problem.message;
    for (const appended of stored.value)
      if ('trace' in appended) this.#parts.catalog.stored(appended.trace);
    return undefined;
  }

  async #begin(): Promise<OpenTrace | undefined> {
    const { header, headerBytes } = this.#reader;
    if (!header || !headerBytes) return undefined;
    const { name } = this.#file;
    const added = await this.#parts.catalog.add({
      connection: this.#connection,
      name: traceNameOf(name, header.name),
      mode: 'file',
      startedAt: header.created,
      header: headerBytes.slice(),
      file: name,
      reading: true,
    });
    if (!added) return undefined;
    const trace = this.#parts.traces.create(this.#connection);
    this.#parts.begun(this.#connection);
    return trace;
  }

  async #finish(): Promise<Imported> {
    const connection = this.#connection;
    this.#trace?.finish();
    await this.#parts.catalog.patch(connection, {
      reading: undefined,
      ...(this.#lastByte !== NEWLINE && { unterminated: true }),
      ...defined({ imported: this.#reader.report }),
    });
    return {
      ok: true,
      connection,
      ...defined({ note: this.#note(), report: this.#reader.report }),
    };
  }

  #note(): string | undefined {
    const { report } = this.#reader;
    if (report) return importSentence(report);
    const { odd, events, last } = this.#units;
    if (!odd) return undefined;
    if (odd.count === 1 && odd.atEnd && this.#lastByte !== NEWLINE)
      return `The last line is cut off. ${events} events are fine; the cut line is kept as #${last + 1}.`;
    const lines = odd.count === 1 ? 'One line is no event' : `${odd.count} lines are no events`;
    return `${lines} of a trace and cannot be shown (${odd.first}). All bytes are kept.`;
  }

  /** What was read is taken back: half a file must not look like a whole one. */
  async giveUp(message: string): Promise<Imported> {
    // What is given up may be given up for its fault.
    await this.#before.catch(() => undefined);
    this.#parts.traces.close(this.#connection);
    if (this.#trace) await this.#parts.catalog.remove(this.#connection);
    return { ok: false, message };
  }
}

interface Bytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes of something packed that were read so far. */
  readonly packed?: () => number;
}

/** The logs in an archive of logs; a sentence where there are none. */
async function archived(file: File): Promise<Bytes | string> {
  if (file.size > MOST_ARCHIVE)
    return 'An archive of more than 512 MiB is not unpacked here. Unpack it and open its logs.';
  const logs = unpackLogs(new Uint8Array(await file.arrayBuffer()));
  return logs.ok ? { bytes: logs.bytes, packed: () => file.size } : logs.problem;
}

/** The file's bytes, unpacked if they are packed. */
async function unpacked(file: File): Promise<Bytes | string> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (isZip(head)) return archived(file);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return { bytes: chunksOf(file.stream()) };
  let read = 0;
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
  return { bytes: chunksOf(readable), packed: () => read };
}

function limitOf(size: number, packed: number | undefined, events: number): string | undefined {
  if (events > MOST_EVENTS) return 'Import stopped: more than 5,000,000 events.';
  return unpackLimit(size, packed ?? size);
}

// From the items of a file to batches that can be stored: every byte goes along, also of lines that
// are no events. Those ride with the event before them, since only events have a place of their own.

/** With what its lines say. */
interface ReadBatch extends EventBatch {
  readonly items: readonly TraceItem[];
}

class ImportUnits {
  readonly #connection: ConnectionId;
  readonly #sequence = new Sequence();
  #after: Seq = seq(0);
  #items: TraceItem[] = [];
  #seqs: Seq[] = [];
  #ends: number[] = [];
  /** Bytes gathered and not taken. */
  size = 0;
  #frames = 0;
  #odd = 0;
  #firstOdd: string | undefined;
  events = 0;
  #endsOdd = false;

  constructor(connection: ConnectionId) {
    this.#connection = connection;
  }

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
    this.#items.push(item);
    this.size += item.bytes.length + 1;
    const fault = this.#faultOf(item);
    this.#endsOdd = fault !== undefined;
    if (fault === undefined && 'event' in item) {
      this.#sequence.take(item.event, '');
      this.#seqs.push(item.event.seq);
      this.#ends.push(this.size);
      this.events++;
      if (item.event.type === 'frame') this.#frames++;
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
  take(isEnd: boolean): ReadBatch | undefined {
    if (this.size === 0 || (this.#seqs.length === 0 && !isEnd)) return undefined;
    const seqs = this.#seqs.length > 0 ? this.#seqs : [seq(this.#sequence.last + 1)];
    const ends = this.#ends.length > 0 ? this.#ends : [this.size];
    const batch = {
      connection: this.#connection,
      after: this.#after,
      items: this.#items,
      bytes: joinedLines(this.#items.map(({ bytes }) => bytes)),
      seqs,
      ends,
      frames: this.#frames,
    };
    this.#after = seqs.at(-1) ?? this.#after;
    this.#items = [];
    this.#seqs = [];
    this.#ends = [];
    this.size = 0;
    this.#frames = 0;
    return batch;
  }

  #faultOf(item: TraceItem): string | undefined {
    if ('problem' in item) return `line ${item.line}: ${item.problem}`;
    if (!this.#sequence.isRepeat(item.event)) return undefined;
    return `seq ${item.event.seq} stands after seq ${this.#sequence.last}`;
  }
}
