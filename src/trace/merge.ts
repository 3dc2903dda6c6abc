// Several recordings of one process as one trace: the tap of an editor, the agent's own log. What both
// have is in it once; what only one saw stands where its neighbours say. Each direction is aligned by
// itself, for what crosses on the way stands in another order at either end.
import { float64, int32 } from '../lib/growable.ts';
import { known, millis } from '../lib/time.ts';
import { seq, type Seq, type TraceEvent } from './event.ts';
import { beganAt, TIMED_VERSION, FORMAT_VERSION, type Header } from './format.ts';
import {
  recordingColumns,
  clockOffset,
  partnersOf,
  saidCount,
  type RecordingColumns,
  type MergeHow,
  type Partners,
  type LazyRecording,
} from './merge-columns.ts';

/** How the second recording was laid over the first. */
export interface Laid {
  /** What to add to its times, in milliseconds; undefined: one of the two has none. */
  readonly offset: number | undefined;
  /** Told from frames that both have, or from the wall clocks of both. */
  readonly by: 'frames' | 'clocks' | 'order';
  /** Of nine in ten of the frames that both have: how far from the offset, at most. */
  readonly spread: number | undefined;
  /** Frames and lines of stderr: in both, in the first alone, in the second alone. */
  readonly both: number;
  readonly first: number;
  readonly second: number;
}

type Merged =
  { readonly merged: LazyRecording; readonly laid: Laid } | { readonly problem: 'unrelated' };

/** The second recording laid over the first, on the first one's clock. Its events are read from both. */
export async function mergeTraces(
  a: LazyRecording,
  b: LazyRecording,
  how: MergeHow,
): Promise<Merged> {
  const book = new Map<string, number>();
  const [one, other] = [await recordingColumns(a, book, how), await recordingColumns(b, book, how)];
  const partners = await partnersOf(one, other, how.pause);
  const { both } = partners;
  const [beganA, beganB] = [beganAt(a.header), beganAt(b.header)];
  const between = beganA === undefined || beganB === undefined ? undefined : beganB - beganA;
  if (both === 0 && between === undefined) return { problem: 'unrelated' };
  const found = clockOffset(one, other, partners);
  const offset = found?.offset ?? between;
  const order = orderOf(one, other, partners, offset);
  return {
    merged: {
      header: headerOf(a.header, order.times),
      length: order.places.length,
      eventAt: eventsOf([a, b], [one, other], order),
    },
    laid: {
      offset: offset === undefined ? undefined : millis(offset),
      by: found ? 'frames' : both > 0 ? 'order' : 'clocks',
      spread: found && millis(found.spread),
      both,
      first: saidCount(one) - both,
      second: saidCount(other) - both,
    },
  };
}

/** All events in their order, those that both have once. */
interface Order {
  /** Where each stands in `a`; `~place`: in `b`. */
  readonly places: Int32Array;
  /** NaN where nobody knows. */
  readonly times: Float64Array;
  /** How they are numbered from here on. */
  readonly seqs: Float64Array;
  /** The same by place in `a`, and in `b`; 0: it is left out. */
  readonly numbers: readonly [Float64Array, Float64Array];
}

