// The recorder format: one JSON object a line, `{"t": ms since start, "dir": "client-to-agent" |
// "agent-to-client" | "stderr", "raw": "the exact line"}`. It knows no seq, start, exit or bytes
// that are not UTF-8; a file is one process, its end the end of the connection. Without times it has no `t`.
import { LineSplitter } from '../../lib/lines.ts';
import { millis } from '../../lib/time.ts';
import { decodeLossy, decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { seq, type TraceEvent } from '../event.ts';
import {
  eventLine,
  FORMAT,
  headerLine,
  TIMED_VERSION,
  FORMAT_VERSION,
  type Header,
} from '../format.ts';
import { lineText } from '../line.ts';
import { NOT_UTF8_WHY, type Reader, type TraceItem } from '../read.ts';

interface Recorded {
  readonly t?: number;
  readonly dir: 'client-to-agent' | 'agent-to-client' | 'stderr';
  readonly raw: string;
}

export function isRecorderLine(line: string): boolean {
  return parse(line) !== undefined;
}

export class RecorderReader implements Reader {
  readonly firstLine = 1;
  readonly #splitter = new LineSplitter();
  header: Header = {
    format: FORMAT,
    version: TIMED_VERSION,
    created: new Date(0).toISOString(),
    tool: 'recorder',
    clock: 'imported',
  };
  headerBytes = encodeUtf8(headerLine(this.header));
  readonly problem: string | undefined = undefined;
  #seq = 0;
  line = 0;

  push(chunk: Uint8Array): TraceItem[] {
    return this.#splitter.push(chunk).map((bytes) => this.#take(bytes));
  }

  end(): TraceItem[] {
    const rest = this.#splitter.end();
    return rest ? [this.#take(rest)] : [];
  }

  #take(bytes: Uint8Array): TraceItem {
    this.line++;
    const text = decodeUtf8(bytes);
    const recorded = parse(text ?? decodeLossy(bytes));
    if (!recorded) return { problem: 'not a line of the recorder format', bytes, line: this.line };
    if (this.line === 1 && recorded.t === undefined) {
      this.header = { ...this.header, version: FORMAT_VERSION };
      this.headerBytes = encodeUtf8(headerLine(this.header));
    }
    // What the peer wrote is not known.
    if (text === undefined) return { problem: NOT_UTF8_WHY, bytes, line: this.line };
    return new Item(this.#event(recorded));
  }

  #event({ t, dir, raw }: Recorded): TraceEvent {
    const stamp = { seq: seq(++this.#seq), ...(t !== undefined && { at: millis(t) }) };
    const line = { text: raw };
    if (dir === 'stderr') return { type: 'stderr', ...stamp, line };
    const from = dir === 'client-to-agent' ? 'client' : 'agent';
    return { type: 'frame', ...stamp, from, line, origin: 'peer' };
  }
}

/** Its bytes are written when they are asked for: who only reads a file never does. */
class Item {
  readonly event: TraceEvent;
  #bytes: Uint8Array | undefined;

  constructor(event: TraceEvent) {
    this.event = event;
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= encodeUtf8(eventLine(this.event)));
  }
}

/** The event's line in the recorder format; undefined where the format has no word for it. */
export function recorderLine(event: TraceEvent): string | undefined {
  if (event.type !== 'frame' && event.type !== 'stderr') return undefined;
  const dir =
    event.type === 'stderr'
      ? 'stderr'
      : event.from === 'client'
        ? 'client-to-agent'
        : 'agent-to-client';
  const t = event.at === undefined ? {} : { t: event.at };
  return JSON.stringify({ ...t, dir, raw: lineText(event.line) } satisfies Recorded);
}

function parse(text: string): Recorded | undefined {
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, '')) as Partial<Recorded> | null;
    const known =
      value?.dir === 'client-to-agent' ||
      value?.dir === 'agent-to-client' ||
      value?.dir === 'stderr';
    const isTimed = typeof value?.t === 'number' || value?.t === undefined;
    return known && isTimed && typeof value.raw === 'string' ? (value as Recorded) : undefined;
  } catch {
    return undefined;
  }
}
