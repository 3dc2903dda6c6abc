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

/** Of traces that name the session. */
export function orderOf(sources: readonly IndexedTrace[], sessionId: string): TraceOrder {
  return orderBy(sources, [sessionId]);
}

/** Of traces that may have sessions in common. */
export function inOrder(sources: readonly IndexedTrace[]): readonly IndexedTrace[] {
  const named = sources.flatMap(({ index }) =>
    index.facts().sessions.flatMap(({ sessionId, listedOnly }) => (listedOnly ? [] : sessionId)),
  );
  return orderBy(sources, [...new Set(named.filter((id, at) => named.indexOf(id) !== at))]).sources;
}

function orderBy(sources: readonly IndexedTrace[], sessionIds: readonly string[]): TraceOrder {
  if (sources.length < 2) return { sources, isSure: () => true };
  if (sources.every(({ began }) => began !== undefined)) {
    const ordered = sources.toSorted((a, b) => (a.began ?? 0) - (b.began ?? 0));
    return { sources: ordered, isSure: () => true };
  }
  const evidence = sessionIds.map(
    (id) =>
      new Map(
        sources.flatMap((source) =>
          source.index.sessionNamed(id) ? [[source, evidenceOf(source, id)]] : [],
        ),
      ),
  );
  const isSure: IsSure = (a, b) => {
    if (a.began !== undefined && b.began !== undefined) return a.began < b.began;
    let told = 0;
    for (const known of evidence) {
      const [one, other] = [known.get(a), known.get(b)];
      if (one && other) told += Number(before(one, other)) - Number(before(other, one));
    }
    return told > 0;
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

function evidenceOf(source: IndexedTrace, sessionId: string): Evidence {
  const { index, eventAt } = source;
  const { columns } = index;
  const live = new Set<string>();
  const replayed = new Set<string>();
  let made = false;
  let listed = '';
  for (let place = 0; place < index.length; place++) {
    const kind = columns.kind.get(place);
    const name = columns.nameOf(place);
    const isOurs = index.session(place)?.sessionId === sessionId;
    const isList = kind === RES && name === 'session/list' && listed === '';
    const isPrompt =
      kind === REQ && name === 'session/prompt' && columns.side.get(place) === CLIENT;
    const isUser = name.startsWith('user_message') && columns.has(place, FLAG.replay);
    made ||= isOurs && kind === RES && name === 'session/new';
    if (!isList && !(isOurs && (isPrompt || isUser))) continue;
    const event = eventAt(place);
    const message = saidBy(event);
    if (message?.kind === 'success')
      listed = str(entryOf(message.result, sessionId), 'updatedAt') ?? '';
    else if (message?.kind === 'request')
      live.add(bare(textOf(contentParts(arr(message.params, 'prompt')))));
    else if (message?.kind === 'notification') {
      const said = get(updateOf(message.params)?.update, 'content');
      replayed.add(bare(textOf(contentParts(said))));
    }
  }
  return { made, live, replayed, listed };
}

function entryOf(result: Parameters<typeof objects>[0], sessionId: string) {
  return objects(result, 'sessions').find((one) => str(one, 'sessionId') === sessionId);
}
