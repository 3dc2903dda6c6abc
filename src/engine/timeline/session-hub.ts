// One session over every connection of this browser: the stretches it was lived in, item by item, what
// happened to it, and every restore of it, by the clock. Stored traces that name it are read for it.
import { defined } from '../../lib/defined.ts';
import { known } from '../../lib/time.ts';
import { CLIENT, REQ } from '../../model/columns.ts';
import type { Item } from '../../model/fold/state.ts';
import { sessionsBelow } from '../../model/sessions/session-tree.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { HubChild, HubConnection, HubStretch, SessionHub } from '../messages.ts';
import type { Catalog } from '../library/catalog.ts';
import { restoresOf, type RestoreLibrary } from '../restore/restores.ts';
import type { CellKind } from '../fidelity/strip.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { mayName } from '../traces/sharing.ts';
import { beginnings, byBeginning, openTraceSource } from '../traces/beginnings.ts';
import type { OpenTraces } from '../traces/open-traces.ts';
import { type Lives, sessionHistory } from './session-events.ts';

/** Stored traces that are read to see whether they name the session: no larger, and so many bytes. */
const LARGEST = 8 << 20;
const MOST_BYTES = 32 << 20;

interface Library extends Lives, Pick<RestoreLibrary, 'fidelities'> {
  readonly catalog: Pick<Catalog, 'get' | 'about' | 'summaries'>;
  readonly traces: Pick<OpenTraces, 'all' | 'allWhole' | 'get' | 'whole' | 'release'>;
}

export async function sessionHub(parts: Library, sessionId: string): Promise<SessionHub> {
  const { catalog, traces, looks } = parts;
  const notRead = await readStored(parts, sessionId);
  const restores = await restoresOf(parts, sessionId);
  const all = await traces.allWhole();
  const naming = all.filter(({ index }) => index.sessionNamed(sessionId) !== undefined);
  // Tests of memory restore copies of it: their traces may not name it.
  const restored = new Set(restores.map(({ connection }) => connection));
  const begins = beginnings(
    all.filter((trace) => naming.includes(trace) || restored.has(trace.connection)),
    catalog,
  );
  const clock = (connection: ConnectionId, seq: Seq) => {
    const began = begins.get(connection);
    const index = traces.get(connection)?.index;
    const at = index && known(index.columns.timeOf(index.indexOf(seq)));
    return began === undefined || at === undefined ? undefined : began + at;
  };
  const connections: HubConnection[] = [];
  for (const trace of byBeginning(naming, catalog)) {
    const { sessions } = trace.index.facts();
    const named = sessions.find((one) => one.sessionId === sessionId);
    if (named === undefined || named.listedOnly) continue;
    const { connection } = trace;
    const lived = await stretchesIn(looks, trace, sessionId);
    const stretches = lived.map((stretch): HubStretch => {
      const from = stretch.items[0];
      const at = from && clock(connection, from);
      return { ...stretch, ...defined({ at, to: clock(connection, stretch.last) }) };
    });
    const children: HubChild[] = [];
    for (const { session, depth } of sessionsBelow(sessions, named)) {
      const lived = await stretchesIn(looks, trace, session.sessionId, sessionId);
      const items = lived.flatMap((stretch) => stretch.items);
      const [begin, end] = [items[0], lived.at(-1)?.last];
      const from = begin && clock(connection, begin);
      const to = end && clock(connection, end);
      if (from === undefined || to === undefined) continue;
      children.push({ sessionId: session.sessionId, depth, items: items.length, from, to });
    }
    const { first, last } = named;
    connections.push({
      ...{ connection, began: begins.get(connection) ?? 0, first, last, stretches, children },
      ...(openTraceSource(trace, catalog).began === undefined && { isClockless: true as const }),
      prompts: promptsOf(trace, sessionId).map((seq) => clock(connection, seq) ?? 0),
      ...defined({
        from: clock(connection, first),
        to: clock(connection, last),
        ended:
          trace.index.length > 0
            ? clock(connection, trace.index.columns.seqOf(trace.index.length - 1))
            : undefined,
      }),
    });
  }
  return {
    connections,
    events: await sessionHistory(parts, sessionId),
    restores: restores.map((result) => {
      const at = clock(result.connection, result.window.request);
      const ofCopy = result.window.sessionId === sessionId ? undefined : (true as const);
      return { ...result, ...defined({ at, ofCopy }) };
    }),
    notRead,
  };
}

/** What was said and done live, cut where a restore begins: of `root`, where it is a child of that. */
async function stretchesIn(
  looks: Lives['looks'],
  trace: OpenTrace,
  sessionId: string,
  root = sessionId,
): Promise<readonly Omit<HubStretch, 'at' | 'to'>[]> {
  const { index } = trace;
  const { folds } = await looks.of(trace);
  const requests = index.windowRecords
    .filter(({ session }) => session.sessionId === root)
    .map(({ seq }) => seq);
  const stretches: Omit<HubStretch, 'at' | 'to'>[] = [];
  let from = 0;
  // With a load, a client forgets what it held: what was lived before is read before it.
  for (const to of [...requests, Infinity]) {
    const before = to === Infinity ? index.length : index.indexOf(seq(to));
    const { items } = await folds.stateBefore(sessionId, before);
    const lived = items
      .slice(0, items.length)
      .filter((item) => item.first >= from && item.first < to && isLived(item));
    const turns = lived.filter(({ body }) => body.type === 'message' && body.role === 'user');
    const firsts = (of: readonly Item[]) => of.map(({ first }) => first);
    const [end] = lived.map(({ last }) => last).toSorted((a, b) => b - a);
    if (end) {
      const kinds = lived.map(kindOf);
      stretches.push({ items: firsts(lived), kinds, turns: firsts(turns), last: end });
    }
    from = to;
  }
  return stretches;
}

const kindOf = ({ body }: Item): CellKind => (body.type === 'message' ? body.role : 'tool');

/** What a restore is counted in too: messages and tool calls. */
function isLived({ body, replay, late }: Item): boolean {
  return !replay && !late && ['message', 'tool'].includes(body.type);
}

function promptsOf({ index }: OpenTrace, sessionId: string): readonly Seq[] {
  const { columns } = index;
  const found: Seq[] = [];
  for (let place = 0; place < columns.length; place++) {
    const isAsked = columns.kind.get(place) === REQ && columns.side.get(place) === CLIENT;
    if (!isAsked || columns.nameOf(place) !== 'session/prompt') continue;
    if (index.session(place)?.sessionId === sessionId) found.push(columns.seqOf(place));
  }
  return found;
}

/** Reads stored traces that may name it. How many were too large to be looked through. */
export async function readStored(
  { catalog, traces }: Pick<Library, 'catalog' | 'traces'>,
  sessionId: string,
): Promise<number> {
  const all = await traces.allWhole();
  const naming = all.find(({ index }) => index.sessionNamed(sessionId) !== undefined);
  const agent = naming && catalog.get(naming.connection)?.agent;
  let left = MOST_BYTES;
  let notRead = 0;
  for (const summary of catalog.summaries()) {
    const { connection, stored } = summary;
    if (traces.get(connection) !== undefined) continue;
    const trace = catalog.get(connection);
    if (trace && !mayName(trace, [sessionId])) continue;
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
