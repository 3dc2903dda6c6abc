// A rerun that is over, compared with its recording once more by other terms: both traces are kept, so
// it need not be run again.
import { divergenceOf } from '../../drive/replay/divergence.ts';
import { Folders } from '../../drive/replay/bindings.ts';
import { readRecorded, recordedCwd } from '../../drive/replay/recorded.ts';
import { DEFAULT_IGNORE } from '../../model/sessions/compare-terms.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { loaded } from '../traces/api-annotations.ts';
import type { Parts } from '../parts.ts';
import type { RerunTerms } from './rerun-messages.ts';
import { rerunRows } from './rerun-rows.ts';
import { eventsOf, overOf, type KnownRerun } from './rerun-run.ts';

/** The same where it is under way, or one of the traces is not here any more. */
export async function comparedBy(
  parts: Parts,
  known: KnownRerun,
  terms: RerunTerms,
): Promise<KnownRerun> {
  const { view, report } = known;
  if (!report || isUsual(terms)) return known;
  const recording = parts.catalog.get(view.recording);
  const rerun = view.rerun && parts.catalog.get(view.rerun);
  if (!recording || !rerun) return known;
  const [was, is] = await Promise.all([loaded(parts, recording), loaded(parts, rerun)]);
  const [before, after] = [eventsOf(was), eventsOf(is)];
  const divergence = await divergenceOf(before, after, foldersOf(before, after), terms);
  return overOf(
    { run: report.run, divergence },
    rerunRows(divergence.story, { isOver: true }),
    view,
  );
}

function isUsual({ ignore, raw }: RerunTerms): boolean {
  return raw.length === 0 && JSON.stringify(ignore) === JSON.stringify(DEFAULT_IGNORE);
}

/** The folder of the first session then, and the one it has now. */
function foldersOf(before: readonly TraceEvent[], after: readonly TraceEvent[]): Folders {
  const folders = new Folders();
  const [was, is] = [before, after].map((events) => recordedCwd(readRecorded(events)));
  if (was !== undefined && is !== undefined) folders.bind(was, is);
  return folders;
}
