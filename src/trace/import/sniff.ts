// Which format a file is in, told from how it begins, never from its name.
import { JsonRecord, readJson, type JsonItem } from './json-record.ts';
import { joined } from '../../lib/bytes.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { FORMAT, isUnreadable, parseHeader, type Header } from '../format.ts';
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
import { HAR } from './formats/har.ts';
import { JETBRAINS } from './formats/jetbrains.ts';
import { MCP_INSPECTOR } from './formats/mcp-inspector.ts';
import { plainLines } from './formats/plain.ts';
import { RUST_CONDUCTOR } from './formats/rust-conductor.ts';
import { ZED } from './formats/zed.ts';
import { DocumentImport, LineImport } from './importer.ts';
import { isRecorderLine, RecorderReader } from './recorder.ts';

/** Formats of others. To read one more: a file that exports it, and its name in one of these. */
const LINES: readonly LineFormat[] = [ACP_INSPECTOR, RUST_CONDUCTOR, ACP_DEVTOOLS_LINES, JETBRAINS];
const DOCUMENTS: readonly WholeFileFormat[] = [ACP_DEVTOOLS, ZED, MCP_INSPECTOR, HAR, AGENT_SHELL];
export const FORMATS: readonly (LineFormat | WholeFileFormat)[] = [...LINES, ...DOCUMENTS];

/** So much is looked at before a format is chosen: logs may begin with lines that are something else. */
const LOOKED = 256 * 1024;
const LOOKED_LINES = 40;
/** The longest line of a recording is 128 MiB, which JSON may write in a third more. */
const MOST_LINE = 256 * 1024 ** 2;
const NEWLINE = 0x0a;
const NOBODY: Senders = { next: () => undefined };

interface AnyOptions<T> {
  /** Lines in a row that are no events: after so many, reading stops. */
  readonly mostOdd?: number;
  /** Makes the reader of our own format. Whoever gives one checks the lines. */
  readonly own?: () => Reader<T>;
}

/** Reads any format we know, from bytes as they come. `senders`: whoever can tell who sent a plain line. */
export class AnyReader<T extends ReadLines = TraceItem> implements Reader<T | TraceItem> {
  readonly #plain: LineFormat;
  readonly #options: AnyOptions<T>;
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

  constructor(senders: () => Senders = () => NOBODY, options: AnyOptions<T> = {}) {
    this.#options = options;
    this.#plain = plainLines(senders);
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
    const items = this.#reader ? [] : this.#choose(true);
    return [...items, ...(this.#reader?.end() ?? [])];
  }

  /** `isAll`: no more of the file will be looked at. */
  #choose(isAll: boolean): (T | TraceItem)[] {
    const text = decodeLossy(headOf(this.#held)).replace(/^\ufeff/, '');
    const lines = text.split('\n');
    // The last one may still grow.
    if (!isAll) lines.pop();
    const reader = this.#readerOf(
      text,
      lines.slice(0, LOOKED_LINES),
      isAll || lines.length >= LOOKED_LINES,
    );
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
    const format = LINES.find((one) => lines.some((line) => one.fits(line)));
    if (format) return new LineImport(format);
    if (!isAll) return undefined;
    const json = readJson(first);
    const isWhole = json !== undefined && DOCUMENTS.some((one) => one.fits(first, json));
    if (!isWhole && lines.some((line) => this.#plain.fits(line)))
      return new LineImport(this.#plain);
    return /^\s*[[{(;]/.test(text) ? new DocumentImport(DOCUMENTS, unknownWords) : undefined;
  }
}

/** So much as is looked at, and the first line whole. */
function headOf(chunks: readonly Uint8Array[]): Uint8Array {
  const all = joined(chunks);
  const end = all.indexOf(NEWLINE);
  return all.subarray(0, Math.max(LOOKED, end < 0 ? all.length : end + 1));
}

/** What was looked at, and what would help. */
function unknownWords(text: string): string {
  const known = new Set(FORMATS.map(({ name }) => name));
  return [
    `This is no trace that can be read: it begins as ${beginning(text)}.`,
    `Read are traces of ACP Scope, lines of the recorder format, ${[...known].join(', ')},`,
    'and JSON-RPC messages, one a line. docs/import.md says how to come by each.',
  ].join(' ');
}

function beginning(text: string): string {
  if (/^\ufffd{0,2}(?:(?:[^\0]\0){4}|(?:\0[^\0]){4})/.test(text))
    return 'text in UTF-16, as PowerShell writes it; save it as UTF-8';
  const json = readJson(text);
  if (json instanceof JsonRecord && json.record('log')?.record('creator'))
    return 'a HAR file without messages of a WebSocket';
  if (json instanceof JsonRecord) return `an object with ${keysOf(json)}`;
  if (json !== undefined) return listWords(json);
  if (/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text.slice(0, 100)))
    return 'bytes that are no text';
  if (/^\s*[[{]/.test(text)) return 'JSON that is cut off or damaged';
  return 'text without a JSON-RPC message in its first lines';
}

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
