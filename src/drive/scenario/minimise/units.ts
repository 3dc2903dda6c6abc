// A trace in the smallest parts that can be left out without leaving nonsense: an exchange is one part,
// and a part needs the handshake, the session, the prompt, the restore and the item it speaks of.
import { AGENT, CLIENT, FLAG, REQ } from '../../../model/columns.ts';
import { indexedTrace } from '../../../model/indexed-trace.ts';
import { seq, type TraceEvent } from '../../../trace/event.ts';

export interface Unit {
  /** Places of its events, ascending. */
  readonly places: readonly number[];
  /** Units it makes no sense without, by their number; all of them begin before it. */
  readonly needs: readonly number[];
}

/** In the order they begin. Marks and suppressions are no part of what crossed: they are in none. */
export function unitsOf(events: readonly TraceEvent[]): readonly Unit[] {
  const { index } = indexedTrace(events, 'c1');
  const { columns } = index;
  const unitAt = new Map<number, number>();
  const places: number[][] = [];
  for (const [place, { type }] of events.entries()) {
    if (type === 'mark' || type === 'suppress') continue;
    const partner = columns.partnerOf(place);
    const known = partner === undefined || partner > place ? undefined : unitAt.get(partner);
    if (known !== undefined) places[known]?.push(place);
    unitAt.set(place, known ?? places.push([place]) - 1);
  }
  const needs = places.map(() => new Set<number>());
  const handshake = unitOfRequest('initialize');
  const madeBy = new Map<number, number>();
  const prompt = new Map<number, number>();
  for (const [place, unit] of unitAt) {
    const need = (other: number | undefined) => {
      if (other !== undefined && other !== unit && first(other) < first(unit))
        needs[unit]?.add(other);
    };
    if (events[place]?.type !== 'frame') continue;
    need(handshake);
    const session = columns.session.get(place);
    if (session > 0) {
      const made = madeBy.get(session);
      if (made === undefined) madeBy.set(session, unit);
      need(made);
      const isPrompt =
        columns.kind.get(place) === REQ && columns.nameOf(place) === 'session/prompt';
      if (isPrompt && columns.side.get(place) === CLIENT) prompt.set(session, unit);
      const isReplay = columns.has(place, FLAG.replay | FLAG.late);
      if (columns.side.get(place) === AGENT && !isReplay) need(prompt.get(session));
    }
    const window = index.window(place);
    if (window !== undefined) need(unitAt.get(window.request));
    const item = columns.item.get(place);
    if (item > 0) need(unitAt.get(item - 1));
  }
  return places.map((own, unit) => ({ places: own, needs: [...(needs[unit] ?? [])] }));

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
