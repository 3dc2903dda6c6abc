// A drawn trace with its index and its timeline, for tests that look at both.
import { chipBook } from '../model/facts/chips.ts';
import { messageOf } from '../model/timeline/digest.ts';
import type { FrameRow, RowView } from '../model/timeline/row-view.ts';
import { TimelineView } from '../model/timeline/timeline-view.ts';
import { TraceIndex } from '../model/trace-index.ts';
import { connectionId, type TraceEvent } from '../trace/event.ts';
import { eventSize } from '../trace/line.ts';
import { draw } from './draw.ts';

export interface Indexed {
  readonly events: readonly TraceEvent[];
  readonly index: TraceIndex;
  readonly view: TimelineView;
  /** The event at this place; a test that names another is broken. */
  eventAt(index: number): TraceEvent;
  /** All rows now. */
  rows(): RowView[];
  /** The row of this seq; a test that names another is broken. */
  frame(seq: number): FrameRow;
}

export function newIndex(): TraceIndex {
  return new TraceIndex(connectionId('c1'), chipBook());
}

export function append(index: TraceIndex, event: TraceEvent): void {
  const message = event.type === 'frame' ? messageOf(event) : undefined;
  const size = eventSize(event);
  index.append(event, message, size);
}

/** A drawing, or events as they are. */
export function indexed(trace: string | readonly TraceEvent[]): Indexed {
  const events = typeof trace === 'string' ? draw(trace) : trace;
  const index = newIndex();
  for (const event of events) append(index, event);
  const eventAt = eventsOf(events);
  const view = new TimelineView(index, eventAt);
  const rows = (): RowView[] => view.rows(0, view.state().rows);
  const frame = (seq: number): FrameRow => {
    const row = rows().find((candidate) => candidate.type === 'frame' && candidate.seq === seq);
    if (row?.type !== 'frame') throw new Error(`No row shows #${seq} first`);
    return row;
  };
  return { events, index, view, eventAt, rows, frame };
}

export function eventsOf(events: readonly TraceEvent[]): (index: number) => TraceEvent {
  return (index) => {
    const event = events[index];
    if (event === undefined) throw new Error(`No event ${index}`);
    return event;
  };
}
