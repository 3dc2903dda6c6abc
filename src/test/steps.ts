// Events as a track takes them: read, and told from history replay by the index of their trace.
import { FLAG } from '../model/columns.ts';
import { messageOf } from '../model/timeline/digest.ts';
import type { Step } from '../model/fold/track.ts';
import type { TraceEvent } from '../trace/event.ts';
import { eventSize } from '../trace/line.ts';
import { append, newIndex } from './indexed.ts';

export function stepsOf(events: readonly TraceEvent[]): Step[] {
  const index = newIndex();
  for (const event of events) append(index, event);
  return events.map((event, at) => ({
    event,
    message: event.type === 'frame' ? messageOf(event) : undefined,
    replay: index.columns.has(at, FLAG.replay),
    late: index.columns.has(at, FLAG.late),
    size: eventSize(event),
  }));
}
