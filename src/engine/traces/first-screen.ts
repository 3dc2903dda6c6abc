// What the timeline of a stored trace shows until the trace is read: its counts, and its first rows.
import { defined } from '../../lib/defined.ts';
import type { RowView } from '../../model/timeline/row-view.ts';
import type { TimelineFacts } from '../../model/timeline/timeline-facts.ts';
import type { TraceIndex } from '../../model/trace-index.ts';
import type { LineStore } from './line-store.ts';

/** A trace that is read. */
interface ReadTrace {
  readonly index: TraceIndex;
  readonly lines: LineStore;
}

/** More than a high screen shows. */
const ROWS = 160;

/**
 * Another number whenever rows or their facts have another form: what was kept in another one is not shown.
 * `first-screen.test.ts` fails where that is forgotten.
 */
export const SCREEN_VERSION = 5;

export interface FirstScreen {
  readonly version: number;
  readonly facts: TimelineFacts;
  readonly rows: readonly RowView[];
}

/** Without a query. Loads what makes rows. */
export async function firstScreens(): Promise<(trace: ReadTrace) => FirstScreen> {
  const { TimelineView } = await import('../../model/timeline/timeline-view.ts');
  return ({ index, lines }) => {
    const view = new TimelineView(index, (at) => lines.event(at));
    const rows = view.rows(0, ROWS);
    return { version: SCREEN_VERSION, facts: view.state(), rows: rows.map(ofFrames) };
  };
}

/** As the database gives it back; undefined: it is of another form. */
export function believed(kept: unknown): FirstScreen | undefined {
  const first = kept as FirstScreen | undefined;
  return first?.version === SCREEN_VERSION ? first : undefined;
}

/** Findings and marks come later, also where nothing was kept: what is said of a frame may be another by then. */
function ofFrames(row: RowView): RowView {
  const said = { findings: undefined, ...(row.type === 'frame' && { mark: undefined }) };
  return defined({ ...row, ...said }) as RowView;
}
