// Several recordings of one process as one trace: the tap of an editor, the agent's own log. What both
// have is in it once; what only one saw stands where its neighbours say. Each direction is aligned by
// itself, for what crosses on the way stands in another order at either end.
import { align } from '../lib/align.ts';
import { known, millis } from '../lib/time.ts';
import { seq, timeOf, type Seq, type TraceEvent } from './event.ts';
import { beganAt, TIMED_VERSION, FORMAT_VERSION, type Header } from './format.ts';
import { lineText } from './line.ts';

export interface MergedRecording {
  readonly header: Header;
  readonly events: readonly TraceEvent[];
}

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
  { readonly merged: MergedRecording; readonly laid: Laid } | { readonly problem: 'unrelated' };

const STREAMS = ['client', 'agent', 'stderr'] as const;
type StreamName = (typeof STREAMS)[number];

/** The second recording laid over the first, on the first one's clock. */
export function mergeTraces(a: MergedRecording, b: MergedRecording): Merged {
  const pairs = pairsOf(a.events, b.events);
  const [beganA, beganB] = [beganAt(a.header), beganAt(b.header)];
  const between = beganA === undefined || beganB === undefined ? undefined : beganB - beganA;
  if (pairs.size === 0 && between === undefined) return { problem: 'unrelated' };
  const found = offsetOf(a.events, b.events, pairs);
  const offset = found?.offset ?? between;
  const placed = placedOf(a.events, b.events, pairs, offset);
  const counts = (events: readonly TraceEvent[]) =>
    events.filter((event) => streamOf(event) !== undefined).length;
  return {
    merged: { header: headerOf(a.header, placed), events: numbered(placed) },
    laid: {
      offset: offset === undefined ? undefined : millis(offset),
      by: found ? 'frames' : pairs.size > 0 ? 'order' : 'clocks',
      spread: found && millis(found.spread),
      both: pairs.size,
      first: counts(a.events) - pairs.size,
      second: counts(b.events) - pairs.size,
    },
  };
}

function streamOf(event: TraceEvent): StreamName | undefined {
  if (event.type === 'frame') return event.from;
  return event.type === 'stderr' ? 'stderr' : undefined;
}

/** By place in `b`: the place in `a` of the same frame or line. */
function pairsOf(a: readonly TraceEvent[], b: readonly TraceEvent[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const tokens = new Map<string, number>();
  const token = (event: TraceEvent): number => {
    const key = keyOf(event);
    const number = tokens.get(key) ?? tokens.size;
    tokens.set(key, number);
    return number;
  };
  for (const stream of STREAMS) {
    const places = (events: readonly TraceEvent[]) =>
      events.flatMap((event, place) =>
        streamOf(event) === stream ? [{ place, token: token(event) }] : [],
      );
    const [left, right] = [places(a), places(b)];
    for (const [i, j] of align(
      left.map((one) => one.token),
      right.map((one) => one.token),
    )) {
      const [at, other] = [left[i]?.place, right[j]?.place];
      if (at !== undefined && other !== undefined) pairs.set(other, at);
    }
  }
  return pairs;
}

/** What it says, whatever the order of its keys: a line that was made again has another. */
function keyOf(event: TraceEvent): string {
  const text = 'line' in event ? lineText(event.line).replace(/\r$/, '') : '';
  try {
    return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
        : value,
    );
  } catch {
    return text;
  }
}

/** Each direction is late at its far end: in the middle of both, what the way takes cancels out. */
function offsetOf(
  a: readonly TraceEvent[],
  b: readonly TraceEvent[],
  pairs: ReadonlyMap<number, number>,
): { readonly offset: number; readonly spread: number } | undefined {
  const all: number[] = [];
  const middles: number[] = [];
  for (const stream of STREAMS) {
    const found = [...pairs].flatMap(([other, at]) => {
      const [left, right] = [a[at], b[other]];
      const delta = left && right && streamOf(left) === stream && timeOf(left) - timeOf(right);
      return typeof delta === 'number' && known(delta) !== undefined ? [delta] : [];
    });
    if (found.length === 0) continue;
    for (const delta of found) all.push(delta);
    // Lines of stderr are read when there is time: they count only where nothing else does.
    if (stream !== 'stderr' || middles.length === 0) middles.push(shareOf(found, 0.5));
  }
  if (middles.length === 0) return undefined;
  const offset = middles.reduce((sum, one) => sum + one, 0) / middles.length;
  return {
    offset,
    spread: shareOf(
      all.map((delta) => Math.abs(delta - offset)),
      0.9,
    ),
  };
}

function shareOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

interface Placed {
  readonly event: TraceEvent;
  readonly time: number | undefined;
  /** Seqs that it had: `a3`, `b7`. */
  readonly names: readonly string[];
}

/** All events in their order, those that both have once. */
function placedOf(
  a: readonly TraceEvent[],
  b: readonly TraceEvent[],
  pairs: ReadonlyMap<number, number>,
  offset: number | undefined,
): readonly Placed[] {
  const clock = a.some(({ at }) => at !== undefined) ? (offset ?? 0) : 0;
  const partners = new Map([...pairs].map(([other, at]) => [at, other]));
  const timeB = (event: TraceEvent) => {
    const time = known(timeOf(event) + clock);
    return offset === undefined && pairs.size === 0 ? undefined : time;
  };
  const ours = a.map((event, place): Placed => {
    const other = b[partners.get(place) ?? -1] ?? twinOf(event, b);
    const time = known(timeOf(event)) ?? (other && timeB(other));
    return {
      event: other ? better(event, other) : event,
      time,
      names: [`a${event.seq}`, ...(other ? [`b${other.seq}`] : [])],
    };
  });
  /** By the place in `a` after which they stand. */
  const extra = new Map<number, Placed[]>();
  let after = -1;
  for (const [place, event] of b.entries()) {
    after = Math.max(after, pairs.get(place) ?? -1);
    if (pairs.has(place) || event.type === 'gap' || twinOf(event, a)) continue;
    const time = timeB(event);
    // Behind those that came before it, up to the next frame that both have.
    while (time !== undefined && !partners.has(after + 1)) {
      const next = ours[after + 1];
      if (!next || (next.time !== undefined && next.time > time)) break;
      after++;
    }
    const list = extra.get(after) ?? [];
    extra.set(after, list);
    list.push({ event, time, names: [`b${event.seq}`] });
  }
  return [-1, ...ours.keys()].flatMap((place) => [
    ...(ours[place] ? [ours[place]] : []),
    ...(extra.get(place) ?? []),
  ]);
}

/** A process starts and ends once. */
function twinOf(event: TraceEvent, others: readonly TraceEvent[]): TraceEvent | undefined {
  return event.type === 'start' || event.type === 'exit'
    ? others.find(({ type }) => type === event.type)
    : undefined;
}

/** The one that says more: exact bytes rather than a line made again, a code rather than none. */
function better(ours: TraceEvent, other: TraceEvent): TraceEvent {
  const doubts = (event: TraceEvent) =>
    event.type === 'frame'
      ? (event.inferred?.length ?? 0)
      : event.type === 'exit' && event.code === undefined && event.signal === undefined
        ? 1
        : 0;
  return doubts(other) < doubts(ours) ? other : ours;
}

/** Numbered anew, also where they name each other; times count from the first. */
function numbered(placed: readonly Placed[]): readonly TraceEvent[] {
  const began = beganIn(placed);
  const numbers = new Map<string, Seq>();
  let next = 1;
  for (const { event, names } of placed) {
    for (const name of names) numbers.set(name, seq(next));
    next += event.type === 'gap' ? event.count : 1;
  }
  return placed.map(({ event, time, names: [name = ''] }): TraceEvent => {
    const named = (one: Seq) => numbers.get(`${name[0]}${one}`) ?? one;
    const { at: _, ...rest } = event;
    const stamped = {
      ...rest,
      seq: numbers.get(name) ?? event.seq,
      ...(time !== undefined && { at: millis(time - began) }),
    };
    if (stamped.type === 'mark') return { ...stamped, target: named(stamped.target) };
    return 'of' in stamped && stamped.of !== undefined
      ? { ...stamped, of: named(stamped.of) }
      : stamped;
  });
}

/** What was recorded before the first recording began must not stand before time 0. */
function beganIn(placed: readonly Placed[]): number {
  return placed.reduce((least, { time }) => Math.min(least, time ?? 0), 0);
}

function headerOf(header: Header, placed: readonly Placed[]): Header {
  const began = beganAt(header);
  const isTimed = placed.every(({ time }) => time !== undefined);
  return {
    ...header,
    version: isTimed ? TIMED_VERSION : FORMAT_VERSION,
    ...(began !== undefined && { created: new Date(began + beganIn(placed)).toISOString() }),
  };
}
