// Which format a file is in, told from its first line, never from its name.
import { LineSplitter } from '../../lib/lines.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { Header } from '../format.ts';
import { TraceReader, type TraceItem } from '../read.ts';
import { isRecorderLine, RecorderReader } from './recorder.ts';

/** What every reader gives; see TraceReader. */
export interface Reader {
  readonly header: Header | undefined;
  readonly headerBytes: Uint8Array | undefined;
  readonly problem: string | undefined;
  readonly firstLine: number;
  readonly line: number;
  push(chunk: Uint8Array): TraceItem[];
  end(): TraceItem[];
}

/** Reads any format we know, from bytes as they come. */
export class AnyReader implements Reader {
  readonly #first = new LineSplitter();
  #held: Uint8Array[] = [];
  #reader: Reader | undefined;

  get header(): Header | undefined {
    return this.#reader?.header;
  }
  get headerBytes(): Uint8Array | undefined {
    return this.#reader?.headerBytes;
  }
  get problem(): string | undefined {
    return this.#reader?.problem;
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
    const reader = isRecorderLine(decodeLossy(line)) ? new RecorderReader() : new TraceReader();
    this.#reader = reader;
    const held = this.#held;
    this.#held = [];
    return held.flatMap((chunk) => reader.push(chunk));
  }
}
