// Which trace lived what a restore replays, told without reading a frame or comparing anything: of a million
// frames a report takes half a minute and holds 700 MB.
import { BAD } from '../columns.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { Kin, LiveParts } from './live-part.ts';
import { historyAt, Numbering } from './numbering.ts';

interface Step {
  readonly source: IndexedTrace;
  readonly place: number;
}

/** Returns the trace with the first frame that was live before this window; undefined if there is none. */
export function livedIn(
  sources: readonly IndexedTrace[],
  source: IndexedTrace,
  window: WindowRecord,
): ConnectionId | undefined {
  const kin = new Kin(sources);
  return firstBefore(new LiveParts(sources, new Numbering(), kin), kin, source, window);
}

function firstBefore(
  lives: LiveParts,
  kin: Kin,
  source: IndexedTrace,
  window: WindowRecord,
): ConnectionId | undefined {
  const sessionId = source.index.session(window.request)?.sessionId;
  if (sessionId === undefined) return undefined;
  const fork = lives.forkOf(sessionId);
  const inherited = fork && firstBefore(lives, kin, ...fork);
  if (inherited !== undefined) return inherited;
  const { sources } = lives.orderOf(kin.above(sessionId).at(-1) ?? sessionId, source);
  const isBefore = earlierIn(sources);
  let first: Step = { source, place: window.request };
  for (const one of sources) {
    const live = firstLive(one, sessionId);
    if (live && isBefore(live, first)) first = live;
  }
  return first.place === window.request && first.source === source
    ? undefined
    : first.source.connection;
}

/** By time if every trace knows when it began, else by the order of the traces. */
function earlierIn(sources: readonly IndexedTrace[]): (a: Step, b: Step) => boolean {
  const haveTimes = sources.every(({ began }) => began !== undefined);
  const timeOf = ({ source: { began = 0, index }, place }: Step) =>
    haveTimes ? began + index.columns.at.get(place) : 0;
  const nth = ({ source }: Step) => sources.indexOf(source);
  return (a, b) => (timeOf(a) - timeOf(b) || nth(a) - nth(b) || a.place - b.place) < 0;
}

/** Returns the first frame of the session that is not part of a restore. */
function firstLive(source: IndexedTrace, sessionId: string): Step | undefined {
  const { index } = source;
  const { session, kind } = index.columns;
  const own = index.sessionNamed(sessionId)?.index;
  if (own === undefined) return undefined;
  for (let place = 0; place < index.length; place++) {
    const isOwn = session.get(place) === own + 1 && kind.get(place) <= BAD;
    if (isOwn && !index.window(place) && !historyAt(source, place)) return { source, place };
  }
  return undefined;
}
