// A part of a trace that can stand alone: some frames, what they follow from, and what was said on stderr
// around them. Events keep their numbers; what is left out between them is said to be.
import { seq, type Gap, type TraceEvent } from '../../trace/event.ts';
import { EVT, STD, type Columns } from '../columns.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { unitsOf, withCauses } from './units.ts';

/** Lines of stderr that are kept before a frame and behind it, and how many events away at most. */
const AROUND = 5;
const NEAR = 50;
const LEFT_OUT = 'not needed for what this file shows';

/** Events that are kept wherever they stand: they are few, and say what the record is of. */
const KEPT: readonly string[] = ['start', 'exit', 'gap'];
/** Events that are about a frame. */
const ABOUT: readonly string[] = ['mark', 'transport', 'intercept'];

/**
 * The events of `wanted` and what goes with them, in their order. `inWhole`: frames whose turn, restore and
 * item are kept in whole, for who would else take what is left out for missing.
 */
export function excerptOf(
  trace: IndexedTrace,
  wanted: readonly number[],
  inWhole: readonly number[] = [],
): readonly TraceEvent[] {
  const { index, eventAt } = trace;
  const kept = keptOf(trace, placesOf(trace, wanted), placesOf(trace, inWhole));
  const events: TraceEvent[] = [];
  let left: number | undefined;
  for (let place = 0; place < index.length; place++) {
    if (!kept.has(place)) {
      left ??= index.columns.seq.get(place);
      continue;
    }
    const event = eventAt(place);
    if (left !== undefined) events.push(omitted(left, event));
    left = undefined;
    events.push(event);
  }
  return events;
}

function placesOf({ index }: IndexedTrace, seqs: readonly number[]): readonly number[] {
  return seqs.map((at) => index.indexOf(at)).filter((place) => place >= 0);
}

/** What stands for the events from this seq to the one before `next`. */
function omitted(from: number, { seq: next, at }: TraceEvent): Gap {
  const count = next - from;
  const stamp = { seq: seq(from), ...(at !== undefined && { at }) };
  return { type: 'gap', ...stamp, count, reason: LEFT_OUT, omitted: true };
}

function keptOf(
  { index, eventAt }: IndexedTrace,
  wanted: readonly number[],
  inWhole: readonly number[],
): ReadonlySet<number> {
  const { columns } = index;
  const kept = withCauses(unitsOf(index), [...wanted, ...besides(columns, inWhole)]);
  for (const place of wanted) for (const near of withStderr(columns, place)) kept.add(near);
  const about = new Set<number>();
  for (const place of kept) {
    const event = eventAt(place);
    about.add(event.seq);
    if (event.type === 'frame' && event.of !== undefined) about.add(event.of);
  }
  for (let place = 0; place < index.length; place++) {
    if (columns.kind.get(place) !== EVT) continue;
    const name = columns.nameOf(place);
    if (KEPT.includes(name)) kept.add(place);
    else if (ABOUT.includes(name) && isAbout(eventAt(place), about)) kept.add(place);
  }
  return kept;
}

/** Frames of the same turn, restore or item as one of these. */
function besides(columns: Columns, places: readonly number[]): readonly number[] {
  const shared = [columns.turn, columns.window, columns.item].map((column) => {
    const numbers = new Set(places.map((place) => column.get(place)));
    numbers.delete(0);
    return { column, numbers };
  });
  const found: number[] = [];
  for (let place = 0; place < columns.length; place++)
    if (shared.some(({ column, numbers }) => numbers.has(column.get(place)))) found.push(place);
  return found;
}

/** Something done to one of these, something said of it, or one of these itself. */
function isAbout(event: TraceEvent, seqs: ReadonlySet<number>): boolean {
  const of = event.type === 'mark' ? event.target : 'of' in event ? event.of : undefined;
  return seqs.has(event.seq) || (of !== undefined && seqs.has(of));
}

/** The event itself, and the lines of stderr around it. */
function* withStderr({ kind, length }: Columns, place: number): Generator<number> {
  yield place;
  for (const step of [-1, 1])
    for (let at = place, lines = 0; lines < AROUND && Math.abs(at - place) < NEAR; at += step) {
      if (at < 0 || at >= length) break;
      if (kind.get(at) !== STD) continue;
      lines++;
      yield at;
    }
}
