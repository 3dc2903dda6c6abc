// When traces began, and so their order: by their own clocks, or by what they show of the sessions they share.
import { known, millis } from '../../lib/time.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { inOrder, setsInOrder } from '../../model/replay/trace-order.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { beganAt, parseHeader } from '../../trace/format.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { Catalog } from '../library/catalog.ts';
import type { OpenTrace } from './open-trace.ts';

/** To be compared with others, or put in order among them. */
export function openTraceSource(
  { connection, index, lines }: OpenTrace,
  catalog: Pick<Catalog, 'get'>,
): IndexedTrace {
  const stored = catalog.get(connection);
  const name = stored && `c${stored.number}`;
  const began = stored && traceBegan(stored);
  return { connection, index, began, name, eventAt: (place) => lines.read(place) };
}

/** Returns when a stored trace began, epoch ms; undefined if its file does not say so. */
export function traceBegan({
  header,
  startedAt,
}: Pick<StoredTrace, 'header' | 'startedAt'>): number | undefined {
  const said = parseHeader(decodeLossy(header));
  return 'problem' in said ? known(millis(Date.parse(startedAt))) : beganAt(said);
}

/** In the order in which they began; where one does not know, in that which their sessions tell. */
export function byBeginning(
  traces: readonly OpenTrace[],
  catalog: Pick<Catalog, 'get'>,
): readonly OpenTrace[] {
  const traceOf = new Map(traces.map((trace) => [openTraceSource(trace, catalog), trace]));
  return inOrder([...traceOf.keys()]).flatMap((source) => traceOf.get(source) ?? []);
}

/** Between two traces of which one does not know when it began, ms. */
const APART = 1000;

/**
 * When each began, epoch ms: where one does not know, as though it had begun behind the one before it, or
 * ended before the one behind it.
 */
export function beginnings(
  traces: readonly OpenTrace[],
  catalog: Pick<Catalog, 'get'>,
): ReadonlyMap<ConnectionId, number> {
  const sources = byBeginning(traces, catalog).map((trace) => openTraceSource(trace, catalog));
  const took = ({ index }: IndexedTrace) => known(index.lastEventAt) ?? 0;
  const told = sources.find(({ began }) => began !== undefined);
  const before = told ? sources.slice(0, sources.indexOf(told)) : [];
  let free = before.reduce((at, one) => at - took(one) - APART, told?.began ?? 0);
  return new Map(
    sources.map((source) => {
      const began = source.began ?? free;
      free = Math.max(free, began + took(source) + APART);
      return [source.connection, began];
    }),
  );
}

/**
 * Returns when `shown` began and the traces to be read with it, epoch ms. A trace is not among them if nothing says
 * whether it is older than a trace that shares a session: rules must not guess the order.
 */
export function beginningsWith(
  shown: ConnectionId,
  traces: readonly OpenTrace[],
  catalog: Pick<Catalog, 'get'>,
): ReadonlyMap<ConnectionId, number> {
  const traceOf = new Map(traces.map((trace) => [openTraceSource(trace, catalog), trace]));
  const sets = setsInOrder([...traceOf.keys()]);
  const set = sets.find((one) => one.some(({ connection }) => connection === shown)) ?? [];
  return beginnings(
    set.flatMap((source) => traceOf.get(source) ?? []),
    catalog,
  );
}
