// Reading a file into the database and into memory at once, so that rows appear while it is read. A worker of its own
// turns the file into lines of our trace format: that work delays nothing that is recorded meanwhile. Each line
// is parsed once, here, in slices. No sentence about the file names a trace that is here.
import { joined } from '../../lib/bytes.ts';
import { defined } from '../../lib/defined.ts';
import type { EventBatch } from '../../storage/blocks.ts';
import { type ConnectionId, connectionId, seq, type Seq } from '../../trace/event.ts';
import { traceNameOf } from '../../trace/file-name.ts';
import { isUnreadable } from '../../trace/format.ts';
import type { ImportReport } from '../../trace/import/format.ts';
import { MOST_ODD, tooManyOdd } from '../../trace/read.ts';
import { whileReading } from '../connections/leader.ts';
import type { Parts } from '../parts.ts';
import type { TakenLine, OpenTrace } from '../traces/open-trace.ts';
import type { ImportProgress } from '../messages.ts';
import type { FileStep, ReadHow } from './file-reading.ts';

const MOST_EVENTS = 5_000_000;

interface ImportParts extends Pick<Parts, 'store' | 'catalog' | 'traces' | 'intake'> {
  /** The header is read: there is a trace to show. */
  begun(connection: ConnectionId): void;
  /** The trace that had begun is given up. */
  givenUp(connection: ConnectionId): void;
  /** Reads the file elsewhere; absent: here. */
  readonly readFile?: Parts['readFile'];
}

interface ImportOptions extends ReadHow {
  readonly stop?: AbortSignal;
  readonly progress?: (progress: ImportProgress) => void;
}

/** `report`: of a file of another tool, what became of it, field by field. */
export type Imported =
  | {
      readonly ok: true;
      readonly connection: ConnectionId;
      /** How many processes have lines in the file, each a trace of its own; undefined: one. */
      readonly processes?: number;
      /** Index of the file beside it that is in the trace as well: it has the other direction. */
      readonly joined?: number;
      readonly note?: string;
      readonly report?: ImportReport;
    }
  | { readonly ok: false; readonly message: string; readonly isCancelled?: true };

export async function importFile(
  file: File,
  parts: ImportParts,
  options: ImportOptions = {},
): Promise<Imported> {
  const connection = connectionId(crypto.randomUUID());
  const { readSteps } = await import('./file-reading.ts');
  const { stop, process = 0, beside = [] } = options;
  const how = { process, beside };
  const steps = parts.readFile ? parts.readFile(file, stop, how) : readSteps(file, how);
  const importing = new Importing(file, connection, parts, options);
  return whileReading(connection, () => importing.run(steps));
}

class Importing {
  readonly #file: File;
  readonly #connection: ConnectionId;
  readonly #parts: ImportParts;
  readonly #options: ImportOptions;
  readonly #units = new ImportUnits();
  #trace: OpenTrace | undefined;
  #processes: number | undefined;
  #joined: number | undefined;
  /** The batch before is stored; a sentence: it cannot be stored. */
  #before: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(file: File, connection: ConnectionId, parts: ImportParts, options: ImportOptions) {
    this.#file = file;
    this.#connection = connection;
    this.#parts = parts;
    this.#options = options;
  }

  async run(steps: AsyncIterable<FileStep>): Promise<Imported> {
    try {
      return await this.#import(steps);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return this.#giveUp(`The file \`${this.#file.name}\` cannot be opened: ${why}`);
    }
  }

  async #import(steps: AsyncIterable<FileStep>): Promise<Imported> {
    const { stop } = this.#options;
    for await (const step of steps) {
      if (stop?.aborted) break;
      if (step.kind === 'refused') return this.#giveUp(step.message);
      if (step.kind === 'done') return this.#finish(step);
      const problem = await this.#take(step);
      if (problem !== undefined) return this.#giveUp(problem);
    }
    return this.#giveUp(`\`${this.#file.name}\` was not opened: reading it was cancelled.`, true);
  }

  /** A sentence: the import cannot continue. */
  async #take(step: Exclude<FileStep, { kind: 'refused' | 'done' }>): Promise<string | undefined> {
    switch (step.kind) {
      case 'begun':
        return this.#begin(step);
      case 'progress': {
        const { name, size } = this.#file;
        const { frames } = this.#units;
        return void this.#options.progress?.({ name, size, read: step.read, frames });
      }
      case 'lines': {
        const { bytes } = step;
        if (!this.#trace) return undefined;
        await this.#parts.intake.add(this.#trace, bytes, this.#units.onLine);
        this.#units.hold(bytes);
        return this.#units.problem ?? this.#store(false);
      }
    }
  }

  async #begin({
    header,
    headerBytes,
    processes,
    joined,
  }: Extract<FileStep, { kind: 'begun' }>): Promise<string | undefined> {
    const { name } = this.#file;
    const process = processes[this.#options.process ?? 0];
    if (processes.length > 1) this.#processes = processes.length;
    this.#joined = joined;
    const other = joined === undefined ? undefined : this.#options.beside?.[joined];
    const own = traceNameOf(name, header.name);
    const traceName = other ? `${own} + ${traceNameOf(other.name, undefined)}` : own;
    const added = await this.#parts.catalog.add({
      connection: this.#connection,
      name: process === undefined ? traceName : `${traceName} · ${process}`,
      mode: 'file',
      startedAt: header.created,
      header: headerBytes,
      file: other ? `${name} + ${other.name}` : name,
      reading: true,
    });
    if (!added)
      return 'The browser could not store this trace. Free some space, then open it again.';
    this.#trace = this.#parts.traces.create(this.#connection);
    this.#parts.begun(this.#connection);
    return undefined;
  }

  /** Stores what was taken in, while the next lines are read. A sentence: the batch before cannot be stored. */
  async #store(isEnd: boolean): Promise<string | undefined> {
    const problem = await this.#before;
    const batch = this.#units.take(isEnd);
    if (problem !== undefined || !batch) return problem;
    this.#before = this.#append({ ...batch, connection: this.#connection });
    return undefined;
  }

  async #append(batch: EventBatch): Promise<string | undefined> {
    const stored = await this.#parts.store.append([batch]);
    if (!stored.ok) return stored.problem.message;
    for (const appended of stored.value)
      if ('trace' in appended) this.#parts.catalog.stored(appended.trace);
    return undefined;
  }

  async #finish({
    unterminated,
    report,
    note,
  }: Extract<FileStep, { kind: 'done' }>): Promise<Imported> {
    const problem = (await this.#store(true)) ?? (await this.#before);
    if (problem !== undefined) return this.#giveUp(problem);
    const connection = this.#connection;
    this.#trace?.finish();
    const words = [note, report ? undefined : this.#units.said(unterminated)];
    const notes = words.filter((one) => one !== undefined).join(' ');
    await this.#parts.catalog.patch(connection, {
      reading: undefined,
      ...(unterminated && { unterminated }),
      ...defined({ imported: report }),
    });
    return {
      ok: true,
      connection,
      ...defined({
        processes: this.#processes,
        joined: this.#joined,
        note: notes === '' ? undefined : notes,
        report,
      }),
    };
  }

  /** What was read is taken back: half a file must not look like a whole one. */
  async #giveUp(message: string, isCancelled?: true): Promise<Imported> {
    // What is given up may be given up for its fault.
    await this.#before.catch(() => undefined);
    if (this.#trace) {
      this.#parts.givenUp(this.#connection);
      await this.#parts.catalog.remove(this.#connection);
    }
    return { ok: false, message, ...(isCancelled && { isCancelled }) };
  }
}

