// A trace to look in: what is indexed of it, its events, and when it began.
import { parseMessage, type Message } from '../acp/message.ts';
import { connectionId, losesFrames, type ConnectionId, type TraceEvent } from '../trace/event.ts';
import { chipBook, type ChipOf } from './facts/chips.ts';
import { type TurnEnd, TurnReader } from './facts/turns.ts';
import { TraceIndex } from './trace-index.ts';
import { EVT, FLAG } from './columns.ts';
import { membersIn, saidBy } from './timeline/digest.ts';
import { eventSize } from '../trace/line.ts';

export interface IndexedTrace {
  readonly index: TraceIndex;
  readonly connection: ConnectionId;
  /** The name in `c3#12`; undefined: the connection itself. */
  readonly name?: string | undefined;
  /** The event at a place of the index; throws where none stands. */
  readonly eventAt: (place: number) => TraceEvent;
  /** As `frameTextIn` its line in a trace file, where that lies at hand: it costs less than the event. */
  readonly textAt?: (place: number) => string | undefined;
  /** The wall clock of `at` 0 in milliseconds, where the trace knows it. */
  readonly began?: number | undefined;
}

interface IndexHow {
  /** Shared by traces that are parts of one story, so that a session has one chip in all of them. */
  readonly chipOf?: ChipOf;
  readonly began?: number | undefined;
}

/** A trace that is indexed event by event. */
export class GrowingTrace implements IndexedTrace {
  readonly index: TraceIndex;
  readonly connection: ConnectionId;
  readonly began: number | undefined;
  readonly eventAt: IndexedTrace['eventAt'];
  readonly #placed: TraceEvent[] = [];

  /** `name`: what frames of this trace are called by, `c3`. */
  constructor(name: string, { chipOf = chipBook(), began }: IndexHow = {}) {
    this.connection = connectionId(name);
    this.index = new TraceIndex(this.connection, chipOf);
    this.began = began;
    this.eventAt = eventsAt(this.#placed);
  }

  /** `message` and `size`: as `saidBy` and `eventSize` read the event. */
  append(event: TraceEvent, message = saidBy(event), size = eventSize(event)): void {
    this.#placed.push(event);
    this.index.append(event, message, size);
    for (const member of membersIn(event, message)) {
      this.#placed.push(member.frame);
      this.index.append(member.frame, member.message, member.size);
    }
  }
}

/** Returns the index of events that are at hand; more can be appended. `name`: what frames of this trace are called by, `c3`. */
export function indexedTrace(
  events: readonly TraceEvent[],
  name: string,
  how?: IndexHow,
): GrowingTrace {
  const trace = new GrowingTrace(name, how);
  for (const event of events) trace.append(event);
  return trace;
}

/** As `eventAt` of the trace with these events. */
export function eventsAt(events: readonly TraceEvent[]): IndexedTrace['eventAt'] {
  return (place) => {
    const event = events[place];
    if (event === undefined) throw new Error(`No event stands at ${place}`);
    return event;
  };
}

/** The place of an event, or of one message of its array; -1: there is none. */
export function placeOf(
  { index, eventAt }: Pick<IndexedTrace, 'index' | 'eventAt'>,
  seq: number,
  member?: number,
): number {
  const first = index.indexOf(seq);
  if (member === undefined || first < 0) return first;
  for (let place = first + 1; index.columns.has(place, FLAG.member); place++) {
    const event = eventAt(place);
    if (event.type === 'frame' && event.member === member) return place;
  }
  return -1;
}

/** What the frame at a place says; undefined: the event there is none. */
export function saidAt({ eventAt, textAt }: IndexedTrace, place: number): Message | undefined {
  const text = textAt?.(place);
  return text === undefined ? saidBy(eventAt(place)) : parseMessage(text);
}

/** Each turn by the place of the frame that ends it, read as far as it is asked for. */
export class TurnEnds {
  readonly #source: IndexedTrace;
  readonly #turns = new TurnReader();
  readonly #ends = new Map<number, TurnEnd>();
  #read = 0;

  constructor(source: IndexedTrace) {
    this.#source = source;
  }

  /** What the frame ends. */
  at(place: number): TurnEnd | undefined {
    this.#readTo(place + 1);
    return this.#ends.get(place);
  }

  /** All of the trace. */
  all(): ReadonlyMap<number, TurnEnd> {
    this.#readTo(this.#source.index.length);
    return this.#ends;
  }

  #readTo(end: number): void {
    const { columns } = this.#source.index;
    for (; this.#read < end; this.#read++) {
      const place = this.#read;
      // Of updates only these tell of turns, and most frames are updates.
      if (columns.has(place, FLAG.update) && columns.nameOf(place) !== 'state_update') continue;
      const from = columns.fromOf(place);
      const message = from && saidAt(this.#source, place);
      const found = message && this.#turns.take({ seq: columns.seqOf(place), from }, message);
      if (found) this.#ends.set(place, found);
    }
  }
}

/**
 * Frames may be missing, in all of it or before the answer of a restore: the record says so, or a stream of
 * events broke that told nobody where to go on.
 */
export function hasGap(
  { index, eventAt }: Pick<IndexedTrace, 'index' | 'eventAt'>,
  within?: { readonly request: number; readonly answer: number },
): boolean {
  const { columns } = index;
  const end = within && within.answer >= 0 ? within.answer : index.length;
  for (let place = within?.request ?? 0; place < end; place++) {
    if (columns.kind.get(place) !== EVT) continue;
    const event = eventAt(place);
    // What an excerpt leaves out of a restore is none of it.
    if (event.type === 'gap' ? !(within && event.omitted) : losesFrames(event)) return true;
  }
  return false;
}