function orderOf(
  a: RecordingColumns,
  b: RecordingColumns,
  { inA, inB, both }: Partners,
  offset: number | undefined,
): Order {
  const clock = a.times.some((time) => known(time) !== undefined) ? (offset ?? 0) : 0;
  const hasClock = offset !== undefined || both > 0;
  const timeB = (place: number) => (hasClock ? (b.times[place] ?? NaN) + clock : NaN);
  const timeA = (place: number) => known(a.times[place] ?? NaN) ?? timeB(inB[place] ?? -1);
  const [places, times, seqs] = [int32(), float64(), float64()];
  const numbers = [new Float64Array(a.length), new Float64Array(b.length)] as const;
  let next = 1;
  const put = (place: number, time: number, length: number) => {
    places.push(place);
    times.push(time);
    seqs.push(next);
    next += length;
  };
  let placed = 0;
  const putOfA = (end: number) => {
    for (; placed < end; placed++) {
      const other = inB[placed] ?? -1;
      numbers[0][placed] = next;
      if (other >= 0) numbers[1][other] = next;
      const isBetter = other >= 0 && (b.doubts[other] ?? 0) < (a.doubts[placed] ?? 0);
      put(isBetter ? ~other : placed, timeA(placed), a.gaps.get(placed) ?? 1);
    }
  };
  /** The place in `a` behind which the next of `b` stands. */
  let after = -1;
  for (let place = 0; place < b.length; place++) {
    const partner = inA[place] ?? -1;
    if (!b.ends.has(place)) after = Math.max(after, partner);
    if (partner >= 0 || b.gaps.has(place)) continue;
    const time = timeB(place);
    // Behind those that came before it, up to the next frame that both have.
    while (known(time) !== undefined && after + 1 < a.length && !isShared(a, inB, after + 1)) {
      if (timeA(after + 1) > time) break;
      after++;
    }
    putOfA(after + 1);
    numbers[1][place] = next;
    put(~place, time, 1);
  }
  putOfA(a.length);
  return { places: places.values(), times: times.values(), seqs: seqs.values(), numbers };
}

/** A frame or a line of stderr that both have. */
function isShared({ ends }: RecordingColumns, inB: Int32Array, place: number): boolean {
  return (inB[place] ?? -1) >= 0 && !ends.has(place);
}

/** Numbered anew, also where they name each other; times count from the first. */
function eventsOf(
  recordings: readonly [LazyRecording, LazyRecording],
  columns: readonly [RecordingColumns, RecordingColumns],
  { places, times, seqs, numbers }: Order,
): LazyRecording['eventAt'] {
  const began = beganIn(times);
  const named = [0, 1].map((side) => renumbered(columns[side]?.seqs, numbers[side]));
  return (at) => {
    const place = places[at];
    if (place === undefined) throw new Error(`No event stands at ${at}`);
    const side = place < 0 ? 1 : 0;
    const { at: _, ...rest } = recordings[side].eventAt(side === 1 ? ~place : place);
    const time = known(times[at] ?? NaN);
    const stamped: TraceEvent = {
      ...rest,
      seq: seq(seqs[at] ?? 0),
      ...(time !== undefined && { at: millis(time - began) }),
    };
    const nameOf = (one: Seq) => named[side]?.(one) ?? one;
    if (stamped.type === 'mark') return { ...stamped, target: nameOf(stamped.target) };
    return 'of' in stamped && stamped.of !== undefined
      ? { ...stamped, of: nameOf(stamped.of) }
      : stamped;
  };
}

/** What an event of one recording is numbered now, by the number that it had. Few are ever asked for. */
function renumbered(
  seqs: Float64Array = new Float64Array(),
  numbers: Float64Array = new Float64Array(),
): (old: Seq) => Seq | undefined {
  let book: ReadonlyMap<number, number> | undefined;
  return (old) => {
    book ??= new Map(Array.from(seqs, (one, place) => [one, numbers[place] ?? 0]));
    const number = book.get(old) ?? 0;
    return number > 0 ? seq(number) : undefined;
  };
}

/** What was recorded before the first recording began must not stand before time 0. */
function beganIn(times: Float64Array): number {
  return times.reduce((least, time) => Math.min(least, known(time) ?? 0), 0);
}

function headerOf(header: Header, times: Float64Array): Header {
  const began = beganAt(header);
  const isTimed = times.every((time) => known(time) !== undefined);
  return {
    ...header,
    version: isTimed ? TIMED_VERSION : FORMAT_VERSION,
    ...(began !== undefined && { created: new Date(began + beganIn(times)).toISOString() }),
  };
}
