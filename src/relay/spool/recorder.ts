// The one writer of a trace file, for the relay, the tap and `acp-scope record` alike: bytes in,
// events out, each with its seq and a monotonic time. Recording never fails loudly and never
// waits: if the disk refuses, events are counted, and a gap says how many are missing, and why.
import { isUtf8 } from 'node:buffer';
import { sizeOf } from '../../lib/bytes.ts';
import { bytesOf, type CappedLine, type WholeLine } from '../../lib/capped-lines.ts';
import { withoutSecrets } from '../../lib/secrets/arguments.ts';
import type { Millis } from '../../lib/time.ts';
import {
  seq,
  type ConnectionId,
  type Exit,
  type Frame,
  type Gap,
  type Intercept,
  type Origin,
  type Seq,
  type Side,
  type Start,
  type TraceEvent,
  type Transport,
} from '../../trace/event.ts';
import { eventLine, FORMAT, headerLine, TIMED_VERSION, type Header } from '../../trace/format.ts';
import { lineOf } from '../../trace/line.ts';
import {
  MissingRanges,
  troubleReason,
  type MissingEvents,
  type Trouble,
} from '../../trace/trouble.ts';
import { AppendFile } from './append-file.ts';
import { Awake, type Clocks } from './awake.ts';
import type { Disk, SpoolLimits } from './disk.ts';
import { Entries, type Entry } from './entries.ts';
import { keptOf, longFrameLine } from './long-line.ts';
import { BATCH_BYTES, type SpoolBatch } from './spool-reader.ts';
import { aroundBytes, type Quoting } from './text-block.ts';

export interface RecorderOptions {
  readonly path: string;
  readonly connection: ConnectionId;
  /** `acp-scope 0.1.0`. */
  readonly tool: string;
  readonly name: string;
  readonly mode: 'drive' | 'tap';
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly limits?: SpoolLimits;
  /** Replace a file of this name; otherwise one that is there is never touched. */
  readonly overwrite?: boolean;
  /** Makes the folder of the file again, where that is gone; false: it may not be used. */
  readonly makeFolder?: () => boolean;
  /** How long a disk that refuses is asked again after the end, ms; until then what waits is kept. */
  readonly patience?: number;
  /** More events can be read: from the file, or from `held`. */
  readonly onGrown?: () => void;
  /** There is trouble, or more is lost, or the agent's end has come meanwhile, or it is over. */
  readonly onTrouble?: () => void;
  /** The file was removed, with the events in it; a new one begins. */
  readonly onRemoved?: () => void;
  readonly disk?: Disk;
  readonly clocks?: Clocks;
}

/** An event before the recorder stamps it. */
type Unstamped<E extends TraceEvent> = Omit<E, 'type' | 'seq' | 'at'>;

type Known = Pick<Frame, 'from' | 'origin'>;
type FrameFacts = Pick<Frame, 'cut' | 'via' | 'of'>;

/** Waiting for a disk that works: past this a caller that can, should pause its source. */
const FULL = 8 * 1024 * 1024;
/** The same where many record at once: of all of them, and of one that counts. */
const FULL_IN_ALL = 64 * 1024 * 1024;
const FULL_SHARE = 256 * 1024;
/** Waiting for a disk that refuses, and the most that may ever wait: past this, events are lost. */
const MOST_REFUSED = 4 * 1024 * 1024;
const MOST = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
/** A longer line is written in pieces. */
const LONG = 1024 * 1024;
/** A disk that takes nothing for so long is not slow: it hangs. */
const HANGS_MS = 1000;
/** And after so long it is told, also where nothing is lost. */
const HANGS_TOLD_MS = 3000;
const PATIENCE_MS = 2000;
/** Where pieces come together, until the next line: new memory costs as much as all else. */
const TOGETHER = new Uint8Array(LONG);

export class Recorder {
  readonly header: Header;
  readonly path: string;
  readonly #file: AppendFile;
  readonly #options: RecorderOptions;
  readonly #awake: Awake;
  #last = 0;
  #newest = 0;
  /** Events that are not recorded, as long as none can be. */
  #losing: MissingEvents | undefined;
  readonly #shortfall = new MissingRanges();
  #exit: Exit | undefined;
  #ended = false;
  #toldTrouble = [undefined, undefined, false].join();

