// The session as the scope of the views: which run of it a view shows, if the trace that is open has nothing for it.
import type { TraceSummary } from '../../engine/messages.ts';
import type { SessionFacts } from '../../model/facts/facts-view.ts';
import type { RunRestore } from '../../model/sessions/session-runs.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { View } from '../views.ts';
import { lastRunOf } from './last-run.ts';

/** What the page shows now. */
interface Shown {
  readonly view: View;
  readonly current: TraceSummary | undefined;
  readonly facts: unknown;
  readonly session: Pick<SessionFacts, 'sessionId'> | undefined;
  readonly pickedSession: string | undefined;
  readonly traces: readonly TraceSummary[];
}

interface ShownRun {
  readonly connection: ConnectionId;
  readonly sessionId: string;
}

/** True if the trace names the session, or was made to restore it. */
export function hasSession(
  { sessions = [], group }: Pick<TraceSummary, 'sessions' | 'group'>,
  sessionId: string | undefined,
): boolean {
  if (sessionId === undefined) return false;
  return group?.session === sessionId || sessions.some((one) => one.sessionId === sessionId);
}

/**
 * Returns the newest run of the session with what the view shows; undefined: the open trace has it, or none has.
 * `moved`: the run that this function chose last. A person did not choose that run, so a run without history gives way.
 */
export function runToShow(
  { view, current, facts, session, pickedSession, traces }: Shown,
  moved?: ConnectionId,
): ShownRun | undefined {
  const isCompare = view === 'compare';
  if (!current || !facts || !(isCompare || view === 'session' || view === 'conversation')) return;
  const has = isCompare ? restoresOf(current).length > 0 : session !== undefined;
  const isEmpty = view !== 'session' && current.connection === moved && !hasHistory(current);
  if (has && !isEmpty) return undefined;
  const last = lastRunOf(traces, current);
  // A run that was begun before this connection is not about it.
  const begun = traces.some(
    ({ group, number }) => group?.session === last?.session && number > current.number,
  );
  const sessionId = pickedSession ?? session?.sessionId ?? (begun ? last?.session : undefined);
  const runs = traces
    .filter((one) => one !== current && hasSession(one, sessionId) && !one.group?.copy)
    .filter((one) => !isCompare || restoresOf(one, sessionId).length > 0)
    .toSorted((a, b) => worth(b, sessionId) - worth(a, sessionId) || b.number - a.number);
  const best = runs.find((one) => !has || worth(one, sessionId) === 2);
  return best && sessionId !== undefined ? { connection: best.connection, sessionId } : undefined;
}

function restoresOf({ sessions = [] }: TraceSummary, sessionId?: string): readonly RunRestore[] {
  return sessions.flatMap((one) =>
    sessionId === undefined || one.sessionId === sessionId ? one.restores : [],
  );
}

/** True if the trace contains live items of a session, or replayed ones. */
function hasHistory(trace: TraceSummary): boolean {
  return worth(trace, undefined) === 2 || (trace.sessions ?? []).some(({ items }) => items > 0);
}

/** A replay is worth more than a response, and that more than a rejection. */
function worth(trace: TraceSummary, sessionId: string | undefined): number {
  const restores = restoresOf(trace, sessionId);
  if (restores.some(({ judged }) => judged && judged.tape.length > 0)) return 2;
  return restores.some(({ outcome }) => outcome === 'answered') ? 1 : 0;
}
