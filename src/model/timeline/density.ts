// Frames over time for the density strip: bars per bucket, with silence folded to a fixed width and
// the replay windows and pins in buckets. Two passes over the columns, no parsing.
import { known, millis, NO_TIME, type Millis } from '../../lib/time.ts';
import { AGENT, CLIENT, STD } from '../columns.ts';
import type { TimeSpan } from '../query/numbers.ts';
import { worseMark, type MarkSeverity, type FindingMarks } from './finding-marks.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { stripLanes, type Lanes } from './lanes.ts';
import { isForbidden, type WindowRecord } from './replay-windows.ts';
import type { TraceIndex } from '../trace-index.ts';
import type { Seq } from '../../trace/event.ts';

/** Silence that is folded, and the buckets it takes then. */
export const SILENCE = 5000;
const SILENCE_BUCKETS = 10;

/** Frames over time, in equal parts of the span after silence is folded. */
export interface DensityView {
  /** `NO_TIME`: the trace has no times, and nothing can be drawn over them. */
  readonly from: Millis;
  readonly to: Millis;
  readonly agent: Uint32Array;
  readonly client: Uint32Array;
  readonly stderr: Uint32Array;
  /** When each bucket begins; silence over 5 s takes a fixed few. */
  readonly starts: Float64Array;
  readonly silences: readonly {
    readonly bucket: number;
    readonly buckets: number;
    readonly length: Millis;
  }[];
  readonly windows: readonly {
    readonly from: number;
    readonly to: number;
    /** Its request. */
    readonly seq: Seq;
    readonly forbidden: boolean;
    /** Bucket of its last late frame. */
    readonly late?: number;
  }[];
  readonly pins: readonly {
    readonly bucket: number;
    readonly letter: string;
    readonly fate: string;
  }[];
  /** Buckets with frames that findings count on: the worst of each, ascending. */
  readonly findings: readonly { readonly bucket: number; readonly worst: MarkSeverity }[];
  /** Where nothing ran, behind it, and for how long, ascending. */
  readonly sleeps: readonly { readonly bucket: number; readonly ms: Millis }[];
  /** Buckets with frames that a person marked, ascending. */
  readonly marks: readonly number[];
  readonly lanes: Lanes;
}

/** `span`: of this part of the time only. */
export function densityOf(
  trace: Pick<IndexedTrace, 'index' | 'eventAt'>,
  wanted: number,
  span?: TimeSpan,
): DensityView {
  const { index } = trace;
  const buckets = Math.max(1, Math.floor(wanted));
  const { columns } = index;
  const { length } = columns;
  const [first, last] = ends(index);
  const from = Math.max(first, span?.from ?? -Infinity);
  const to = Math.max(from, Math.min(last, span?.to ?? Infinity));
  const scale = new Scale(from, silencesIn(index, from, to), to, buckets);
  // A frame without a time is in none: no comparison holds with it.
  const [low, high] = span ? [from, to] : [-Infinity, Infinity];
  const isInside = (time: number): boolean => low <= time && time <= high;
  const agent = new Uint32Array(buckets);
  const client = new Uint32Array(buckets);
  const stderr = new Uint32Array(buckets);
  const times = columns.at.values();
  const sides = columns.side.values();
  const kinds = columns.kind.values();
  for (let at = 0; at < length; at++) {
    const bars = sides[at] === AGENT ? agent : sides[at] === CLIENT ? client : stderr;
    if (bars === stderr && kinds[at] !== STD) continue;
    const time = times[at] ?? 0;
    if (!isInside(time)) continue;
    const bucket = scale.bucket(time);
    bars[bucket] = (bars[bucket] ?? 0) + 1;
  }
  const bucketOf = (event: number): number => scale.bucket(columns.at.get(event));
  const endOf = ({ end }: WindowRecord): number => (end < 0 ? length - 1 : end);
  const windows = index.windowRecords.filter(
    (window) =>
      (window.allowed || isForbidden(window)) &&
      columns.at.get(window.request) <= to &&
      columns.at.get(endOf(window)) >= from,
  );
  return {
    from: millis(from),
    to: millis(to),
    agent,
    client,
    stderr,
    starts: scale.starts(),
    silences: scale.silences,
    windows: windows.map((window) => ({
      from: bucketOf(window.request),
      seq: columns.seqOf(window.request),
      to: bucketOf(endOf(window)),
      forbidden: isForbidden(window),
      ...(window.late === 0 ? {} : { late: bucketOf(window.lastLate) }),
    })),
    pins: index.windowRecords.flatMap(({ request, pin, fate }) =>
      pin === undefined || !isInside(columns.at.get(request))
        ? []
        : [{ bucket: bucketOf(request), letter: pin.letter, fate }],
    ),
    findings: findingBuckets(index, (time) => (isInside(time) ? scale.bucket(time) : -1)),
    sleeps: index.sleeps.flatMap(({ place, sleep: { ms } }) =>
      isInside(columns.at.get(place)) ? [{ bucket: bucketOf(place), ms }] : [],
    ),
    marks: markBuckets(index, (time) => (isInside(time) ? scale.bucket(time) : -1)),
    lanes: stripLanes(trace, { low, high, buckets, bucket: (time) => scale.bucket(time) }),
  };
}

