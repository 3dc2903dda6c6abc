// What a frame is to a restore, from the index that the timeline is drawn from: so that page and
// checker never differ about which frames are history replay.
import { FLAG } from '../../model/columns.ts';
import type { TraceIndex } from '../../model/trace-index.ts';
import { seq } from '../../trace/event.ts';
import type { Restoring } from '../steps.ts';

const NONE: Restoring = { window: undefined, replay: false, late: false };

/** Of the event at this place, which the index has taken already. */
export function restoringOf(index: TraceIndex, place: number): Restoring {
  const { columns } = index;
  if (columns.window.get(place) === 0) return NONE;
  const record = index.window(place);
  if (record === undefined) return NONE;
  const { method, cursor, allowed } = record;
  return {
    window: { request: seq(record.seq), method, cursor, allowed },
    replay: columns.has(place, FLAG.replay),
    late: columns.has(place, FLAG.late),
  };
}
