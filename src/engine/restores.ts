// What came of the restores of a session on every connection of this browser: those in memory, and
// the stored ones of runs that were about it. What one trace knows of the session, another is judged by.
import { knowsHistory } from '../model/history-known.ts';
import { restoreResult, type RestoreResult } from '../model/restore-results.ts';
import type { Elsewhere } from '../model/restore-verdict.ts';
import type { WindowRecord } from '../model/replay-windows.ts';
import { windowView } from '../model/replay-windows.ts';
import type { Seq } from '../trace/event.ts';
import type { Catalog } from './catalog.ts';
import type { WindowDetail } from './messages.ts';
import type { OpenTrace } from './open-trace.ts';
import type { OpenTraces } from './open-traces.ts';

type Library = { readonly catalog: Catalog; readonly traces: OpenTraces };

/** In the order the connections began. */
export async function restoresOf(
  { catalog, traces }: Library,
  sessionId: string,
): Promise<readonly RestoreResult[]> {
  const about = catalog.about(sessionId);
  await Promise.all(about.map((connection) => traces.open(connection, 'live').loaded));
  const ofRun = new Set(about);
  const began = startOf(catalog);
  return traces
    .all()
    .toSorted((a, b) => began(a).localeCompare(began(b)))
    .flatMap((trace) => {
      const all = ofRun.has(trace.connection);
      const judge = judgeIn({ catalog, traces }, trace);
      return trace.index.windowRecords
        .filter(
          ({ session, method }) =>
            method !== 'session/fork' && (all || session.sessionId === sessionId),
        )
        .map(judge);
    });
}

export function windowDetail(
  library: Library,
  trace: OpenTrace,
  request: Seq,
): WindowDetail | undefined {
  const all = trace.index.windowRecords;
  const window = all.find(({ seq }) => seq === request);
  if (!window) return undefined;
  const { lastEventAt } = trace.index;
  return {
    result: judgeIn(library, trace)(window),
    overlaps: all
      .filter((other) => other !== window && overlap(other, window))
      .map((other) => windowView(other, lastEventAt)),
  };
}

function judgeIn(
  { catalog, traces }: Library,
  trace: OpenTrace,
): (window: WindowRecord) => RestoreResult {
  const began = startOf(catalog);
  const earlier = traces
    .all()
    .filter((other) => other !== trace && began(other) <= began(trace))
    .map(({ index }) => index);
  return (window) => {
    const { sessionId } = window.session;
    const known = earlier.flatMap((index) => {
      const session = index.sessionNamed(sessionId);
      return session === undefined ? [] : [{ index, session }];
    });
    const elsewhere: Elsewhere = {
      history: known.some(({ index, session }) => knowsHistory(index, session.index)),
      gone: known.some(({ session }) => session.deleted),
    };
    return restoreResult(trace.index, (at) => trace.lines.event(at), window, elsewhere);
  };
}

function startOf(catalog: Catalog): (trace: OpenTrace) => string {
  return ({ connection }) => catalog.get(connection)?.startedAt ?? '';
}

/** Events of a trace are in one order: two windows overlap where neither ends before the other begins. */
function overlap(a: WindowRecord, b: WindowRecord): boolean {
  const endOf = ({ end }: WindowRecord) => (end < 0 ? Infinity : end);
  return a.request < endOf(b) && b.request < endOf(a);
}