function markBuckets(
  { annotations, columns }: TraceIndex,
  bucketAt: (time: number) => number,
): readonly number[] {
  const buckets = [...annotations.marks.keys()].map((seq) => {
    const at = columns.indexOf(seq);
    return at < 0 ? -1 : bucketAt(columns.at.get(at));
  });
  return [...new Set(buckets)].filter((bucket) => bucket >= 0).sort((a, b) => a - b);
}

function findingBuckets(
  { columns, findings }: TraceIndex,
  bucketAt: (time: number) => number,
): DensityView['findings'] {
  const found = new Map<number, MarkSeverity>();
  for (let at = 0; at < findings.end; at++) {
    const here = findings.at(at);
    if (here === undefined) continue;
    const bucket = bucketAt(columns.at.get(at));
    if (bucket >= 0) found.set(bucket, worseMark(here.worst, found.get(bucket)));
  }
  return [...found]
    .map(([bucket, worst]) => ({ bucket, worst }))
    .sort((a, b) => a.bucket - b.bucket);
}

/** The first time of the trace, and the last, which may be earlier where they run backwards. */
export function ends({ columns }: TraceIndex): readonly [number, number] {
  if (columns.length === 0) return [0, 0];
  const times = columns.at.values();
  const first = times.find((time) => known(time) !== undefined) ?? NO_TIME;
  const last = times.findLast((time) => known(time) !== undefined) ?? NO_TIME;
  return [first, Math.max(first, last)];
}

interface Silence {
  readonly from: number;
  readonly to: number;
}

function silencesIn({ columns }: TraceIndex, from: number, to: number): Silence[] {
  const found: Silence[] = [];
  const times = columns.at.values();
  let before = from;
  for (const now of times) {
    const silence = { from: Math.max(from, before), to: Math.min(to, now) };
    if (silence.to - silence.from > SILENCE) found.push(silence);
    // Imported times may run backwards.
    if (now > before) before = now;
  }
  return found;
}

/** Maps time to buckets, piece by piece: work between silences, and silences at a fixed width. */
class Scale {
  readonly silences: DensityView['silences'];
  readonly #buckets: number;
  /** Ascending: where each piece begins, in time and in (fractions of) buckets. */
  readonly #times: number[] = [];
  readonly #places: number[] = [];
  /** The piece of the last time asked for: times mostly come in order. */
  #from = 0;
  #until = 0;
  #place = 0;
  #perMilli = 0;

  constructor(from: number, found: readonly Silence[], to: number, buckets: number) {
    this.#buckets = buckets;
    // Silence takes half of the strip at most; the longest are folded first.
    const width = Math.max(1, Math.min(SILENCE_BUCKETS, Math.floor(buckets / 8)));
    const folded = found
      .toSorted((a, b) => b.to - b.from - (a.to - a.from))
      .slice(0, Math.floor(buckets / 2 / width))
      .sort((a, b) => a.from - b.from);
    const silent = folded.reduce((sum, silence) => sum + silence.to - silence.from, 0);
    const perMilli = (buckets - folded.length * width) / Math.max(1, to - from - silent);
    const silences: { bucket: number; buckets: number; length: Millis }[] = [];
    let time = from;
    let place = 0;
    const piece = (until: number, wide: number): void => {
      this.#times.push(time);
      this.#places.push(place);
      time = until;
      place += wide;
    };
    for (const silence of folded) {
      piece(silence.from, (silence.from - time) * perMilli);
      const bucket = Math.min(buckets - 1, Math.floor(place));
      silences.push({ bucket, buckets: width, length: millis(silence.to - silence.from) });
      piece(silence.to, width);
    }
    piece(to, (to - time) * perMilli);
    piece(to, 0);
    this.silences = silences;
  }

