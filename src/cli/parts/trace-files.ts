// Trace files by path: gzip is told from the bytes when read and from the name when written.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { joined } from '../../lib/bytes.ts';
import { count, formatCount } from '../../lib/format.ts';
import { nearest } from '../../lib/nearest.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { chipBook, type ChipOf } from '../../model/facts/chips.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { membersIn, saidBy } from '../../model/timeline/digest.ts';
import { TraceIndex } from '../../model/trace-index.ts';
import { connectionId, type Side, type TraceEvent } from '../../trace/event.ts';
import { PackedEvents } from '../../trace/packed-events.ts';
import { beganAt, eventLine, type Header } from '../../trace/format.ts';
import type { LazyRecording } from '../../trace/merge-columns.ts';
import type { ImportReport } from '../../trace/import/format.ts';
import { AnyReader } from '../../trace/import/sniff.ts';
import {
  ImportStopped,
  MOST_ARCHIVE,
  unpackLogs,
  withinLimit,
} from '../../trace/import/archive.ts';
import { isZip } from '../../trace/import/zip.ts';
import { senders } from '../../model/senders.ts';
import type { TraceItem } from '../../trace/read.ts';
import { FileError, UsageError } from '../command.ts';
import { endProgress, progress } from './progress.ts';

export interface OpenedFile {
  readonly header: Header;
  /** Of the file, in a word. */
  readonly format: string;
  /** The line of the file that the first item stands on. */
  readonly firstLine: number;
  /** Items in file order; lines that are no events are among them. */
  readonly items: AsyncIterable<readonly TraceItem[]>;
  /** The processes whose lines the file has, if they are several; one is read. */
  readonly parts: readonly string[];
  /** The side whose lines are all that the file has, as its beginning shows. */
  readonly onlySide: Side | undefined;
  /** What came of a file of another tool, once its items were read; undefined: it is in a format of ours. */
  report(): ImportReport | undefined;
  /** Closes the file, whose items are not read then. */
  close(): Promise<void>;
}

/** Reads the header at once and the rest on demand. `part`: index of the process in the file; undefined: the first. */
export async function openTrace(path: string, part?: number): Promise<OpenedFile> {
  const reader = new AnyReader(senders, { part });
  const chunks = bytesOf(path)[Symbol.asyncIterator]();
  const close = async () => void (await chunks.return?.(undefined));
  const first: TraceItem[] = [];
  let done = false;
  while (!reader.header && !reader.problem && !done) done = await step(path, reader, chunks, first);
  if (reader.problem !== undefined || !reader.header) {
    await close();
    throw new FileError(
      `${path}: ${reader.problem ?? 'This file is empty: there is no trace in it.'}`,
    );
  }
  async function* items(): AsyncGenerator<readonly TraceItem[]> {
    try {
      if (first.length > 0) yield first;
      while (!done) {
        const batch: TraceItem[] = [];
        done = await step(path, reader, chunks, batch);
        if (batch.length > 0) yield batch;
      }
    } finally {
      await close();
    }
  }
  const { header, format, firstLine, parts, onlySide } = reader;
  if (part === undefined && parts.length > 1)
    console.error(
      `${path} has lines of several processes (${parts.join(', ')}); ${parts[0]} is read. \`acp-scope convert\` writes a trace of each.`,
    );
  const report = () => reader.report;
  return { header, format, firstLine, parts, onlySide, items: items(), report, close };
}

interface WholeTrace {
  readonly header: Header;
  readonly events: readonly TraceEvent[];
  /** The wall clock of `at` 0 in milliseconds, where the file knows it. */
  readonly began: number | undefined;
}

/** All events of a file; lines that are none are named on stderr and left out. Throws FileError. */
export async function readTrace(path: string): Promise<WholeTrace> {
  const { header, items } = await openTrace(path);
  const events: TraceEvent[] = [];
  for await (const good of eventsIn(path, items)) for (const event of good) events.push(event);
  return { header, events, began: beganAt(header) };
}

/** The same, its events read from their lines again when they are asked for, so that a million of them fit. */
export async function readPacked(path: string): Promise<LazyRecording> {
  const { header, items } = await openTrace(path);
  const lines = new PackedEvents();
  for await (const good of goodOf(path, items)) for (const { bytes } of good) lines.add(bytes);
  return { header, length: lines.length, eventAt: (place) => lines.at(place) };
}

