// A trace as its agent wrote and read it. An intercept changes, drops or moves lines on their way to the
// client; a comparison of what the agent sends must not count that as the agent's doing.
import type { Frame, Intercept, InterceptDeed, Seq, TraceEvent } from '../../trace/event.ts';
import { EVT } from '../columns.ts';
import { chipBook } from '../facts/chips.ts';
import { indexedTrace, type IndexedTrace } from '../indexed-trace.ts';

/** What keeps a line from crossing as it was written. */
const CHANGING: ReadonlySet<InterceptDeed> = new Set([
  ...(['hold', 'edit', 'drop', 'delay', 'reorder', 'truncate', 'answer', 'cut', 'keep'] as const),
]);

/** Returns the trace without what an intercept did to lines of the agent; the same object if it did nothing. */
export function asWritten(source: IndexedTrace): IndexedTrace {
  const { index, connection, name, began, eventAt } = source;
  const deeds = [...deedsIn(source)];
  if (deeds.length === 0) return source;
  const places = Array.from({ length: index.length }, (_, place) => place);
  const rootOf = new Map(deeds.map(({ seq, of }) => [seq, of ?? seq]));
  const changed = new Set(
    deeds.flatMap(({ seq, of, from, did, problem }) =>
      from === 'agent' && CHANGING.has(did) && problem === undefined ? [of ?? seq] : [],
    ),
  );
  const isByIntercept = ({ from, origin, of }: Frame) => {
    const root = of === undefined ? undefined : (rootOf.get(of) ?? of);
    return (
      from === 'agent' && (origin === 'intercept' || (root !== undefined && changed.has(root)))
    );
  };
  const events = places.flatMap((place): TraceEvent[] => {
    const event = eventAt(place);
    if (event.type === 'frame') return isByIntercept(event) ? [] : [event];
    return [(changed.has(event.seq) && writtenBy(event)) || event];
  });
  const written = indexedTrace(events, connection, { chipOf: chipBook(), began });
  written.index.isOver = index.isOver;
  return { ...written, name };
}

function writtenBy(event: TraceEvent): Frame | undefined {
  if (event.type !== 'intercept' || !event.from || !event.line) return undefined;
  const { seq, at, from, line } = event;
  return { type: 'frame', seq, from, line, origin: 'peer', ...(at !== undefined && { at }) };
}

/** Yields what was done to lines, in the order of the trace. */
function* deedsIn({ index, eventAt }: IndexedTrace): Generator<Intercept> {
  const { columns } = index;
  for (let place = 0; place < index.length; place++) {
    if (columns.kind.get(place) !== EVT || columns.nameOf(place) !== 'intercept') continue;
    const event = eventAt(place);
    if (event.type === 'intercept' && event.line && event.from) yield event;
  }
}

/** Returns where lines did not reach the client as the agent wrote them, ascending. */
export function interceptedReplay(source: IndexedTrace): readonly Seq[] {
  return [...deedsIn(source)].flatMap(({ seq, from }) => (from === 'agent' ? [seq] : []));
}
