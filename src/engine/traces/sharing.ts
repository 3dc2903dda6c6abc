// Finds stored traces with sessions in common, by the catalog alone: none is read.
import type { StoredTrace } from '../../storage/schema.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';
import { traceBegan } from './beginnings.ts';

/** Most stored traces that are read for another trace, the newest first, and most bytes of them. */
const MAX_READ = 12;
const MAX_BYTES = 64 * 1024 * 1024;

/** False if a stored trace surely names none of these sessions. Who names a session gives it a chip. */
export function mayName({ chips }: StoredTrace, sessions: Iterable<string>): boolean {
  if (chips === undefined) return true;
  for (const session of sessions) if (Object.hasOwn(chips, session)) return true;
  return false;
}

/**
 * Returns stored traces to read with the trace `of`: ended, of the same agent as far as that is known, and accepted by
 * `isWanted`. The newest come first, and those too large for the bound are omitted.
 */
export function storedBeside(
  catalog: Pick<Catalog, 'get' | 'summaries'>,
  of: ConnectionId,
  isWanted: (trace: StoredTrace) => boolean,
): readonly ConnectionId[] {
  const agent = catalog.get(of)?.agent;
  let bytes = 0;
  return catalog
    .summaries()
    .filter((one) => one.connection !== of && one.state === 'ended')
    .filter((one) => one.agent === undefined || agent === undefined || one.agent === agent)
    .filter(({ connection }) => {
      const trace = catalog.get(connection);
      return trace !== undefined && isWanted(trace);
    })
    .toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
    .slice(0, MAX_READ)
    .filter(({ stored }) => (bytes += stored) <= MAX_BYTES)
    .map(({ connection }) => connection);
}

/**
 * Returns the stored traces that surely name a session of this trace, and that no live connection writes. A trace that
 * began in the same millisecond is a copy, which says nothing more.
 */
export function sharing(
  catalog: Pick<Catalog, 'get' | 'summaries' | 'live'>,
  of: ConnectionId,
): readonly ConnectionId[] {
  const shown = catalog.get(of);
  const sessions = Object.keys(shown?.chips ?? {});
  const began = shown && traceBegan(shown);
  return storedBeside(
    catalog,
    of,
    (trace) =>
      trace.chips !== undefined &&
      trace.reading === undefined &&
      (began === undefined || traceBegan(trace) !== began) &&
      catalog.live(trace.connection) === undefined &&
      mayName(trace, sessions),
  );
}
