// What merging two recordings needs to know of each event, in columns: a million events of each side would
// not fit as objects.
import { alignTokens } from '../lib/align.ts';
import { float64, int32, uint8 } from '../lib/growable.ts';
import { known } from '../lib/time.ts';
import { timeOf, type TraceEvent } from './event.ts';
import type { Header } from './format.ts';
import { lineText } from './line.ts';

/** A recording whose events are read when they are asked for. */
export interface LazyRecording {
  readonly header: Header;
  readonly length: number;
  /** The event at a place from 0; throws where none stands. */
  readonly eventAt: (place: number) => TraceEvent;
}

export interface MergeHow {
  /** The same for equal texts alone, and short: of each that differs one is kept. */
  readonly digest: (text: string) => string;
  readonly pause: () => Promise<void>;
}

/** A process starts and ends once. */
type End = 'start' | 'exit';

/** Of the events of one recording, by place. */
export interface RecordingColumns {
  readonly length: number;
  readonly seqs: Float64Array;
  /** NaN where nobody wrote it down. */
  readonly times: Float64Array;
  /** Who wrote it, as a place in `STREAMS`; those behind it have none. */
  readonly streams: Uint8Array;
  /** Of frames and lines of stderr: equal where two say the same. */
  readonly tokens: Int32Array;
  /** How much of it was inferred, or is not known. */
  readonly doubts: Uint8Array;
  /** How many events are missing there. */
  readonly gaps: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, End>;
}

const STREAMS = ['client', 'agent', 'stderr'] as const;
const NO_STREAM = STREAMS.length;

/** Events that are read between two pauses. */
const SLICE = 4096;

/** `book`: the tokens of what was met so far, on either side. */
export async function recordingColumns(
  { length, eventAt }: LazyRecording,
  book: Map<string, number>,
  { digest, pause }: MergeHow,
): Promise<RecordingColumns> {
  const [seqs, times, streams, tokens, doubts] = [float64(), float64(), uint8(), int32(), uint8()];
  const gaps = new Map<number, number>();
  const ends = new Map<number, End>();
  for (let place = 0; place < length; place++) {
    if (place % SLICE === 0) await pause();
    const event = eventAt(place);
    const stream = streamOf(event);
    const key = stream === NO_STREAM ? '' : digest(keyOf(event));
    const token = book.get(key) ?? book.size;
    book.set(key, token);
    seqs.push(event.seq);
    times.push(timeOf(event));
    streams.push(stream);
    tokens.push(token);
    doubts.push(doubtsOf(event));
    if (event.type === 'gap') gaps.set(place, event.count);
    if (event.type === 'start' || event.type === 'exit') ends.set(place, event.type);
  }
  return {
    ...{ length, gaps, ends, seqs: seqs.values(), times: times.values() },
    ...{ streams: streams.values(), tokens: tokens.values(), doubts: doubts.values() },
  };
}

function streamOf(event: TraceEvent): number {
  if (event.type === 'frame') return STREAMS.indexOf(event.from);
  return event.type === 'stderr' ? STREAMS.indexOf('stderr') : NO_STREAM;
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

/** Exact bytes are better than a line made again, and a code than none. */
function doubtsOf(event: TraceEvent): number {
  if (event.type === 'frame') return event.inferred?.length ?? 0;
  return event.type === 'exit' && event.code === undefined && event.signal === undefined ? 1 : 0;
}

/** Frames and lines of stderr. */
export function saidCount({ streams }: RecordingColumns): number {
  return streams.reduce((count, stream) => (stream === NO_STREAM ? count : count + 1), 0);
}

/** Events that stand in both, by place in either; -1: the other has it not. */
export interface Partners {
  readonly inA: Int32Array;
  readonly inB: Int32Array;
  /** Frames and lines of stderr among them. */
  readonly both: number;
}

/** By place in `b`: the place in `a`, and the other way round. */
export async function partnersOf(
  a: RecordingColumns,
  b: RecordingColumns,
  pause: MergeHow['pause'],
): Promise<Partners> {
  const inA = new Int32Array(b.length).fill(-1);
  const inB = new Int32Array(a.length).fill(-1);
  let both = 0;
  for (const stream of STREAMS.keys()) {
    const [left, right] = [placesOf(a, stream), placesOf(b, stream)];
    const { partner } = await alignTokens(
      left.map((place) => a.tokens[place] ?? 0),
      right.map((place) => b.tokens[place] ?? 0),
      pause,
    );
    partner.forEach((j, i) => {
      if (j < 0) return;
      const [place, other] = [left[i] ?? 0, right[j] ?? 0];
      inB[place] = other;
      inA[other] = place;
      both++;
    });
  }
  twins(a, b, inB);
  twins(b, a, inA);
  return { inA, inB, both };
}

function placesOf({ streams }: RecordingColumns, stream: number): Int32Array {
  const places = int32();
  streams.forEach((one, place) => {
    if (one === stream) places.push(place);
  });
  return places.values();
}

/** Each start and exit with the first of the other side. */
function twins(of: RecordingColumns, other: RecordingColumns, partners: Int32Array): void {
  for (const [place, end] of of.ends) {
    const twin = [...other.ends].find(([, one]) => one === end);
    if (twin) partners[place] = twin[0];
  }
}

/** Each direction is late at its far end: in the middle of both, what the way takes cancels out. */
export function clockOffset(
  a: RecordingColumns,
  b: RecordingColumns,
  { inB }: Partners,
): { readonly offset: number; readonly spread: number } | undefined {
  const all = float64();
  const middles: number[] = [];
  for (const [stream, name] of STREAMS.entries()) {
    const found = float64();
    inB.forEach((other, place) => {
      if (other < 0 || a.streams[place] !== stream) return;
      const delta = known((a.times[place] ?? NaN) - (b.times[other] ?? NaN));
      if (delta !== undefined) found.push(delta);
    });
    if (found.length === 0) continue;
    all.append(found.values());
    // Lines of stderr are read when there is time: they count only where nothing else does.
    if (name !== 'stderr' || middles.length === 0) middles.push(shareOf(found.values(), 0.5));
  }
  if (middles.length === 0) return undefined;
  const offset = middles.reduce((sum, one) => sum + one, 0) / middles.length;
  const far = all.values().map((delta) => Math.abs(delta - offset));
  return { offset, spread: shareOf(far, 0.9) };
}

function shareOf(values: Float64Array, share: number): number {
  const sorted = values.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
