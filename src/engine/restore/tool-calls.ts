// One tool call over every connection in memory: where it lived, and what each restore made of it.
import { callAt, callTold, type CallTold } from '../../model/restore/call-told.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { Parts } from '../parts.ts';
import { byBeginning } from '../traces/beginnings.ts';

export interface CallToldOn extends CallTold {
  readonly connection: ConnectionId;
}

/** Of the tool call that a frame is about; empty: it is about none. */
export async function tellingsOf(
  { traces, catalog }: Pick<Parts, 'traces' | 'catalog'>,
  connection: ConnectionId,
  seq: Seq,
): Promise<readonly CallToldOn[]> {
  const index = traces.get(connection)?.index;
  const named = index && callAt(index, index.indexOf(seq));
  if (named === undefined) return [];
  const naming = (await traces.allWhole()).filter(
    (trace) => trace.index.sessionNamed(named.sessionId) !== undefined,
  );
  return byBeginning(naming, catalog).flatMap((trace) =>
    callTold(trace.index, named).map((one) => ({ ...one, connection: trace.connection })),
  );
}
