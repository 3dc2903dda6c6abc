// The order in which traces were recorded: by their clocks, or where one has none, by what they show of the
// sessions they share.
import { arr, objects, str, get } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import { CLIENT, FLAG, REQ, RES } from '../columns.ts';
import { contentParts, textOf } from '../facts/content-parts.ts';
import { bare } from '../facts/message-text.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { saidBy } from '../timeline/digest.ts';

/** Whether the first is surely older than the second. */
export type IsSure = (a: IndexedTrace, b: IndexedTrace) => boolean;

interface Evidence {
  readonly made: boolean;
  readonly live: ReadonlySet<string>;
  readonly replayed: ReadonlySet<string>;
  /** What the first list answer said of it, ISO 8601; empty: nothing. */
  readonly listed: string;
}

export interface TraceOrder {
  /** The oldest first; as given where nothing tells. */
  readonly sources: readonly IndexedTrace[];
  readonly isSure: IsSure;
}

/** The traces that name a session. */
export interface NamingTraces extends TraceOrder {
  /**
   * Those that made it. A session is made once, so that all but one tell the same once more: they are recordings of
   * one process, as of a tap and of the agent itself, or copies.
   */
  readonly makers: readonly IndexedTrace[];
}

/** Of traces that name the session. */
export function orderOf(sources: readonly IndexedTrace[], sessionId: string): NamingTraces {
  const order = orderBy(sources, [sessionId]);
  return { ...order, makers: order.sources.filter((source) => makes(source, sessionId)) };
}

/** True if the session is made in the trace. */
function makes({ index }: IndexedTrace, sessionId: string): boolean {
  const { columns } = index;
  const session = index.sessionNamed(sessionId);
  const isMaker = (place: number) =>
    columns.kind.get(place) === RES && columns.nameOf(place) === 'session/new';
  return session !== undefined && columns.placesOf(session.index).some(isMaker);
}

/** Of traces that may have sessions in common. */
export function inOrder(sources: readonly IndexedTrace[]): readonly IndexedTrace[] {
  return orderBy(sources, [...sharing(sources).keys()]).sources;
}

/** By each session that several traces name, beside lists of sessions, which those are. */
function sharing(sources: readonly IndexedTrace[]): ReadonlyMap<string, ReadonlySet<IndexedTrace>> {
  const naming = new Map<string, Set<IndexedTrace>>();
  for (const source of sources)
    for (const { sessionId, listedOnly } of source.index.facts().sessions)
      if (!listedOnly) naming.set(sessionId, (naming.get(sessionId) ?? new Set()).add(source));
  return new Map([...naming].filter(([, { size }]) => size > 1));
}

/**
 * Returns traces as sets to be read as one, each with the oldest first. Two traces that share a session are in
 * different sets if nothing says which is older, or if both make the session: they record one process. Other traces
 * whose clocks are known are one set.
 */
export function setsInOrder(
  sources: readonly IndexedTrace[],
): readonly (readonly IndexedTrace[])[] {
  const inCommon = sharing(sources);
  const { sources: ordered, isSure } = orderBy(sources, [...inCommon.keys()]);
  const isClocked = ordered.every(({ began }) => began !== undefined);
  if (isClocked && inCommon.size === 0) return [ordered];
  /** Of each trace, those that share a session; false: both make such a session. */
  const partners = new Map(ordered.map((source) => [source, new Map<IndexedTrace, boolean>()]));
  for (const [session, all] of inCommon) {
    const makers = new Set([...all].filter((source) => makes(source, session)));
    for (const one of all)
      for (const other of all) {
        const isCopy = makers.has(one) && makers.has(other);
        const shared = partners.get(one);
        shared?.set(other, !isCopy && shared.get(other) !== false);
      }
  }
  const sets: IndexedTrace[][] = [];
  for (const source of ordered) {
    const shared = partners.get(source);
    const fits = (other: IndexedTrace) =>
      shared?.has(other) !== true || (shared.get(other) && (isClocked || isSure(other, source)));
    const fitting = sets.find(
      (set) => (isClocked || set.some((other) => shared?.has(other))) && set.every(fits),
    );
    if (fitting) fitting.push(source);
    else sets.push([source]);
  }
  return sets;
}

