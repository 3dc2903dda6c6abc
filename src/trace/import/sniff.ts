// Which format a file is in, told from how it begins, never from its name.
import { JsonRecord, readJson, type JsonItem } from './json-record.ts';
import { joined } from '../../lib/bytes.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { FORMAT, isUnreadable, parseHeader, type Header } from '../format.ts';
import type { Side } from '../event.ts';
import {
  MOST_ODD,
  tooManyOdd,
  TraceReader,
  type ReadLines,
  type Reader,
  type TraceItem,
} from '../read.ts';
import {
  harmless,
  type WholeFileFormat,
  type ImportReport,
  type LineFormat,
  type Senders,
} from './format.ts';
import { ACP_DEVTOOLS, ACP_DEVTOOLS_LINES } from './formats/acp-devtools.ts';
import { ACP_INSPECTOR } from './formats/acp-inspector.ts';
import { AGENT_SHELL } from './formats/agent-shell.ts';
import { HAR, HAR_HTTP } from './formats/har.ts';
import { JETBRAINS } from './formats/jetbrains.ts';
import { MCP_INSPECTOR } from './formats/mcp-inspector.ts';
import { plainLines } from './formats/plain.ts';
import { RUST_CONDUCTOR } from './formats/rust-conductor.ts';
import { ACPDBG, VENIKMAN, wrappedLines } from './formats/wrapped.ts';
import { ZED } from './formats/zed.ts';
import { DocumentImport, LineImport } from './importer.ts';
import { isRecorderLine, RecorderReader } from './recorder.ts';
import { Utf8Bytes } from './utf16.ts';

/** Formats of others. To read one more: a file that exports it, and its name in one of these. */
const LINES: readonly LineFormat[] = [
  ...[ACP_INSPECTOR, RUST_CONDUCTOR, ACP_DEVTOOLS_LINES, JETBRAINS, VENIKMAN, ACPDBG],
];
const DOCUMENTS: readonly WholeFileFormat[] = [
  ...[ACP_DEVTOOLS, ZED, MCP_INSPECTOR, HAR_HTTP, HAR, AGENT_SHELL],
];
export const FORMATS: readonly (LineFormat | WholeFileFormat)[] = [...LINES, ...DOCUMENTS];

/** So much is looked at before a format is chosen: logs may begin with lines that are something else. */
const LOOKED = 256 * 1024;
const LOOKED_LINES = 40;
/** The longest line of a recording is 128 MiB, which JSON may write in a third more. */
const MOST_LINE = 256 * 1024 ** 2;
const NEWLINE = 0x0a;
const NOBODY: Senders = { next: () => undefined };

interface AnyOptions<T> {
  /** Number of lines in a row without an event, after which reading stops. */
  readonly mostOdd?: number;
  /** The index in `parts` of the process that is read. */
  readonly part?: number | undefined;
  /** Makes the reader of our own format. Whoever gives one checks the lines. */
  readonly own?: () => Reader<T>;
}

/** Reads any format we know, from bytes as they come. `senders`: whoever can tell who sent a plain line. */
export class AnyReader<T extends ReadLines = TraceItem> implements Reader<T | TraceItem> {
  /** Formats of lines that anyone may write. */
  readonly #logs: readonly LineFormat[];
  readonly #options: AnyOptions<T>;
  readonly #utf8 = new Utf8Bytes();
  #held: Uint8Array[] = [];
  #size = 0;
  /** A whole line is here: none is judged by a part of it. */
  #hasLine = false;
  /** Bytes held before the next look. It doubles, so that looking costs what the beginning is long. */
  #nextLook = 0;
  /** Bytes of the line that has not ended, of whatever format. */
  #unended = 0;
  /** Lines since the last event. */
  #odd = 0;
  #reader: Reader<T | TraceItem> | undefined;
  #unknown: string | undefined;
  /** The processes whose lines are in the file, if they are several. */
  parts: readonly string[] = [];
  /** The side whose lines are all that the beginning of a log has. */
  onlySide: Side | undefined;

  constructor(senders: () => Senders = () => NOBODY, options: AnyOptions<T> = {}) {
    this.#options = options;
    this.#logs = [wrappedLines(senders), plainLines(senders)];
  }

