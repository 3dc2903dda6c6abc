// The outcome of one restore, and the restores that overlap it. Apart from restores.ts, which the page of one trace
// does not use.
import type { RestoreResult } from '../../model/restore/restore-results.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import type { Seq } from '../../trace/event.ts';
import type { ComparingParts } from '../findings/restore-comparing.ts';
import type { WindowDetail } from '../messages.ts';
import type { OpenTrace } from '../traces/open-trace.ts';

/** Undefined: there is no such restore. */
export async function windowDetail(
  parts: ComparingParts,
  trace: OpenTrace,
  request: Seq,
): Promise<WindowDetail | undefined> {
  const all = trace.index.windowRecords;
  const window = all.find(({ seq }) => seq === request);
  const result = window && (await resultsIn(parts, trace))(window);
  return (
    result && {
      result,
      overlaps: all
        .filter((other) => other !== window && overlap(other, window))
        .map((other) => trace.index.windowView(other)),
    }
  );
}

/** Returns the outcome of each restore of a trace; undefined for a restore that began since. */
export async function resultsIn(
  parts: ComparingParts,
  { connection, index }: OpenTrace,
): Promise<(window: WindowRecord) => RestoreResult | undefined> {
  const compared = await (await parts.fidelities()).restores(connection, []);
  return (window) => {
    const found = compared.find(({ requestSeq }) => requestSeq === window.seq);
    return found && { ...found.result, window: index.windowView(window) };
  };
}

/** Events of a trace are in one order: two windows overlap where neither ends before the other begins. */
function overlap(a: WindowRecord, b: WindowRecord): boolean {
  const endOf = ({ end }: WindowRecord) => (end < 0 ? Infinity : end);
  return a.request < endOf(b) && b.request < endOf(a);
}