function orderBy(sources: readonly IndexedTrace[], sessionIds: readonly string[]): TraceOrder {
  if (sources.length < 2) return { sources, isSure: () => true };
  if (sources.every(({ began }) => began !== undefined)) {
    const ordered = sources.toSorted((a, b) => (a.began ?? 0) - (b.began ?? 0));
    return { sources: ordered, isSure: () => true };
  }
  const evidence = new Map(sources.map((source) => [source, evidenceIn(source, sessionIds)]));
  const judged = new Map(sources.map((source) => [source, new Map<IndexedTrace, boolean>()]));
  const judge: IsSure = (a, b) => {
    if (a.began !== undefined && b.began !== undefined) return a.began < b.began;
    let told = 0;
    for (const [sessionId, one] of evidence.get(a) ?? []) {
      const other = evidence.get(b)?.get(sessionId);
      if (other) told += Number(before(one, other)) - Number(before(other, one));
    }
    return told > 0;
  };
  const isSure: IsSure = (a, b) => {
    const sure = judged.get(a)?.get(b) ?? judge(a, b);
    judged.get(a)?.set(b, sure);
    return sure;
  };
  const left = [...sources];
  const ordered: IndexedTrace[] = [];
  while (left.length > 0) {
    const first = left.findIndex(
      (one) => !left.some((other) => other !== one && isSure(other, one)),
    );
    ordered.push(...left.splice(Math.max(0, first), 1));
  }
  return { sources: ordered, isSure };
}

function before(a: Evidence, b: Evidence): boolean {
  if (a.made !== b.made) return a.made;
  const known = shared(b.replayed, a.live) - shared(a.replayed, b.live);
  if (known !== 0) return known > 0;
  return a.listed !== '' && b.listed !== '' && a.listed < b.listed;
}

function shared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const one of some) if (others.has(one)) count++;
  return count;
}

/** By session, of those that the trace names: all in one reading, since files may share thousands. */
function evidenceIn(
  { index, eventAt }: IndexedTrace,
  sessionIds: readonly string[],
): ReadonlyMap<string, Evidence> {
  const { columns } = index;
  const named = sessionIds.filter((id) => index.sessionNamed(id) !== undefined);
  const found = new Map(
    named.map((id) => {
      const [live, replayed] = [new Set<string>(), new Set<string>()];
      return [id, { made: false, live, replayed, listed: '' }];
    }),
  );
  for (let place = 0; place < index.length; place++) {
    const kind = columns.kind.get(place);
    const name = columns.nameOf(place);
    if (kind === RES && name === 'session/list') {
      const message = saidBy(eventAt(place));
      const result = message?.kind === 'success' ? message.result : undefined;
      for (const entry of objects(result, 'sessions')) {
        const known = found.get(str(entry, 'sessionId') ?? '');
        if (known) known.listed ||= str(entry, 'updatedAt') ?? '';
      }
      continue;
    }
    const isMade = kind === RES && name === 'session/new';
    const isPrompt =
      kind === REQ && name === 'session/prompt' && columns.side.get(place) === CLIENT;
    const isUser = name.startsWith('user_message') && columns.has(place, FLAG.replay);
    if (!isMade && !isPrompt && !isUser) continue;
    const known = found.get(index.session(place)?.sessionId ?? '');
    if (!known) continue;
    known.made ||= isMade;
    const message = isMade ? undefined : saidBy(eventAt(place));
    if (message?.kind === 'request')
      known.live.add(bare(textOf(contentParts(arr(message.params, 'prompt')))));
    else if (message?.kind === 'notification') {
      const said = get(updateOf(message.params)?.update, 'content');
      known.replayed.add(bare(textOf(contentParts(said))));
    }
  }
  return found;
}