  get header(): Header | undefined {
    return this.#reader?.header;
  }
  get headerBytes(): Uint8Array | undefined {
    return this.#reader?.headerBytes;
  }
  get problem(): string | undefined {
    return this.#unknown ?? this.#reader?.problem;
  }
  get report(): ImportReport | undefined {
    return this.#reader?.report;
  }
  /** The format in a word, once there is a header. */
  get format(): string {
    if (this.#reader instanceof RecorderReader) return 'recorder';
    return this.report?.word ?? FORMAT;
  }
  get firstLine(): number {
    return this.#reader?.firstLine ?? 1;
  }
  get line(): number {
    return this.#reader?.line ?? 0;
  }

  push(chunk: Uint8Array): (T | TraceItem)[] {
    return this.#push(this.#utf8.push(chunk));
  }

  #push(chunk: Uint8Array): (T | TraceItem)[] {
    if (this.#unknown !== undefined) return [];
    const newline = chunk.lastIndexOf(NEWLINE);
    this.#unended = newline < 0 ? this.#unended + chunk.length : chunk.length - newline - 1;
    if (this.#unended > MOST_LINE) return this.#stop();
    if (this.#reader) return this.#bounded(this.#reader.push(chunk));
    // A copy: the caller may use its buffer again.
    this.#held.push(chunk.slice());
    this.#size += chunk.length;
    this.#hasLine ||= newline >= 0;
    const isAll = this.#size >= LOOKED;
    if (!this.#hasLine || (!isAll && this.#size < this.#nextLook)) return [];
    this.#nextLook = 2 * this.#size;
    return this.#choose(isAll);
  }

  #bounded(items: (T | TraceItem)[]): (T | TraceItem)[] {
    const { own, mostOdd = MOST_ODD } = this.#options;
    if (own && this.report === undefined) return items;
    const place = items.findLastIndex((item) => 'event' in item);
    this.#odd = place < 0 ? this.#odd + items.length : items.length - place - 1;
    if (this.#odd >= mostOdd) this.#unknown = tooManyOdd(this.line, this.#odd);
    return items;
  }

  /** What is held of the line that does not end is let go. */
  #stop(): (T | TraceItem)[] {
    this.#unknown = `Import stopped: line ${this.line + 1} is longer than 256 MiB.`;
    this.#reader = undefined;
    this.#held = [];
    return [];
  }

  end(): (T | TraceItem)[] {
    if (this.#unknown !== undefined) return [];
    const rest = this.#push(this.#utf8.end());
    const items = this.#reader ? rest : this.#choose(true);
    return [...items, ...(this.#reader?.end() ?? [])];
  }

  /** `isAll`: no more of the file will be looked at. */
  #choose(isAll: boolean): (T | TraceItem)[] {
    const text = decodeLossy(headOf(this.#held)).replace(/^\ufeff/, '');
    const lines = text.split('\n');
    // The last one may still grow.
    if (!isAll) lines.pop();
    const reader = this.#readerOf(text, lines, isAll);
    if (!reader) {
      if (isAll) this.#unknown = unknownWords(text);
      return [];
    }
    this.#reader = reader;
    return this.#held.splice(0).flatMap((chunk) => reader.push(chunk));
  }

  #readerOf(
    text: string,
    lines: readonly string[],
    isAll: boolean,
  ): Reader<T | TraceItem> | undefined {
    const [first = ''] = lines;
    const header = parseHeader(first);
    if (text === '' || !isUnreadable(header) || !header.foreign)
      return this.#options.own?.() ?? new TraceReader();
    if (isRecorderLine(first)) return new RecorderReader();
    const beginning = lines.slice(0, LOOKED_LINES);
    const format = LINES.find((one) => beginning.some((line) => one.fits(line)));
    if (format) return new LineImport(format);
    if (!isAll) return undefined;
    if (isDocument(text, first))
      return new DocumentImport(DOCUMENTS, unknownWords, (whole) =>
        this.#logOf(whole.slice(0, LOOKED).split('\n')),
      );
    return this.#logOf(lines);
  }

  /** Returns a reader for a log that begins with these lines; undefined if they have no message. */
  #logOf(lines: readonly string[]): Reader | undefined {
    for (const format of this.#logs) {
      const seen = lookedAt(format, lines);
      if (!seen.hasMessage) continue;
      [this.parts, this.onlySide] = [seen.processes, seen.only];
      const { part = 0 } = this.#options;
      const process = seen.processes[part];
      return new LineImport(format, { only: seen.only, process, isFirst: part === 0 });
    }
    return undefined;
  }
}

/** True if the text begins as one document rather than as lines. */
function isDocument(text: string, first: string): boolean {
  const json = readJson(first);
  if (json !== undefined) return DOCUMENTS.some((one) => one.fits(first, json));
  return /^\s*(?:[[{]\s*(?:["[{]|$)|[(;])/.test(
    text.slice(0, 1000).split('\n').find(isWords) ?? '',
  );
}

function isWords(line: string): boolean {
  return line.trim() !== '';
}

interface Seen {
  readonly hasMessage: boolean;
  /** The side whose lines are all that there are. */
  readonly only: Side | undefined;
  /** The processes that have messages of both sides, if they are several. */
  readonly processes: readonly string[];
}

/** Reads the beginning of a log for what must be known before its first message is read. */
function lookedAt(format: LineFormat, lines: readonly string[]): Seen {
  const taker = format.begin();
  const sides = new Map<string, Set<Side>>();
  let hasMessage = false;
  const pieces = [
    ...lines.flatMap((line) => taker.take(line.replace(/\r$/, ''))),
    ...(taker.end?.() ?? []),
  ];
  for (const piece of pieces) {
    if (piece.type !== 'frame') continue;
    hasMessage = true;
    if (piece.process === undefined) continue;
    sides.set(piece.process, (sides.get(piece.process) ?? new Set()).add(piece.from));
  }
  const both = [...sides].flatMap(([process, { size }]) => (size === 2 ? [process] : []));
  return { hasMessage, only: taker.onlySide, processes: both.length > 1 ? both : [] };
}

/** So much as is looked at, and the first line whole. */
function headOf(chunks: readonly Uint8Array[]): Uint8Array {
  const all = joined(chunks);
  const end = all.indexOf(NEWLINE);
  return all.subarray(0, Math.max(LOOKED, end < 0 ? all.length : end + 1));
}

/** Returns the sentence about an unknown file: its first line, what that lacks, and what would help. */
function unknownWords(text: string): string {
  const known = new Set(FORMATS.map(({ name }) => name));
  return [
    `This file has no trace that can be read: ${lackingIn(text)}.`,
    `Read are traces of ACP Scope, lines of the recorder format, ${[...known].join(', ')},`,
    'and logs with JSON-RPC messages. docs/import.md says how to come by each.',
  ].join(' ');
}

/** Returns the first line that is not empty, and what it would need, as a clause. */
function lackingIn(text: string): string {
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/.test(text.slice(0, 100)))
    return 'it begins as bytes that are no text';
  const lines = text.slice(0, LOOKED).split('\n');
  const at = lines.findIndex(isWords);
  if (at < 0) return 'it has no text';
  const line = lines[at] ?? '';
  const json = readJson(text) ?? readJson(line);
  if (json instanceof JsonRecord && json.record('log')?.record('creator'))
    return 'it is a HAR file without JSON-RPC messages of HTTP or of a WebSocket';
  const shown = harmless(line.trim().slice(0, SHOWN));
  const named = `line ${at + 1} (\`${shown}${line.trim().length > SHOWN ? '…' : ''}\`)`;
  if (json instanceof JsonRecord)
    return `${named} is an object with ${keysOf(json)}, none of which holds a JSON-RPC message`;
  if (json !== undefined) return `${named} is ${listWords(json)}, without a JSON-RPC message`;
  if (!line.includes('{'))
    return `${named} and the lines after it are text without a JSON-RPC message`;
  return `${named} has a brace, but neither it nor the lines after it have a whole JSON-RPC message`;
}

const SHOWN = 60;

function listWords([first]: readonly JsonItem[]): string {
  if (first === undefined) return 'an empty array';
  return first.record
    ? `an array of objects with ${keysOf(first.record)}`
    : 'an array without objects';
}

function keysOf(record: JsonRecord): string {
  const keys = record
    .keys()
    .slice(0, 8)
    .map((key) => harmless(key.slice(0, 40)));
  return keys.length === 0 ? 'no keys' : `the keys ${keys.join(', ')}`;
}