interface IndexHow {
  readonly chipOf?: ChipOf;
  /** Hears of each event as it is read. */
  readonly take?: (event: TraceEvent) => void;
  /** True if an earlier reading named the lines that are no events. */
  readonly isAgain?: boolean;
  /** Index of the process in the file. */
  readonly part?: number | undefined;
}

/** The same to look in. `name`: what its frames are called by, `c3`. */
export async function readIndexed(
  path: string,
  name: string,
  { chipOf = chipBook(), take, isAgain, part }: IndexHow = {},
): Promise<IndexedTrace> {
  const { header, items } = await openTrace(path, part);
  const connection = connectionId(name);
  const index = new TraceIndex(connection, chipOf);
  const lines = new PackedEvents();
  for await (const good of goodOf(path, items, isAgain))
    for (const { event, bytes } of good) {
      const message = saidBy(event);
      index.append(event, message);
      lines.add(bytes);
      for (const member of membersIn(event, message)) {
        index.append(member.frame, member.message, member.size);
        lines.add(encodeUtf8(eventLine(member.frame)));
      }
      take?.(event);
    }
  return {
    ...{ index, connection, began: beganAt(header) },
    eventAt: (place) => lines.at(place),
    textAt: (place) => lines.textAt(place),
  };
}

/** Lines that are no events are named one by one up to so many: of a foreign log they may be most. */
const NAMED = 10;

/** Events in batches, of an open file. */
export async function* eventsIn(
  path: string,
  items: OpenedFile['items'],
): AsyncGenerator<readonly TraceEvent[]> {
  for await (const good of goodOf(path, items)) yield good.map(({ event }) => event);
}

type EventItem = Extract<TraceItem, { readonly event: TraceEvent }>;

async function* goodOf(
  path: string,
  items: OpenedFile['items'],
  isAgain = false,
): AsyncGenerator<readonly EventItem[]> {
  const odd = isAgain ? undefined : new OddLines(path, 'left out');
  for await (const batch of items) {
    const good: EventItem[] = [];
    for (const item of batch)
      if ('event' in item) good.push(item);
      else odd?.take(item);
    yield good;
  }
  odd?.end();
}

type OddLine = Exclude<TraceItem, EventItem>;

/** Says on stderr which lines are no events: the first ones one by one, then how many more, and the last. */
export class OddLines {
  readonly #path: string;
  readonly #fate: string;
  #count = 0;
  #last: OddLine | undefined;

  /** `fate`: what becomes of them, `left out`. */
  constructor(path: string, fate: string) {
    this.#path = path;
    this.#fate = fate;
  }

