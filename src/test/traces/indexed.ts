// A drawn trace with its index and its timeline, for tests that look at both.
import { indexedTrace } from '../../model/indexed-trace.ts';
import type { FrameRow, RowView } from '../../model/timeline/row-view.ts';
import { TimelineView } from '../../model/timeline/timeline-view.ts';
import type { TraceIndex } from '../../model/trace-index.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
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

/** A drawing, or events as they are. */
export function indexed(trace: string | readonly TraceEvent[]): Indexed {
  const events = typeof trace === 'string' ? draw(trace) : trace;
  const { index, eventAt } = indexedTrace(events, 'c1');
  const view = new TimelineView(index, eventAt, { finder: nodeFinder });
  const rows = (): RowView[] => view.rows(0, view.state().rows);
  const frame = (seq: number): FrameRow => {
    const row = rows().find((candidate) => candidate.type === 'frame' && candidate.seq === seq);
    if (row?.type !== 'frame') throw new Error(`No row shows #${seq} first`);
    return row;
  };
  return { events, index, view, eventAt, rows, frame };
}

/** Seqs of the frames that a query shows. */
export function seqsOf({ view }: Indexed, query: string): number[] {
  view.setQuery(query);
  const seqs = view.rows(0, 1000).flatMap((row) => (row.type === 'frame' ? [row.seq] : []));
  view.setQuery('');
  return seqs;
}
