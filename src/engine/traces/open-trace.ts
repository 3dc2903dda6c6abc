// One trace in memory: its lines, and the index made from them. Lines come from the link, the
// database or a file, and go the same way: read, numbered, indexed, told to who listens.
import type { ChipOf } from '../../model/facts/chips.ts';
import type { Message } from '../../acp/message.ts';
import { known } from '../../lib/time.ts';
import { keepIndex, recallIndex, type KeptIndex } from '../../model/kept-index.ts';
import { membersIn, saidBy } from '../../model/timeline/digest.ts';
import type { Pins } from '../../model/timeline/pins.ts';
import { sessionRuns, type SessionRuns } from '../../model/sessions/session-runs.ts';
import { TraceIndex } from '../../model/trace-index.ts';
import {
  isMember,
  seq,
  type ConnectionId,
  type Gap,
  type Seq,
  type TraceEvent,
} from '../../trace/event.ts';
import { isUnreadable, parseEvent, type Unreadable } from '../../trace/format.ts';
import { decodeLines } from '../../trace/line-texts.ts';
import { eventSize } from '../../trace/line.ts';
import type { StoredBytes } from '../../storage/block-bytes.ts';
import type { FirstScreen } from './first-screen.ts';
import { areLinesWhole, LineStore, type KeptLines } from './line-store.ts';
import { Sequence } from './sequence.ts';

const NEWLINE = 0x0a;
/** Lines between two looks at the clock. */
const STRIDE = 32;

const NO_TEXT: Unreadable = { problem: 'not UTF-8' };

/** What is known of a trace without its bytes; plain, for the browser's database. */
export interface KeptTrace extends KeptIndex {
  readonly lines: KeptLines;
  readonly sequence: object;
  readonly missing: number;
}

/** Gets the place where a line ends, after its 0x0A, and the event that was taken from the line or why none was. */
export type TakenLine = (end: number, taken: TraceEvent | Unreadable) => void;

export type TraceListener = (event: TraceEvent, message: Message | undefined) => void;

export class OpenTrace {
  readonly connection: ConnectionId;
  readonly lines = new LineStore();
  readonly index: TraceIndex;
  readonly #sequence = new Sequence();
  readonly #listeners = new Set<TraceListener>();
  /** Why events before the next one are missing. */
  readonly #why: string;
  #unreadable: string | undefined;
  /** Events that are missing, by the holes in the numbers. */
  missing = 0;
  /** What is shown of it until it is loaded. */
  first: FirstScreen | undefined;
  /** So many of its bytes are those that it was kept with, or could not be. */
  kept = 0;

  constructor(connection: ConnectionId, chipOf: ChipOf, why: string, pins?: Pins) {
    this.connection = connection;
    this.index = new TraceIndex(connection, chipOf, pins);
    this.#why = why;
  }

  /** The live part and the restores of each session, as the rail lists them. */
  get runs(): readonly SessionRuns[] {
    return sessionRuns(this.index);
  }

  /** The newest event taken; 0: none. */
  get last(): Seq {
    return this.#sequence.last;
  }

