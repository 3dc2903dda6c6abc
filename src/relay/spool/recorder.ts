// The one writer of a trace file, for the relay, the tap and `acp-scope record` alike: bytes in,
// events out, each with its seq and a monotonic time. Recording never fails loudly and never
// waits: if the disk refuses, events are counted, and a gap says how many once it works again.
import type { CappedLine, LongLine } from '../../lib/capped-lines.ts';
import { eventLine, FORMAT, headerLine, VERSION, type Header } from '../../trace/format.ts';
import {
  seq,
  type ConnectionId,
  type Exit,
  type Frame,
  type Origin,
  type Seq,
  type Side,
  type Start,
  type TraceEvent,
} from '../../trace/event.ts';
import { lineOf } from '../../trace/line.ts';
import { millis, type Millis } from '../../lib/time.ts';
import { AppendFile } from './append-file.ts';
import { brokenHead, unfinishedTail } from './utf8-tail.ts';

export interface RecorderOptions {
  readonly path: string;
  readonly connection: ConnectionId;
  /** `acp-scope 0.1.0`. */
  readonly tool: string;
  readonly name: string;
  readonly mode: 'drive' | 'tap';
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Replace a file of this name; otherwise one that is there is never touched. */
  readonly overwrite?: boolean;
  /** More events can be read from the file. */
  readonly onGrown?: () => void;
}

/** An event before the recorder stamps it. */
type Unstamped<E extends TraceEvent> = Omit<E, 'type' | 'seq' | 'at'>;

/** Waiting for a disk that works: past this a caller that can, should pause its source. */
const FULL = 8 * 1024 * 1024;
/** Waiting for a disk that refuses, and the most that may ever wait: past this, events are lost. */
const MOST_REFUSED = 4 * 1024 * 1024;
const MOST = 64 * 1024 * 1024;

export class Recorder {
  readonly header: Header;
  readonly path: string;
  readonly #file: AppendFile;
  readonly #began = performance.now();
  #last = 0;
  #lost: { readonly from: Seq; count: number; readonly reason: string } | undefined;
  #ended = false;
  /** An end that came while events were being lost: written after their gap. */
  #lateExit: Unstamped<Exit> | undefined;

  constructor(options: RecorderOptions) {
    const { connection, tool, name, mode, argv, cwd, overwrite } = options;
    this.path = options.path;
    this.header = {
      format: FORMAT,
      version: VERSION,
      created: new Date().toISOString(),
      tool,
      connection,
      name,
      mode,
      argv,
      cwd,
      writer: process.pid,
      clock: 'monotonic',
    };
    this.#file = new AppendFile({
      path: options.path,
      ...(overwrite && { overwrite }),
      onWritten: () => {
        this.#mend();
        options.onGrown?.();
      },
    });
    this.#file.append(headerLine(this.header) + '\n');
  }

  /** The newest event; 0: none yet. */
  get last(): Seq {
    return seq(this.#last);
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#file.size;
  }

  /** Why nothing can be written now, as a sentence. */
  get problem(): string | undefined {
    const error = this.#file.problem;
    return error && `The recording cannot be written to ${this.path}: ${reasonOf(error)}.`;
  }

  /** More waits for the disk than is good: pause the source until `drained`. */
  get full(): boolean {
    return this.#file.waiting > FULL && this.#file.problem === undefined;
  }

  drained(): Promise<void> {
    return this.#file.drained();
  }

  start(facts: Unstamped<Start>): void {
    this.#add((seq, at) => ({ type: 'start', seq, at, ...facts }));
  }

  /** `bytes`: the line without its 0x0A. `cut`: the stream ended before one came. */
  frame(from: Side, bytes: Uint8Array, origin: Origin, cut = false): void {
    this.#frame(() => ({ from, line: lineOf(bytes), origin, ...(cut && { cut }) }));
  }

  /** A line as it was framed, whole or not. */
  framed(from: Side, line: CappedLine, cut = false): void {
    if (line.kind === 'whole') this.frame(from, line.line, 'peer', cut);
    else this.#frame(() => ({ from, ...keptOf(line), origin: 'peer', ...(cut && { cut }) }));
  }

  stderr(bytes: Uint8Array, cut = false): void {
    this.#add((seq, at) => ({
      type: 'stderr',
      seq,
      at,
      line: lineOf(bytes),
      ...(cut && { cut }),
    }));
  }

  /** The last event; whatever comes later is not part of the trace. */
  exit(facts: Unstamped<Exit>): void {
    if (this.#lost && !this.#ended) this.#lateExit = facts;
    else this.#add((seq, at) => ({ type: 'exit', seq, at, ...facts }));
    this.#ended = true;
  }

  /** Resolves when everything that can be written is in the file. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#file.close();
  }

  #frame(make: () => Unstamped<Frame>): void {
    this.#add((seq, at) => ({ type: 'frame', seq, at, ...make() }));
  }

  #add(make: (seq: Seq, at: Millis) => TraceEvent): void {
    if (this.#ended) return;
    const number = seq(++this.#last);
    const most = this.#file.problem ? MOST_REFUSED : MOST;
    if (this.#lost || this.#file.waiting > most) return this.#lose(number);
    try {
      this.#write(make(number, this.#now()));
    } catch {
      // A line of hundreds of megabytes has no text that JavaScript can hold.
      this.#lose(number, 'the line is too long to record');
    }
  }

  #lose(number: Seq, reason?: string): void {
    const error = this.#file.problem;
    this.#lost ??= {
      from: number,
      count: 0,
      reason: reason ?? (error ? reasonOf(error) : 'the disk is slower than the agent'),
    };
    this.#lost.count++;
    if (reason !== undefined) this.#mend();
  }

  /** Writing works: say what was lost meanwhile, and go on. */
  #mend(): void {
    const lost = this.#lost;
    if (!lost || this.#file.problem || this.#file.waiting > FULL) return;
    this.#lost = undefined;
    const { from, count, reason } = lost;
    this.#write({ type: 'gap', seq: from, at: this.#now(), count, reason });
    if (!this.#lateExit) return;
    this.#write({ type: 'exit', seq: seq(++this.#last), at: this.#now(), ...this.#lateExit });
    this.#lateExit = undefined;
  }

  #write(event: TraceEvent): void {
    this.#file.append(eventLine(event) + '\n');
  }

  #now(): Millis {
    return millis(performance.now() - this.#began);
  }
}

/** Head and tail are cut between characters, so that they read as text where the line is text. */
function keptOf({ bytes, sha256, head, tail }: LongLine): Pick<Frame, 'line' | 'oversize'> {
  return {
    line: lineOf(head.subarray(0, head.length - unfinishedTail(head))),
    oversize: { bytes, sha256, tail: lineOf(tail.subarray(brokenHead(tail))) },
  };
}

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOSPC':
      return 'the disk is full (ENOSPC)';
    case 'EDQUOT':
      return 'the disk quota is used up (EDQUOT)';
    case 'EIO':
      return 'the disk reports an error (EIO)';
    case 'EROFS':
      return 'the file system is read-only (EROFS)';
    case 'EACCES':
    case 'EPERM':
      return `writing there is not permitted (${error.code})`;
    case 'ENOENT':
      return 'the folder does not exist (ENOENT)';
    case 'EEXIST':
      return 'a file of this name exists (EEXIST)';
    default:
      return error.message;
  }
}
