// Traces as an intercept leaves them, made by its own engine.
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { Intercepting } from '../../drive/intercept/intercepting.ts';
import { millis } from '../../lib/time.ts';
import { seq, type Seq, type TraceEvent } from '../../trace/event.ts';
import { lineBytes, lineOf } from '../../trace/line.ts';
import { draw } from './draw.ts';

type Unstamped<E> = E extends TraceEvent ? Omit<E, 'seq' | 'at'> : never;

/** The trace that this one becomes under these rules. */
export function intercepted(
  picture: string,
  rules: readonly (object | string)[],
): readonly TraceEvent[] {
  const events: TraceEvent[] = [];
  const push = (event: Unstamped<TraceEvent>): Seq => {
    const stamp = { seq: seq(events.length + 1), at: millis(events.length) };
    events.push({ ...event, ...stamp } as TraceEvent);
    return stamp.seq;
  };
  const through = new Intercepting({
    outlet: {
      send: (from, line, origin, of) =>
        void push({ type: 'frame', from, line: lineOf(line), origin, ...(of && { of }) }),
      tell: (fact) => push({ type: 'intercept', ...fact }),
      cut: () => undefined,
    },
    timers: { now: () => events.length, later: () => () => undefined },
    finder: nodeFinder,
    newId: () => 'ours',
  });
  const problem = rules.length > 0 ? through.on(JSON.stringify({ rules })) : undefined;
  if (problem !== undefined) throw new Error(problem);
  for (const event of draw(picture))
    if (event.type === 'frame') through.take(event.from, lineBytes(event.line), event.origin);
    else {
      if (event.type === 'exit') through.off();
      push(event);
    }
  return events;
}