  bucket(time: number): number {
    if (time < this.#from || time >= this.#until) this.#seek(time);
    const place = Math.floor(this.#place + (time - this.#from) * this.#perMilli);
    return Math.max(0, Math.min(this.#buckets - 1, place));
  }

  #seek(time: number): void {
    let piece = this.#times.findLastIndex((from) => from <= time);
    if (piece < 0) piece = 0;
    this.#from = this.#times[piece] ?? 0;
    this.#until = this.#times[piece + 1] ?? Infinity;
    this.#place = this.#places[piece] ?? 0;
    const wide = (this.#places[piece + 1] ?? this.#place) - this.#place;
    const span = this.#until - this.#from;
    this.#perMilli = span > 0 && wide > 0 ? wide / span : 0;
  }

  starts(): Float64Array {
    const starts = new Float64Array(this.#buckets);
    let i = 0;
    for (let bucket = 0; bucket < this.#buckets; bucket++) {
      while (i + 2 < this.#places.length && bucket >= (this.#places[i + 1] ?? 0)) i++;
      const span = (this.#times[i + 1] ?? 0) - (this.#times[i] ?? 0);
      const wide = (this.#places[i + 1] ?? 0) - (this.#places[i] ?? 0);
      const part = wide > 0 ? (bucket - (this.#places[i] ?? 0)) / wide : 0;
      starts[bucket] = (this.#times[i] ?? 0) + Math.min(1, part) * span;
    }
    return starts;
  }
}

// Where findings stand in a list of rows, for the ruler beside it and for going from one to the next.

export interface FindingRow {
  readonly row: number;
  /** `crash`: the agent ended in this row, and nobody requested it. */
  readonly worst: MarkSeverity | 'crash';
}

/** The next marked event before or after this seq, among those that fit. */
export function nextMarked(
  { columns, findings }: TraceIndex,
  seq: Seq,
  direction: 1 | -1,
  fits: (place: number) => boolean,
): Seq | undefined {
  const here = columns.placeFrom(seq);
  const isThere = here < columns.length && columns.seq.get(here) === seq;
  const next = findings.next(isThere || direction === -1 ? here : here - 1, direction, fits);
  return next < 0 ? undefined : columns.seqOf(next);
}

/** The next event that a finding counts on, among those that fit. */
export function nextFinding(
  index: TraceIndex,
  seq: Seq,
  direction: 1 | -1,
  fits: (place: number) => boolean = () => true,
): Seq | undefined {
  const counts = (place: number) => index.findings.at(place) !== undefined && fits(place);
  return nextMarked(index, seq, direction, counts);
}

/** A list of rows; `shownIn`: the row that shows a place, or -1. `parts`: into so many the list is cut. */
interface Listed {
  readonly rows: number;
  readonly parts: number;
  shownIn(place: number): number;
}

/** Rows with findings, ascending: of each part of the list the worst one. Then the rows of crashes. */
export function worstFindingRows(
  findings: FindingMarks,
  { rows, parts, shownIn }: Listed,
  crashes: readonly number[],
): readonly FindingRow[] {
  const worst = new Map<number, { readonly row: number; readonly worst: MarkSeverity }>();
  const perPart = Math.max(1, rows / parts);
  const counts = (place: number) => findings.at(place) !== undefined;
  for (let place = findings.next(-1, 1, counts); place >= 0;) {
    const found = findings.at(place)?.worst ?? 'hint';
    const row = shownIn(place);
    if (row >= 0) {
      const part = Math.floor(row / perPart);
      const known = worst.get(part)?.worst;
      if (worseMark(found, known) !== known) worst.set(part, { row, worst: found });
    }
    place = findings.next(place, 1, counts);
  }
  const crashed = crashes.map((place) => ({ row: shownIn(place), worst: 'crash' as const }));
  return [
    ...[...worst.values()].sort((a, b) => a.row - b.row),
    ...crashed.filter(({ row }) => row >= 0),
  ];
}
