// Events as a track takes them: read, and told from history replay by the index of their trace.
import { FLAG } from '../../model/columns.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import type { TrackedEvent } from '../../model/fold/track.ts';
import { indexedTrace } from '../../model/indexed-trace.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { eventSize } from '../../trace/line.ts';

export function stepsOf(events: readonly TraceEvent[]): TrackedEvent[] {
  const { index } = indexedTrace(events, 'c1');
  return events.map((event, at) => ({
    event,
    message: saidBy(event),
    replay: index.columns.has(at, FLAG.replay),
    late: index.columns.has(at, FLAG.late),
    size: eventSize(event),
  }));
}
