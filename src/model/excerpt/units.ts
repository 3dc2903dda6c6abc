// A trace in the smallest parts that can be left out without leaving nonsense: an exchange is one part,
// and a part needs the handshake, the session, the prompt, the restore and the item it speaks of.
import { isMember, seq, type TraceEvent, type Gap } from '../../trace/event.ts';
import { isMethodOf, OPENERS } from '../../acp/methods.ts';
import { AGENT, CLIENT, EVT, FLAG, REQ, RES, STD, type Columns } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';
import type { IndexedTrace } from '../indexed-trace.ts';

interface Unit {
  /** Places of its events, ascending. */
  readonly places: readonly number[];
  /** Units it makes no sense without, by their number; all of them begin before it. */
  readonly needs: readonly number[];
}

interface Units {
  /** In the order they begin. */
  readonly all: readonly Unit[];
  /** The unit of the event at a place. Marks and suppressions are no part of what crossed: they are in none. */
  readonly at: ReadonlyMap<number, number>;
}

/** What a person said of a trace. */
const SAID: readonly string[] = ['mark', 'suppress'];

export function unitsOf(index: TraceIndex): Units {
  const { columns } = index;
  const unitAt = new Map<number, number>();
  const places: number[][] = [];
  for (let place = 0; place < index.length; place++) {
    const isSaid = columns.kind.get(place) === EVT && SAID.includes(columns.nameOf(place));
    if (isSaid) continue;
    const partner = columns.partnerOf(place);
    // The messages of an array are one unit with it.
    const first = columns.has(place, FLAG.member) ? place - 1 : partner;
    const known = first === undefined || first > place ? undefined : unitAt.get(first);
    if (known !== undefined) places[known]?.push(place);
    unitAt.set(place, known ?? places.push([place]) - 1);
  }
  const needs = places.map((): number[] => []);
  const handshake = unitOfRequest('initialize');
  const madeBy = new Map<number, number>();
  const opened = new Set<number>();
  const announced = new Map<number, number>();
  for (const child of index.children.all()) announced.set(child.session.index + 1, child.announced);
  const prompt = new Map<number, number>();
  for (const [place, unit] of unitAt) {
    const its = needs[unit];
    const need = (other: number | undefined) => {
      if (other !== undefined && first(other) < first(unit) && !its?.includes(other))
        its?.push(other);
    };
    const side = columns.side.get(place);
    if (side !== CLIENT && side !== AGENT) continue;
    need(handshake);
    need(unitAt.get(columns.partnerOf(place) ?? -1));
    // Who asks for a new session is told its name only by the answer, and updates may come before that.
    const named = columns.session.get(place);
    const session = named > 0 ? named : columns.session.get(columns.partnerOf(place) ?? place);
    if (session > 0) {
      const isOpener = side === CLIENT && opens(columns, place);
      need(madeBy.get(session));
      need(unitAt.get(announced.get(session) ?? -1));
      // It may have been asked of before, in vain.
      if (!madeBy.has(session) || (isOpener && !opened.has(session))) madeBy.set(session, unit);
      if (isOpener) opened.add(session);
      const isPrompt =
        columns.kind.get(place) === REQ && columns.nameOf(place) === 'session/prompt';
      if (isPrompt && side === CLIENT) prompt.set(session, unit);
      const isReplay = columns.has(place, FLAG.replay | FLAG.late);
      if (side === AGENT && !isReplay) need(prompt.get(session));
    }
    const window = index.window(place);
    if (window !== undefined) need(unitAt.get(window.request));
    const item = columns.item.get(place);
    if (item > 0) need(unitAt.get(item - 1));
  }
  return {
    all: places.map((own, unit) => ({ places: own, needs: needs[unit] ?? [] })),
    at: unitAt,
  };

  function first(unit: number): number {
    return places[unit]?.[0] ?? 0;
  }
  function unitOfRequest(method: string): number | undefined {
    for (const [place, unit] of unitAt)
      if (columns.kind.get(place) === REQ && columns.nameOf(place) === method) return unit;
    return undefined;
  }
}

/** A request after whose answer a session is open. */
function opens(columns: Columns, place: number): boolean {
  const answer = columns.partnerOf(place);
  return (
    columns.kind.get(place) === REQ &&
    isMethodOf(OPENERS, columns.nameOf(place)) &&
    answer !== undefined &&
    columns.kind.get(answer) === RES
  );
}

/** Those of `kept`, ascending, that need none that is not there. */
export function closed(units: readonly Unit[], kept: readonly number[]): number[] {
  const there = new Set<number>();
  for (const unit of kept) if (units[unit]?.needs.every((need) => there.has(need))) there.add(unit);
  return [...there];
}

/** The places of the units that hold one of `places`, with all that those need. */
function withCauses({ all, at }: Units, places: Iterable<number>): Set<number> {
  const units = new Set<number>();
  const due = [...places].flatMap((place) => at.get(place) ?? []);
  for (let unit = due.pop(); unit !== undefined; unit = due.pop()) {
    if (units.has(unit)) continue;
    units.add(unit);
    due.push(...(all[unit]?.needs ?? []));
  }
  return new Set([...units].flatMap((unit) => all[unit]?.places ?? []));
}

/** Returns the events of these units, numbered from 1; times stay. An array is one event. */
export function traceOf(
  { eventAt }: Pick<IndexedTrace, 'eventAt'>,
  units: readonly Unit[],
  kept: readonly number[],
): TraceEvent[] {
  return kept
    .flatMap((unit) => units[unit]?.places ?? [])
    .sort((a, b) => a - b)
    .map(eventAt)
    .filter((event) => !isMember(event))
    .map((event, at) => ({ ...event, seq: seq(at + 1) }));
}

/** Lines of stderr that are kept before a frame and behind it, and how many events away at most. */
const AROUND = 5;
const NEAR = 50;
const LEFT_OUT = 'not needed for what this file shows';

/** Events that are kept wherever they stand: they are few, and say what the record is of. */
const KEPT: readonly string[] = ['start', 'exit', 'gap', 'sleep'];
/** Events that are about a frame. */
const ABOUT: readonly string[] = ['mark', 'transport', 'intercept'];

/**
 * The events of `wanted` and what goes with them, in their order. `units`: of the trace. `inWhole`: frames whose turn, restore and
 * item are kept in whole, for who would else take what is left out for missing; `isWide`: their session too.
 */
export function excerptOf(
  trace: IndexedTrace,
  units: Units,
  wanted: readonly number[],
  inWhole: readonly number[] = [],
  isWide = false,
): readonly TraceEvent[] {
  const { index, eventAt } = trace;
  const whole = besides(index.columns, placesOf(trace, inWhole), isWide);
  const kept = keptOf(trace, units, placesOf(trace, wanted), whole);
  const events: TraceEvent[] = [];
  let left: number | undefined;
  for (let place = 0; place < index.length; place++) {
    if (!kept.has(place)) {
      left ??= index.columns.seq.get(place);
      continue;
    }
    const event = eventAt(place);
    if (isMember(event)) continue;
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
  units: Units,
  wanted: readonly number[],
  whole: readonly number[],
): ReadonlySet<number> {
  const { columns } = index;
  const kept = withCauses(units, [...wanted, ...whole]);
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

/** Frames of the same turn, restore or item as one of these, or of the same session. */
function besides(columns: Columns, places: readonly number[], isWide: boolean): readonly number[] {
  const wide = isWide ? [columns.session] : [];
  const shared = [columns.turn, columns.window, columns.item, ...wide].map((column) => {
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
