// What happened to a session on every connection in memory, in the order of time, with what each
// restore changed of its settings.
import {
  driftOf,
  type Remembered,
  sessionEvents,
  settledAfter,
  type SessionEvent,
} from '../../model/sessions/session-history.ts';
import type { Catalog } from '../library/catalog.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { byBeginning } from '../traces/beginnings.ts';
import type { OpenTraces } from '../traces/open-traces.ts';
import type { Folds } from './folds.ts';

/** The traces in memory, and what each amounts to. */
export interface Lives {
  readonly catalog: Pick<Catalog, 'get'>;
  readonly traces: Pick<OpenTraces, 'allWhole'>;
  readonly looks: {
    of(trace: OpenTrace): Promise<{ readonly folds: Pick<Folds, 'stateBefore'> }>;
  };
}

export async function sessionHistory(
  { catalog, traces, looks }: Lives,
  sessionId: string,
): Promise<readonly SessionEvent[]> {
  const history: SessionEvent[] = [];
  let known: Remembered | undefined;
  /** State of the session before the run that the last trace belongs to. */
  let run: { readonly id: string | undefined; readonly before: Remembered | undefined } = {
    id: undefined,
    before: undefined,
  };
  for (const trace of byBeginning(await traces.allWhole(), catalog)) {
    const { connection, index, lines } = trace;
    const events = sessionEvents(index, (place) => lines.event(place), sessionId);
    if (events.length === 0) continue;
    const { folds } = await looks.of(trace);
    const id = catalog.get(connection)?.group?.id;
    // Restores of one run are variants of one question: none of them is before another.
    if (id === undefined || id !== run.id) run = { id, before: known };
    for (const event of events) {
      const isRestore = event.kind === 'load' || event.kind === 'resume';
      if (!isRestore || event.answer === undefined || event.outcome !== 'answered') {
        history.push(event);
        continue;
      }
      const here = await folds.stateBefore(sessionId, index.indexOf(event.seq));
      // Another connection knows it, if this one does not yet.
      const before = here.life ? { connection, state: here } : run.before;
      const settled = settledAfter(index, sessionId, index.indexOf(event.answer));
      const after = { connection, state: await folds.stateBefore(sessionId, settled) };
      history.push({ ...event, drift: before ? driftOf(before, after) : [] });
    }
    known = { connection, state: await folds.stateBefore(sessionId, index.length) };
  }
  return history;
}
