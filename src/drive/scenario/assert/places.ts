// The frames of a run that a query of an assertion matches.
import type { Finder } from '../../../model/query/find.ts';
import { searchedBy } from '../../../model/query/match.ts';
import { asks, type Query } from '../../../model/query/query.ts';
import { Search } from '../../../model/query/search.ts';
import type { Seq } from '../../../trace/event.ts';
import type { RecordedTrace, RunRecord } from './record.ts';

/** A frame of a run: its connection, from 1, and its seq there. */
export interface RunFrame {
  readonly connection: number;
  readonly seq: Seq;
}

/** That a judgement names. */
export const MOST_FRAMES = 8;

/** Why a query cannot be answered, as a sentence. */
export class Unanswered extends Error {}

/** What an assertion is held against. */
export interface AssertionContext {
  readonly record: RunRecord;
  readonly finder: Finder;
}

/** What an assertion's value comes to. */
export interface AssertionSeen {
  /** What compares. Undefined: there is nothing to compare. */
  readonly rank: number | string | undefined;
  /** What it asks for is not in the record, which is no matter of doubt. */
  readonly isMissing?: boolean;
  readonly words: string;
  readonly frames: readonly RunFrame[];
}

export interface EventPlace {
  readonly connection: number;
  readonly place: number;
  readonly trace: RecordedTrace;
}

/** The events that the query matches, in the order of the run. */
export async function eventPlaces(
  query: Query,
  { record, finder }: AssertionContext,
): Promise<EventPlace[]> {
  if (asks(query, 'finding', 'sev')) record.check();
  const places: EventPlace[] = [];
  for (const [at, trace] of record.traces.entries()) {
    const { index, eventAt } = trace;
    const connection = at + 1;
    const searched = searchedBy(eventAt, () => index.length, connection);
    const search = new Search(query, index, searched, finder);
    const problem = await search.ask();
    if (problem) throw new Unanswered(problem.message);
    for (const place of search.places()) places.push({ connection, place, trace });
  }
  return places;
}

export function refs(places: readonly EventPlace[]): RunFrame[] {
  return places.slice(0, MOST_FRAMES).map(refOf);
}

export function refOf({ connection, place, trace }: EventPlace): RunFrame {
  return { connection, seq: trace.index.columns.seqOf(place) };
}

/** Where it stands among all events of the run. */
export function rankOf({ connection, place }: EventPlace, { traces }: RunRecord): number {
  const before = traces.slice(0, connection - 1);
  return before.reduce((sum, { index }) => sum + index.length, place);
}

/** As `frameName`, by what the trace is called. */
export function nameOf(place: EventPlace, { traces }: RunRecord): string {
  const { seq } = refOf(place);
  return traces.length > 1 ? `${place.trace.connection}#${seq}` : `#${seq}`;
}

/** `#12`, or `c2#12` where there are several connections. */
export function frameName(ref: RunFrame, { traces }: RunRecord): string {
  return traces.length > 1 ? `c${ref.connection}#${ref.seq}` : `#${ref.seq}`;
}