  /** False: so many were named before it that it is counted, and no more. */
  take(item: OddLine): boolean {
    this.#last = item;
    if (++this.#count > NAMED) return false;
    endProgress();
    console.error(`${this.#path}, line ${item.line}: ${item.problem}; ${this.#fate}.`);
    return true;
  }

  /** What there is to say of those that were not named, and where the last one is. */
  end(): { readonly line: number; readonly problem: string } | undefined {
    const more = this.#count - NAMED;
    if (!this.#last || more <= 0) return undefined;
    const { line, problem } = this.#last;
    const many = count(more, 'more line is', 'more lines are');
    console.error(`${this.#path}: ${many} ${this.#fate}; line ${line}, the last one: ${problem}.`);
    return {
      line,
      problem: more > 1 ? `${problem}; this is the last of ${formatCount(more)} more` : problem,
    };
  }
}

async function step(
  path: string,
  reader: AnyReader,
  chunks: AsyncIterator<Uint8Array>,
  into: TraceItem[],
): Promise<boolean> {
  const isBegun = reader.header !== undefined;
  try {
    const { value, done } = await chunks.next();
    for (const item of done ? reader.end() : reader.push(value)) into.push(item);
    const read = reader.line;
    // What came before counts; before a header it is no trace, which the caller says.
    if (!isBegun || reader.problem === undefined) return done === true;
    const why = reader.problem.replace(/^Import stopped: /, '').replace(/\.$/, '');
    into.push({
      problem: `nothing more is read (${why})`,
      bytes: new Uint8Array(),
      line: read + 1,
    });
    return true;
  } catch (error) {
    // The bytes that are held are not read any more.
    if (error instanceof ImportStopped) throw new FileError(`${path}: ${error.message}`);
    if (error instanceof FileError) throw error;
    for (const item of reader.end()) into.push(item);
    if (!reader.header) {
      const near = codeOf(error) === 'ENOENT' ? await nearestFile(path) : undefined;
      const meant = near === undefined ? '' : ` Did you mean ${near}?`;
      throw new FileError(`Cannot read ${path}: ${reason(error)}.${meant}`);
    }
    // What came before counts; what is missing is told where it is missing.
    const problem = `the file cannot be read further (${reason(error)})`;
    into.push({ problem, bytes: new Uint8Array(), line: reader.line + 1 });
    return true;
  }
}

/** The file of the same folder whose name is nearest. */
async function nearestFile(path: string): Promise<string | undefined> {
  const names = await readdir(dirname(path)).catch(() => []);
  const near = nearest(basename(path), names);
  return near === undefined ? undefined : join(dirname(path), near);
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  // Read at once: a stream that fails while nobody reads it ends the program.
  const source = createReadStream(path);
  const tell = () =>
    progress(() => `Reading ${Math.floor((100 * source.bytesRead) / size)} % of ${path}`);
  try {
    const chunks = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const { value: head, done } = await chunks.next();
    if (done) return;
    const rest = (async function* () {
      yield head;
      for (;;) {
        const next = await chunks.next();
        if (next.done) return;
        if (size > 0) tell();
        yield next.value;
      }
    })();
    if (isZip(head)) yield* archivedLogs(path, rest);
    else yield* head[0] === 0x1f && head[1] === 0x8b ? unzipped(rest) : rest;
  } finally {
    source.destroy();
    endProgress();
  }
}

/** The logs in an archive of logs, as one stream of bytes. Throws `FileError`. */
async function* archivedLogs(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size > MOST_ARCHIVE)
      throw new FileError(
        `${path}: an archive of more than 512 MiB is not unpacked here. Unpack it and give its logs.`,
      );
  }
  const logs = unpackLogs(joined(held));
  if (!logs.ok) throw new FileError(`${path}: ${logs.problem}`);
  if (logs.note !== undefined) console.error(`${path}: ${logs.note}`);
  yield* logs.bytes;
}

/**
 * A file that was cut off gives what it holds before it fails. What is unpacked is compared with what it came from, not
 * with what was read ahead, nor with the size at the end of the file, which is any number if the file was cut off.
 */
async function* unzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  let failure: unknown;
  // A pipeline would end both sides at once, and what was unzipped already with them.
  const gunzip = createGunzip().on('error', (error) => {
    failure = error;
    out.end();
  });
  gunzip.pipe(out);
  Readable.from(chunks)
    .on('error', (error) => gunzip.destroy(error))
    .pipe(gunzip);
  try {
    yield* withinLimit(out as AsyncIterable<Uint8Array>, () => gunzip.bytesWritten);
  } finally {
    gunzip.destroy();
  }
  if (failure !== undefined) throw failure;
}

/** Whether two paths lead to one file, by whatever way. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Each file once, by whatever way it is named, as it is named first. */
export async function onceEach(paths: readonly string[]): Promise<readonly string[]> {
  return [...new Set((await firstNames(paths)).values())];
}

/** By each path the one that named its file first. */
export async function firstNames(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const path of new Set(paths)) {
    const known = [...new Set(names.values())];
    const same = await Promise.all(known.map((one) => isSameFile(one, path)));
    names.set(path, known[same.indexOf(true)] ?? path);
  }
  return names;
}

/** What a command writes must not be what it reads. Throws `UsageError`; `option`: as `--out`, `OUT`. */
export async function keepApart(
  option: string,
  written: string | undefined,
  read: readonly string[],
): Promise<void> {
  if (written === undefined) return;
  for (const path of read)
    if (await isSameFile(written, path))
      throw new UsageError(
        `${written} and ${path} are one file that is read: it would be lost. Give another ${option}.`,
      );
}

/** Whether a file's name says that it is a trace. */
export function isTraceName(path: string): boolean {
  return /\.(acptrace\.jsonl|ndjson)(\.gz)?$/.test(path);
}

/** Whether a file of this name holds our format as it is written: not gzip, not another format. */
export function isPlainTrace(path: string): boolean {
  return !/\.(ndjson|gz)$/.test(path);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Why a file could not be read or written. */
export function reason(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'there is no such file or folder';
    case 'EACCES':
      return 'this user may not';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOSPC':
      return 'the disk is full';
    case 'Z_BUF_ERROR':
      return 'the gzip file is cut off';
    case 'Z_DATA_ERROR':
      return 'the gzip file is damaged';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
