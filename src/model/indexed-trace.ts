// A trace to look in: what is indexed of it, its events, and when it began.
import { connectionId, type ConnectionId, type TraceEvent } from '../trace/event.ts';
import { chipBook } from './facts/chips.ts';
import { TraceIndex } from './trace-index.ts';

export interface IndexedTrace {
  readonly index: TraceIndex;
  readonly connection: ConnectionId;
  /** The event at a place of the index; throws where none stands. */
  readonly eventAt: (place: number) => TraceEvent;
  /** The wall clock of `at` 0 in milliseconds, where the trace knows it. */
  readonly began?: number | undefined;
}

export interface IndexHow {
  /** Shared by traces that are parts of one story, so that a session has one chip in all of them. */
  readonly chipOf?: (sessionId: string) => string;
  readonly began?: number | undefined;
}

/** Of events that are at hand whole. `name`: what frames of this trace are called by, `c3`. */
export function indexedTrace(
  events: readonly TraceEvent[],
  name: string,
  { chipOf = chipBook(), began }: IndexHow = {},
): IndexedTrace {
  const connection = connectionId(name);
  const index = new TraceIndex(connection, chipOf);
  for (const event of events) index.append(event);
  return { index, connection, began, eventAt: eventsAt(events) };
}

/** As `eventAt` of the trace with these events. */
export function eventsAt(events: readonly TraceEvent[]): IndexedTrace['eventAt'] {
  return (place) => {
    const event = events[place];
    if (event === undefined) throw new Error(`No event stands at ${place}`);
    return event;
  };
}