// From the lines of a file to batches that can be stored: every byte goes along, also of lines that are no
// events. Those bytes go with the event before them, since only events have a place of their own.

class ImportUnits {
  #after: Seq = seq(0);
  #bytes: Uint8Array[] = [];
  #seqs: Seq[] = [];
  #ends: number[] = [];
  /** Bytes held and not taken. */
  #size = 0;
  #events = 0;
  #last: Seq = seq(0);
  frames = 0;
  /** Frames that were taken. */
  #taken = 0;
  /** The number of the newest line of the file. */
  #line = 1;
  #odd = 0;
  /** Lines since the last event. */
  #oddInRow = 0;
  #firstOdd: string | undefined;

  /** A sentence: the file is not read any further. */
  get problem(): string | undefined {
    if (this.#events > MOST_EVENTS) return 'Import stopped: more than 5,000,000 events.';
    return this.#oddInRow >= MOST_ODD ? tooManyOdd(this.#line, this.#oddInRow) : undefined;
  }

  /** Takes note of a line of the bytes that are held next. */
  readonly onLine: TakenLine = (end, taken) => {
    this.#line++;
    if (isUnreadable(taken)) {
      this.#odd++;
      this.#oddInRow++;
      this.#firstOdd ??= `line ${this.#line}: ${taken.problem}`;
      if (this.#ends.length > 0) this.#ends[this.#ends.length - 1] = this.#size + end;
      return;
    }
    this.#oddInRow = 0;
    this.#last = taken.seq;
    this.#seqs.push(taken.seq);
    this.#ends.push(this.#size + end);
    this.#events++;
    if (taken.type === 'frame') this.frames++;
  };

  /** The bytes of the lines noted since the last call. */
  hold(bytes: Uint8Array): void {
    this.#bytes.push(bytes);
    this.#size += bytes.length;
  }

  /**
   * Returns the lines that are held. `isEnd`: lines that are no events, and have none before them in this batch,
   * get a place of their own, for nothing may be lost. Otherwise they wait for an event.
   */
  take(isEnd: boolean): Omit<EventBatch, 'connection'> | undefined {
    if (this.#size === 0 || (this.#seqs.length === 0 && !isEnd)) return undefined;
    const [only = new Uint8Array(), ...more] = this.#bytes;
    const seqs = this.#seqs.length > 0 ? this.#seqs : [seq(this.#last + 1)];
    const ends = this.#ends.length > 0 ? this.#ends : [this.#size];
    const bytes = more.length > 0 ? joined(this.#bytes) : only;
    const batch = { after: this.#after, bytes, seqs, ends, frames: this.frames - this.#taken };
    this.#after = seqs.at(-1) ?? this.#after;
    this.#bytes = [];
    this.#seqs = [];
    this.#ends = [];
    this.#size = 0;
    this.#taken = this.frames;
    return batch;
  }

  /** A sentence about the lines that are no events; undefined if there are none. */
  said(unterminated: boolean): string | undefined {
    if (this.#firstOdd === undefined) return undefined;
    if (this.#odd === 1 && this.#oddInRow === 1 && unterminated)
      return `The last line is cut off. ${this.#events} events are fine; the cut line is kept as #${this.#last + 1}.`;
    const lines = this.#odd === 1 ? 'One line is no event' : `${this.#odd} lines are no events`;
    return `${lines} of a trace and cannot be shown (${this.#firstOdd}). All bytes are kept.`;
  }
}
