// What was done with one agent over several connections: one is killed, the next restores its session.
import type { ConnectionId } from '../../trace/event.ts';
import type { Parts } from '../parts.ts';
import { byBeginning } from '../traces/beginnings.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { readStored } from '../timeline/session-hub.ts';

/**
 * It and every connection of the same command that shares a session with it, or with another of them, in
 * order. A list that names a session shares none; what runs of tests did belongs to their run alone.
 */
export async function doneTogether(
  parts: Pick<Parts, 'catalog' | 'traces'>,
  connection: ConnectionId,
): Promise<readonly OpenTrace[]> {
  const { catalog, traces } = parts;
  const first = await traces.whole(connection);
  const run = catalog.groupOf(connection)?.id;
  const found = new Set([first]);
  const sessions = sessionsOf(first);
  // It grows with what is found.
  for (const session of sessions) {
    await readStored(parts, session);
    for (const one of await traces.allWhole()) {
      if (found.has(one) || one.index.sessionNamed(session) === undefined) continue;
      if (catalog.groupOf(one.connection)?.id !== run || commandOf(one) !== commandOf(first))
        continue;
      const own = sessionsOf(one);
      if (!own.has(session)) continue;
      found.add(one);
      for (const other of own) sessions.add(other);
    }
  }
  return byBeginning([...found], catalog);
}

function sessionsOf({ index }: OpenTrace): Set<string> {
  const named = index.facts().sessions.filter(({ listedOnly }) => !listedOnly);
  return new Set(named.map(({ sessionId }) => sessionId));
}

function commandOf({ index }: OpenTrace): string | undefined {
  return JSON.stringify(index.facts().started?.argv);
}
