// The page's calls about what the frames of a session amount to.
import type { SessionsApi } from '../api.ts';
import type { Parts } from '../parts.ts';
import { lookOf } from './api-timeline.ts';
import { sessionTimeline } from './session-timeline.ts';
import { inOrder } from '../traces/open-traces.ts';
import { capabilityUse } from '../../model/facts/capability-use.ts';
import {
  driftOf,
  type Remembered,
  sessionEvents,
  settledAfter,
  type SessionEvent,
} from '../../model/sessions/session-history.ts';

export function sessionsApi(parts: Parts): SessionsApi {
  return {
    async conversation(connection, sessionId, ask) {
      return (await lookOf(parts, connection)).folds.conversation(sessionId, ask);
    },

    async waiting(connection, at) {
      return (await lookOf(parts, connection)).folds.waiting(at);
    },

    async moment(connection, sessionId, walk) {
      return (await lookOf(parts, connection)).folds.moment(sessionId, walk);
    },

    async provenance(connection, sessionId, key, first, last) {
      return (await lookOf(parts, connection)).folds.provenance(sessionId, key, first, last);
    },

    async terminals(connection) {
      return (await lookOf(parts, connection)).folds.terminals();
    },

    async capabilityUse(connection) {
      return capabilityUse((await lookOf(parts, connection)).trace.index);
    },

    async history(sessionId) {
      return sessionHistory(parts, sessionId);
    },

    async timeline(sessionId, most) {
      return sessionTimeline(parts, sessionId, most);
    },
  };
}

/** In the order of time, with what each restore changed of its settings. */
async function sessionHistory(
  { catalog, traces, looks }: Parts,
  sessionId: string,
): Promise<readonly SessionEvent[]> {
  const history: SessionEvent[] = [];
  let known: Remembered | undefined;
  for (const trace of inOrder(traces.all(), catalog)) {
    const { connection, index, lines } = trace;
    const events = sessionEvents(index, (place) => lines.event(place), sessionId);
    if (events.length === 0) continue;
    const { folds } = await looks.of(trace);
    for (const event of events) {
      const isRestore = event.kind === 'load' || event.kind === 'resume';
      if (!isRestore || event.answer === undefined || event.outcome !== 'answered') {
        history.push(event);
        continue;
      }
      const here = await folds.stateBefore(sessionId, index.indexOf(event.seq));
      // Another connection knows it, if this one does not yet.
      const before = here.life ? { connection, state: here } : known;
      const settled = settledAfter(index, sessionId, index.indexOf(event.answer));
      const after = { connection, state: await folds.stateBefore(sessionId, settled) };
      history.push({ ...event, drift: before ? driftOf(before, after) : [] });
    }
    known = { connection, state: await folds.stateBefore(sessionId, index.length) };
  }
  return history;
}
