// A drawn trace in a TraceIndex, with its events by place.
import { connectionId, type TraceEvent } from '../trace/event.ts';
import { lineSize } from '../trace/line.ts';
import { messageOf } from '../model/digest.ts';
import { TraceIndex } from '../model/trace-index.ts';
import { draw } from './draw.ts';

export interface Indexed {
  readonly index: TraceIndex;
  readonly events: readonly TraceEvent[];
  eventAt(place: number): TraceEvent;
}

/** Sessions are chipped `S1`, `S2`, … as they appear. */
export function indexTrace(picture: string): Indexed {
  const chips = new Map<string, string>();
  const chipOf = (sessionId: string) => {
    const chip = chips.get(sessionId) ?? `S${chips.size + 1}`;
    chips.set(sessionId, chip);
    return chip;
  };
  const index = new TraceIndex(connectionId('c'), chipOf);
  const events = draw(picture);
  for (const event of events) {
    const line = 'line' in event ? event.line : undefined;
    const message = event.type === 'frame' ? messageOf(event.line) : undefined;
    index.append(event, message, line ? lineSize(line) : 0);
  }
  const eventAt = (place: number): TraceEvent => {
    const event = events[place];
    if (!event) throw new Error(`no event at ${place}`);
    return event;
  };
  return { index, events, eventAt };
}
