// One session's frames on every connection of this browser, in the order of the clock: its rows of
// each trace, as that trace's own timeline would show them, one below the other.
import { known } from '../../lib/time.ts';
import { TimelineView } from '../../model/timeline/timeline-view.ts';
import type { RowView } from '../../model/timeline/row-view.ts';
import type { Catalog } from '../library/catalog.ts';
import type { AcrossRow, SessionTimeline } from '../messages.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { OpenTraces } from '../traces/open-traces.ts';

/** Stored traces that are read to see whether they name the session: no larger, and so many bytes. */
const LARGEST = 8 << 20;
const MOST_BYTES = 32 << 20;

interface Library {
  readonly catalog: Pick<Catalog, 'get' | 'summaries'>;
  readonly traces: Pick<OpenTraces, 'all' | 'get' | 'whole' | 'release'>;
}

export async function sessionTimeline(
  { catalog, traces }: Library,
  sessionId: string,
  most: number,
): Promise<SessionTimeline> {
  const notRead = await readStored({ catalog, traces }, sessionId);
  const rows: AcrossRow[] = [];
  let connections = 0;
  for (const trace of traces.all()) {
    const chip = trace.index.sessionNamed(sessionId)?.facts.chip;
    const stored = catalog.get(trace.connection);
    if (chip === undefined || stored === undefined) continue;
    const began = Date.parse(stored.startedAt);
    const found = rowsOf(trace, chip);
    if (found.length === 0) continue;
    connections++;
    for (const row of found) {
      const at = trace.index.columns.timeOf(trace.index.indexOf(row.seq));
      const wall = (known(began) ?? 0) + (known(at) ?? 0);
      rows.push({ connection: trace.connection, number: stored.number, wall, row });
    }
  }
  // Rows of one trace stay in its order, also where its clock went back.
  const sorted = merged(rows);
  return { rows: sorted.slice(0, most), total: rows.length, connections, notRead };
}

function rowsOf({ index, lines }: OpenTrace, chip: string): readonly RowView[] {
  const view = new TimelineView(index, (at) => lines.event(at), { searched: lines });
  // Where no line is searched it holds at once.
  void view.setQuery(`session:${chip}`);
  return view.rows(0, view.state().rows);
}

function merged(rows: readonly AcrossRow[]): readonly AcrossRow[] {
  let latest = -Infinity;
  let of: AcrossRow['connection'] | undefined;
  const keyed = rows.map((row) => {
    latest = row.connection === of ? Math.max(latest, row.wall) : row.wall;
    of = row.connection;
    return { row, key: latest };
  });
  return keyed.toSorted((a, b) => a.key - b.key).map(({ row }) => row);
}

/** Reads stored traces that may name it. How many were too large to be looked through. */
async function readStored({ catalog, traces }: Library, sessionId: string): Promise<number> {
  const known = traces.all().find(({ index }) => index.sessionNamed(sessionId) !== undefined);
  const agent = known && catalog.get(known.connection)?.agent;
  let left = MOST_BYTES;
  let notRead = 0;
  for (const summary of catalog.summaries()) {
    const { connection, stored } = summary;
    if (traces.get(connection) !== undefined) continue;
    // Another agent cannot know it.
    if (agent !== undefined && summary.agent !== undefined && summary.agent !== agent) continue;
    if (stored > LARGEST || stored > left) {
      notRead++;
      continue;
    }
    left -= stored;
    const { index } = await traces.whole(connection);
    if (index.sessionNamed(sessionId) === undefined) traces.release(connection);
  }
  return notRead;
}
