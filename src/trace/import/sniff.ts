// Which format a file is in, told from its first line, never from its name.
import { LineSplitter } from '../../lib/lines.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { FORMAT, isUnreadable, parseHeader, type Header } from '../format.ts';
import { TraceReader, type ImportFormat, type Reader, type TraceItem } from '../read.ts';
import { RECORDER } from './recorder.ts';

/** Formats of others. To read one more: a file that exports it, and its name here. */
const FORMATS: readonly ImportFormat[] = [RECORDER];

const UNKNOWN = `This is no trace that can be read: its first line is neither an acptrace header nor ${FORMATS.map(({ words }) => words).join(' nor ')}.`;

/** Reads any format we know, from bytes as they come. */
export class AnyReader implements Reader {
  readonly #first = new LineSplitter();
  #held: Uint8Array[] = [];
  #reader: Reader | undefined;
  #unknown: string | undefined;
  #format: string = FORMAT;

  get header(): Header | undefined {
    return this.#reader?.header;
  }
  get headerBytes(): Uint8Array | undefined {
    return this.#reader?.headerBytes;
  }
  get problem(): string | undefined {
    return this.#unknown ?? this.#reader?.problem;
  }

  /** The format's name, once there is a header. */
  get format(): string {
    return this.#format;
  }
  get firstLine(): number {
    return this.#reader?.firstLine ?? 1;
  }
  get line(): number {
    return this.#reader?.line ?? 0;
  }

  push(chunk: Uint8Array): TraceItem[] {
    if (this.#reader) return this.#reader.push(chunk);
    this.#held.push(chunk);
    const [line] = this.#first.push(chunk);
    return line ? this.#choose(line) : [];
  }

  end(): TraceItem[] {
    const items = this.#reader ? [] : this.#choose(this.#first.end() ?? new Uint8Array());
    return [...items, ...(this.#reader?.end() ?? [])];
  }

  #choose(line: Uint8Array): TraceItem[] {
    const text = decodeLossy(line);
    const format = FORMATS.find((one) => one.fits(text));
    const header = parseHeader(text);
    const isForeign = text !== '' && isUnreadable(header) && header.foreign;
    if (!format && isForeign) this.#unknown = UNKNOWN;
    this.#format = format?.name ?? FORMAT;
    const reader = format?.reader() ?? new TraceReader();
    this.#reader = reader;
    const held = this.#held;
    this.#held = [];
    return held.flatMap((chunk) => reader.push(chunk));
  }
}