  constructor(options: RecorderOptions) {
    const { connection, tool, name, mode, argv, cwd } = options;
    this.#options = options;
    this.path = options.path;
    this.#awake = new Awake(options.clocks);
    this.header = {
      format: FORMAT,
      version: TIMED_VERSION,
      created: new Date().toISOString(),
      ...{ tool, connection, name, mode },
      argv: withoutSecrets(argv),
      cwd,
      writer: process.pid,
      clock: 'monotonic',
    };
    this.#file = new AppendFile({
      ...options,
      opening: (last) => this.#opening(last),
      ending: (last) => this.#ending(last),
      onWritten: () => {
        this.#mend();
        options.onGrown?.();
      },
      onTrouble: () => this.#tellTrouble(),
      onLook: () => void this.#moment(),
      onRemoved: () => {
        if (this.#file.last > 0) options.onRemoved?.();
      },
    });
  }

  /** By the clock of its events. */
  get now(): Millis {
    return this.#awake.now;
  }

  /** The newest event; 0: none yet. */
  get last(): Seq {
    return seq(this.#last);
  }

  /** The newest that a reader can be given, now or soon: a gap that is not over yet is none. */
  get newest(): Seq {
    return seq(this.#newest);
  }

  /** The end was recorded, if not written. */
  get hasExit(): boolean {
    return this.#exit !== undefined;
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#file.size;
  }

  /** Grows with each step of the disk. */
  get progress(): number {
    return this.#file.progress;
  }

  /** Why nothing can be recorded now. */
  get trouble(): Trouble | undefined {
    const { problem, entries, still } = this.#file;
    const hangs = entries.length > 0 && still > HANGS_TOLD_MS;
    if (!problem && !this.#losing && !hangs) return undefined;
    const code = problem || !this.#losing ? this.#codeNow() : this.#losing.code;
    const lost = this.#shortfall.count + (this.#losing?.count ?? 0);
    return { code, path: this.path, lost };
  }

  /** What the file lacks, as a sentence; after `close` that is final. Undefined: it has everything. */
  get shortfall(): string | undefined {
    return this.#shortfall.sentence(this.#last, this.path);
  }

  /** More waits for the disk than is good: pause the source until `drained`. */
  get full(): boolean {
    if (this.#file.problem) return false;
    const { waiting } = this.#file.entries;
    return waiting > FULL || (waiting > FULL_SHARE && Entries.waitingInAll > FULL_IN_ALL);
  }

  drained(): Promise<void> {
    return this.#file.drained();
  }

  start(facts: Unstamped<Start>): void {
    this.#add((seq, at) => textEntry({ type: 'start', seq, at, ...facts }));
  }

  /** `bytes`: the line without its 0x0A. */
  frame(from: Side, bytes: Uint8Array, origin: Origin, more?: FrameFacts): void {
    this.#whole({ from, origin }, { kind: 'whole', pieces: [bytes] }, more, this.#moment());
  }

  /** A line as it was framed, whole or not. */
  framed(from: Side, line: CappedLine, more?: FrameFacts): void {
    const facts = { from, origin: 'peer' } as const;
    if (line.kind === 'whole') this.#whole(facts, line, more, this.#moment());
    else this.#frame({ ...facts, ...more, ...keptOf(line) }, this.#moment());
  }

  /** Whole lines of a peer that came together, each with its 0x0A. */
  lines(from: Side, bytes: Uint8Array): void {
    const now = this.#moment();
    const known = { from, origin: 'peer' } as const;
    const around = isUtf8(bytes) ? aroundBytes({ ...known, at: now }, undefined) : undefined;
    for (let start = 0; start < bytes.length;) {
      const stop = bytes.indexOf(NEWLINE, start);
      if (around) this.#quote({ around, utf8: bytes, start, stop });
      else this.#short(known, bytes.subarray(start, stop), undefined, now);
      start = stop + 1;
    }
  }

  /** What was done to a line before it could cross. Its number, by which the frame names it. */
  intercept(facts: Unstamped<Intercept>): Seq {
    this.#add((seq, at) => textEntry({ type: 'intercept', seq, at, ...facts }));
    return this.last;
  }

  /** What a transport did beside its frames. */
  transport(facts: Unstamped<Transport>): void {
    this.#add((seq, at) => textEntry({ type: 'transport', seq, at, ...facts }));
  }

  stderr(bytes: Uint8Array, cut = false): void {
    this.#add((seq, at) =>
      textEntry({ type: 'stderr', seq, at, line: lineOf(bytes), ...(cut && { cut }) }),
    );
  }

  /** The last event; whatever comes later is not part of the trace. */
  exit(facts: Unstamped<Exit>): void {
    if (this.#ended) return;
    this.#moment();
    this.#ended = true;
    if (this.#losing) this.#tellLost(this.#losing);
    this.#exit = { type: 'exit', seq: seq(++this.#last), at: this.now, ...facts };
    this.#append(textEntry(this.#exit));
  }

  /**
   * Events after `after` that are not in the file because the disk refuses them, as the lines it will
   * have once it does not; undefined: none, or the disk works.
   */
  held(after: Seq): SpoolBatch | undefined {
    const held = this.#file.problem && this.#file.entries.after(after, BATCH_BYTES);
    return held && { ...held, first: seq(held.first), last: seq(held.last) };
  }

  /**
   * Resolves when everything is in the file; or when the disk has refused it for `patience` ms, by
   * default that of the options, and it is given up. A later call sets another patience.
   */
  async close(patience = this.#options.patience ?? PATIENCE_MS): Promise<void> {
    this.#ended = true;
    await this.#file.close(patience);
    const { last, hasEnding } = this.#file;
    if (hasEnding) return;
    this.#shortfall.add({ seq: last + 1, count: this.#last - last, code: this.#codeNow() });
  }

  #whole(known: Known, whole: WholeLine, more: FrameFacts | undefined, now: Millis): void {
    const size = sizeOf(whole.pieces);
    if (size <= LONG) return this.#short(known, bytesOf(whole, TOGETHER), more, now);
    const facts = { from: known.from, line: { text: '' }, origin: known.origin, ...more };
    this.#add((seq, at) => {
      const frame = { type: 'frame', seq, at, ...facts } as const;
      return { content: () => longFrameLine(frame, whole.pieces), size, first: seq, last: seq };
    }, now);
  }

  #short(known: Known, utf8: Uint8Array, more: FrameFacts | undefined, now: Millis): void {
    const { from, origin } = known;
    if (!isUtf8(utf8)) return this.#frame({ from, line: lineOf(utf8), origin, ...more }, now);
    const around = aroundBytes({ ...known, at: now }, more);
    this.#quote({ around, utf8, start: 0, stop: utf8.length });
  }

  #quote({ around, utf8, start, stop }: Omit<Quoting, 'number'>): void {
    const number = this.#next();
    if (number === undefined) return;
    this.#append({ content: { around, number, utf8, start, stop }, first: number, last: number });
  }

  #frame(facts: Unstamped<Frame>, now: Millis): void {
    this.#add((seq, at) => textEntry({ type: 'frame', seq, at, ...facts }), now);
  }

  /** The time of what comes now, behind the word that nothing ran before it. */
  #moment(): Millis {
    const slept = this.#awake.look();
    const { now } = this;
    if (slept) this.#add((seq, at) => textEntry({ type: 'sleep', seq, at, ...slept }), now);
    return now;
  }

  #add(make: (seq: Seq, at: Millis) => Entry, now = this.#moment()): void {
    const number = this.#next();
    if (number !== undefined) this.#append(make(number, now));
  }

  /** Of the next event; undefined: it is lost, or the trace has ended. */
  #next(): Seq | undefined {
    if (this.#ended) return undefined;
    const number = seq(++this.#last);
    if (!this.#losing && !this.#isCrowded) return number;
    this.#lose(number);
    return undefined;
  }

  #append(entry: Entry): void {
    this.#newest = entry.first;
    this.#file.append(entry);
    if (this.#file.problem) this.#options.onGrown?.();
  }

  /** No more may wait. A line of up to the cap may, beside all else: it came whole or not at all. */
  get #isCrowded(): boolean {
    const { problem, entries } = this.#file;
    const { waiting, waitingBeside } = entries;
    if (!problem) return waitingBeside > MOST;
    const isShared = waiting > FULL_SHARE && Entries.waitingInAll > FULL_IN_ALL;
    return waitingBeside > MOST_REFUSED || isShared;
  }

  #lose(number: Seq): void {
    const isNew = this.#losing === undefined;
    this.#losing ??= { seq: number, count: 0, code: this.#codeNow() };
    this.#losing.count++;
    if (isNew) this.#tellTrouble();
  }

  /** Writing works: say what was lost meanwhile, and go on. */
  #mend(): void {
    if (!this.#losing || this.#file.problem || this.#file.entries.waiting > FULL) return;
    this.#tellLost(this.#losing);
    this.#tellTrouble();
  }

  #tellTrouble(): void {
    const { code, lost } = this.trouble ?? {};
    const told = [code, lost, this.hasExit].join();
    if (told === this.#toldTrouble) return;
    this.#toldTrouble = told;
    this.#options.onTrouble?.();
  }

  #tellLost(lost: MissingEvents): void {
    this.#losing = undefined;
    this.#shortfall.add(lost);
    this.#append(textEntry(this.#gap(lost)));
  }

  #opening(last: number): string {
    const before = this.#standIn({ seq: 1, count: last, code: 'REMOVED' });
    return `${headerLine(this.header)}\n${before}`;
  }

  #ending(last: number): string {
    return this.#standIn({ seq: last + 1, count: this.#last - last, code: this.#codeNow() });
  }

  /** Lines in the place of events that the file lacks: a gap, and the exit, which is never lost. */
  #standIn({ seq, count, code }: MissingEvents): string {
    const exit = this.#exit && this.#exit.seq < seq + count ? this.#exit : undefined;
    const missing = { seq, count: exit ? count - 1 : count, code };
    this.#shortfall.add(missing);
    const events = [...(missing.count > 0 ? [this.#gap(missing)] : []), ...(exit ? [exit] : [])];
    return events.map((event) => eventLine(event) + '\n').join('');
  }

  #gap({ seq: from, count, code }: MissingEvents): Gap {
    // The end stands behind it, whenever it is written.
    const at = this.#exit?.at ?? this.now;
    return { type: 'gap', seq: seq(from), at, count, reason: troubleReason(code) };
  }

  #codeNow(): string {
    const { problem, still } = this.#file;
    if (problem) return problem.code ?? problem.message;
    return still > HANGS_MS ? 'HANGS' : 'SLOW';
  }
}

function textEntry(event: TraceEvent): Entry {
  const content = eventLine(event) + '\n';
  const more = event.type === 'gap' ? event.count - 1 : 0;
  return { content, first: event.seq, last: event.seq + more };
}
