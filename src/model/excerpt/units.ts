// A trace in the smallest parts that can be left out without leaving nonsense: an exchange is one part,
// and a part needs the handshake, the session, the prompt, the restore and the item it speaks of.
import { seq, type TraceEvent } from '../../trace/event.ts';
import { AGENT, CLIENT, EVT, FLAG, REQ } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';

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
    const known = partner === undefined || partner > place ? undefined : unitAt.get(partner);
    if (known !== undefined) places[known]?.push(place);
    unitAt.set(place, known ?? places.push([place]) - 1);
  }
  const needs = places.map((): number[] => []);
  const handshake = unitOfRequest('initialize');
  const madeBy = new Map<number, number>();
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
    // Who asks for a new session is told its name only by the answer, and updates may come before that.
    const named = columns.session.get(place);
    const session = named > 0 ? named : columns.session.get(columns.partnerOf(place) ?? place);
    if (session > 0) {
      const made = madeBy.get(session);
      if (made === undefined) madeBy.set(session, unit);
      need(made);
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

/** Those of `kept`, ascending, that need none that is not there. */
export function closed(units: readonly Unit[], kept: readonly number[]): number[] {
  const there = new Set<number>();
  for (const unit of kept) if (units[unit]?.needs.every((need) => there.has(need))) there.add(unit);
  return [...there];
}

/** The places of the units that hold one of `places`, with all that those need. */
export function withCauses({ all, at }: Units, places: Iterable<number>): Set<number> {
  const units = new Set<number>();
  const due = [...places].flatMap((place) => at.get(place) ?? []);
  for (let unit = due.pop(); unit !== undefined; unit = due.pop()) {
    if (units.has(unit)) continue;
    units.add(unit);
    due.push(...(all[unit]?.needs ?? []));
  }
  return new Set([...units].flatMap((unit) => all[unit]?.places ?? []));
}

/** The trace of these units, numbered anew from 1; times stay. */
export function traceOf(
  events: readonly TraceEvent[],
  units: readonly Unit[],
  kept: readonly number[],
): TraceEvent[] {
  return kept
    .flatMap((unit) => units[unit]?.places ?? [])
    .sort((a, b) => a - b)
    .flatMap((place) => events[place] ?? [])
    .map((event, at) => ({ ...event, seq: seq(at + 1) }));
}
