// The run of restores that the agent looked at was last tried with: each went to a connection of its
// own, so that the connection it was begun on may hold no session and no restore itself.
import type { TraceSummary } from '../../engine/messages.ts';
import { shortId } from '../../model/words.ts';
import type { ConnectionId } from '../../trace/event.ts';

interface LastRun {
  readonly session: string;
  readonly chip: string;
  /** Connections on which it was restored. */
  readonly windows: number;
  /** It leads to the session: the one looked at where it lived there, else the first that was restored. */
  readonly connection: ConnectionId;
}

export function lastRunOf(
  traces: readonly TraceSummary[],
  current: TraceSummary | undefined,
): LastRun | undefined {
  const made = traces
    .filter(({ group, agent }) => group?.session !== undefined && agent === current?.agent)
    .toSorted((a, b) => b.number - a.number);
  const [newest] = made;
  const session = newest?.group?.session;
  if (newest === undefined || session === undefined) return undefined;
  const of = made.filter(({ group }) => group?.id === newest.group?.id && group?.copy !== true);
  const known = traces.flatMap(({ facts }) => facts?.sessions ?? []);
  const chip = known.find((one) => one.sessionId === session && one.chip !== '')?.chip;
  const own = current && names(current, session) ? current : undefined;
  const { connection } = own ?? of.find((one) => names(one, session)) ?? newest;
  const windows = of.filter((one) => one.facts === undefined || names(one, session)).length;
  return { session, chip: chip ?? shortId(session), windows, connection };
}

function names({ facts }: TraceSummary, session: string): boolean {
  return facts?.sessions.some(({ sessionId }) => sessionId === session) === true;
}
