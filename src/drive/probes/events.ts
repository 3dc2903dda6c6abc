// What a connection heard, as a trace: for those who read traces.
import { millis } from '../../lib/time.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import type { ScriptedConnection } from '../scripted.ts';

/** As the recorder has them, but for what came on stderr. */
export function eventsOf({ heard, exit, trace }: ScriptedConnection): readonly TraceEvent[] {
  const [first] = heard;
  const last = heard.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = seq(first.frame.seq - 1);
  const events: TraceEvent[] = [
    { type: 'start', seq: start, at: millis(0), argv: [], cwd: trace },
    ...heard.map(({ frame }) => frame),
  ];
  if (exit) events.push({ type: 'exit', seq: seq(last.frame.seq + 1), at: last.frame.at, ...exit });
  return events;
}
