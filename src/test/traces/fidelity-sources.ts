// Traces as a fidelity report takes them: drawn, recorded, or what crossed to the bundled agent.
import { chipBook } from '../../model/facts/chips.ts';
import { indexedTrace, type IndexedTrace } from '../../model/indexed-trace.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { millis } from '../../lib/time.ts';
import type { AgentClient } from '../programs/agent-client.ts';
import { draw } from './draw.ts';

/** Named `c1`, `c2`, …; a string is a drawing. Their order is as given, as of traces with clocks. */
export function sourcesOf(traces: readonly (string | readonly TraceEvent[])[]): IndexedTrace[] {
  const chipOf = chipBook();
  return traces.map((trace, at) => {
    const events = typeof trace === 'string' ? draw(trace) : trace;
    return indexedTrace(events, `c${at + 1}`, { chipOf, began: at * 3_600_000 });
  });
}

/** What crossed between a test and the bundled agent. */
export function crossedBy({ crossed }: AgentClient): TraceEvent[] {
  return crossed.map(({ from, line }, at) => {
    const stamp = { seq: seq(at + 1), at: millis(at) };
    return { ...stamp, type: 'frame', from, line: { text: line }, origin: 'peer' };
  });
}