  listen(listener: TraceListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells a late listener all events so far. */
  retell(listener: TraceListener): void {
    for (let i = 0; i < this.lines.length; i++) {
      const event = this.lines.read(i);
      if (!isMember(event)) listener(event, saidBy(event));
    }
  }

  /**
   * Takes lines from `offset` on until all are in or the time is up; the offset to go on from.
   * Events had before are passed over, so nothing is in twice. A line that is no event is passed
   * over too, and is the reason for the hole it leaves. `onLine` is called for each line.
   */
  take(bytes: Uint8Array, offset: number, isTimeUp: () => boolean, onLine?: TakenLine): number {
    let start = offset;
    while (start < bytes.length) {
      start = this.#takeSome(bytes, start, onLine);
      this.lines.pass(bytes, start);
      if (isTimeUp()) break;
    }
    return start;
  }

  /** These events are stored, and their bytes cannot be read: a gap in their place. */
  lose(first: Seq, last: Seq, reason: string): void {
    const from = seq(Math.max(first, this.last + 1));
    const count = last - from + 1;
    if (count <= 0) return;
    const at = known(this.index.lastEventAt);
    const lost: Gap = { type: 'gap', seq: from, ...(at !== undefined && { at }), count, reason };
    this.#miss(this.#sequence.take(lost, this.#unreadable ?? this.#why));
    this.#unreadable = undefined;
    this.#miss(lost);
  }

  /** What stands unreadable at its end is no gap yet. */
  get isUnfinished(): boolean {
    return this.#unreadable !== undefined;
  }

  /** Throws as `keepIndex` does. */
  keep(): KeptTrace {
    const { index, lines, missing } = this;
    return { ...keepIndex(index), lines: lines.keep(), sequence: { ...this.#sequence }, missing };
  }

  /**
   * Into a trace that nothing was taken into: what was kept of the first `bytes` of these blocks. Throws, and
   * leaves it as it was, where something of that is missing.
   */
  recall(kept: KeptTrace, blocks: readonly StoredBytes[], bytes: number): void {
    if (!areLinesWhole(kept.lines)) throw new Error('no lines were kept');
    recallIndex(this.index, kept);
    this.lines.recall(kept.lines, blocks, bytes);
    Object.assign(this.#sequence, kept.sequence);
    this.missing = kept.missing;
    this.kept = bytes;
    for (const listener of this.#listeners) this.retell(listener);
  }

  /** No more will come: what stands unreadable at the end becomes a gap there. */
  finish(): void {
    if (this.#unreadable === undefined) return;
    const last = this.lines.length > 0 ? this.lines.event(this.lines.length - 1) : undefined;
    const gap = this.#sequence.close(last, this.#unreadable);
    this.#unreadable = undefined;
    this.lines.addMade(gap);
    this.#tell(gap, undefined, 0);
  }

  #takeSome(bytes: Uint8Array, from: number, onLine: TakenLine | undefined): number {
    const lines = someLines(bytes, from);
    const texts = decodeLines(lines);
    let start = from;
    for (const [at, { length }] of lines.entries()) {
      const taken = this.#takeLine(bytes, start, start + length, texts[at]);
      start += length + 1;
      onLine?.(start, taken);
    }
    return start;
  }

  /** `text`: the text of the line; undefined if the line is not UTF-8. */
  #takeLine(
    bytes: Uint8Array,
    start: number,
    end: number,
    text: string | undefined,
  ): TraceEvent | Unreadable {
    const event = text === undefined ? NO_TEXT : parseEvent(text);
    if (isUnreadable(event)) {
      this.#unreadable = `A line here is not an event of a trace (${event.problem}). Its bytes are kept.`;
      return event;
    }
    if (this.#sequence.isRepeat(event))
      return { problem: `seq ${event.seq} comes after seq ${this.#sequence.last}` };
    this.#miss(this.#sequence.take(event, this.#unreadable ?? this.#why));
    this.#unreadable = undefined;
    this.lines.add(bytes, start, end, event, text ?? '');
    // ASCII that escapes nothing else says ASCII.
    const isAscii = text?.length === end - start && !text.includes('\\u');
    const message = saidBy(event);
    this.#tell(event, message, eventSize(event, isAscii));
    for (const member of membersIn(event, message)) {
      this.lines.addMade(member.frame);
      this.index.append(member.frame, member.message, member.size);
    }
    return event;
  }

  #miss(gap: Gap | undefined): void {
    if (!gap) return;
    this.missing += gap.count;
    this.lines.addMade(gap);
    this.#tell(gap, undefined, 0);
  }

  #tell(event: TraceEvent, message: Message | undefined, size: number): void {
    this.index.append(event, message, size);
    for (const listener of this.#listeners) listener(event, message);
  }
}

/** The next lines, `STRIDE` of them at most. */
function someLines(bytes: Uint8Array, from: number): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = from; start < bytes.length && lines.length < STRIDE;) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}
