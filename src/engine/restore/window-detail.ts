// The outcome of one restore, and the restores that overlap it. Apart from restores.ts, which the page of one trace
// does not use.
import { elsewhereIn } from '../../model/restore/restore-seen.ts';
import { restoreResult, type RestoreResult } from '../../model/restore/restore-results.ts';
import type { SearchedTrace } from '../../model/restore/restore-verdict.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import type { Seq } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';
import type { WindowDetail } from '../messages.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { OpenTraces } from '../traces/open-traces.ts';

/** The sources of when traces began and of what other traces in memory know. */
export interface Judged {
  readonly catalog: Pick<Catalog, 'get'>;
  readonly traces: Pick<OpenTraces, 'all'>;
}

export function windowDetail(
  library: Judged,
  trace: OpenTrace,
  request: Seq,
): WindowDetail | undefined {
  const all = trace.index.windowRecords;
  const window = all.find(({ seq }) => seq === request);
  if (!window) return undefined;
  return {
    result: judgeIn(library, trace)(window),
    overlaps: all
      .filter((other) => other !== window && overlap(other, window))
      .map((other) => trace.index.windowView(other)),
  };
}

/** Judges the restores of a trace, by what is known of their sessions before. */
export function judgeIn(
  { catalog, traces }: Judged,
  trace: OpenTrace,
): (window: WindowRecord) => RestoreResult {
  const began = startOf(catalog);
  const earlier = traces
    .all()
    .filter((other) => other !== trace && began(other) <= began(trace))
    .map(lookedIn);
  return (window) => {
    const elsewhere = elsewhereIn(earlier, window.session.sessionId);
    return restoreResult(trace.index, lookedIn(trace).eventAt, window, elsewhere);
  };
}

function lookedIn({ index, lines }: OpenTrace): SearchedTrace {
  return { index, eventAt: (at) => lines.event(at) };
}

export function startOf(catalog: Judged['catalog']): (trace: OpenTrace) => string {
  return ({ connection }) => catalog.get(connection)?.startedAt ?? '';
}

/** Events of a trace are in one order: two windows overlap where neither ends before the other begins. */
function overlap(a: WindowRecord, b: WindowRecord): boolean {
  const endOf = ({ end }: WindowRecord) => (end < 0 ? Infinity : end);
  return a.request < endOf(b) && b.request < endOf(a);
}
