// Traces as a fidelity report takes them: drawn, recorded, or what crossed to the bundled agent.
import type { FidelitySource } from '../diff/fidelity/report/report.ts';
import { chipBook } from '../model/facts/chips.ts';
import { messageOf } from '../model/timeline/digest.ts';
import { TraceIndex } from '../model/trace-index.ts';
import { connectionId, seq, type TraceEvent } from '../trace/event.ts';
import { eventSize } from '../trace/line.ts';
import { millis } from '../lib/time.ts';
import type { AgentClient } from './agent-client.ts';
import { draw } from './draw.ts';
import { eventsOf } from './indexed.ts';

/** Named `c1`, `c2`, …; a string is a drawing. Their order is as given, as of traces with clocks. */
export function sourcesOf(traces: readonly (string | readonly TraceEvent[])[]): FidelitySource[] {
  const chipOf = chipBook();
  return traces.map((trace, at) => {
    const events = typeof trace === 'string' ? draw(trace) : trace;
    const connection = connectionId(`c${at + 1}`);
    const index = new TraceIndex(connection, chipOf);
    for (const event of events)
      index.append(event, event.type === 'frame' ? messageOf(event) : undefined, eventSize(event));
    return { index, connection, began: at * 3_600_000, eventAt: eventsOf(events) };
  });
}

/** What crossed between a test and the bundled agent. */
export function crossedBy({ crossed }: AgentClient): TraceEvent[] {
  return crossed.map(({ from, line }, at) => {
    const stamp = { seq: seq(at + 1), at: millis(at) };
    return { ...stamp, type: 'frame', from, line: { text: line }, origin: 'peer' };
  });
}
