// What all traces in memory know of a session that is to be restored.
import { backgroundIn, type SessionBackground } from '../../model/restore/session-background.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';
import { byBeginning, openTraceSource } from '../traces/beginnings.ts';
import type { OpenTraces } from '../traces/open-traces.ts';

interface Library {
  readonly catalog: Pick<Catalog, 'get' | 'isRunning'>;
  readonly traces: Pick<OpenTraces, 'allWhole' | 'get'>;
}

/** `asking`: the connection it is to be restored on. */
export async function sessionBackground(
  { catalog, traces }: Library,
  sessionId: string,
  asking: ConnectionId,
): Promise<SessionBackground> {
  const all = byBeginning(await traces.allWhole(), catalog);
  const here = traces.get(asking);
  return backgroundIn(
    all.map((trace) => openTraceSource(trace, catalog)),
    sessionId,
    {
      here: here && openTraceSource(here, catalog),
      isRunning: (connection) => catalog.isRunning(connection),
      isByHand: (connection) => catalog.get(connection)?.group === undefined,
    },
  );
}
