// In which order traces of one session were recorded: by their clocks where all have one, else by
// what they hold: the one that made the session first, then whatever another replays before it.
import { arr, get, objects, str } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import { CLIENT, FLAG, REQ, RES } from '../../model/columns.ts';
import { contentParts, textOf } from '../../model/facts/content-parts.ts';
import { bare } from '../../model/facts/message-text.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import type { IsSure } from './live-fold.ts';

interface Evidence {
  readonly source: IndexedTrace;
  readonly made: boolean;
  readonly live: ReadonlySet<string>;
  readonly replayed: ReadonlySet<string>;
  /** What the first list answer said of it, ISO 8601; empty: nothing. */
  readonly listed: string;
}

export interface Order {
  readonly sources: readonly IndexedTrace[];
  /** Else they stand as given. */
  readonly isSure: IsSure;
}

/** Traces that name the session, the oldest first. */
export function orderOf(sources: readonly IndexedTrace[], sessionId: string): Order {
  if (sources.length < 2) return { sources, isSure: () => true };
  if (sources.every(({ began }) => began !== undefined)) {
    const ordered = sources.toSorted((a, b) => (a.began ?? 0) - (b.began ?? 0));
    return { sources: ordered, isSure: () => true };
  }
  const evidence = new Map(sources.map((source) => [source, evidenceOf(source, sessionId)]));
  const left = [...evidence.values()];
  const ordered: IndexedTrace[] = [];
  while (left.length > 0) {
    const first = left.findIndex(
      (one) => !left.some((other) => other !== one && before(other, one)),
    );
    ordered.push(...left.splice(Math.max(0, first), 1).map(({ source }) => source));
  }
  return {
    sources: ordered,
    isSure: (a, b) => {
      const [one, other] = [evidence.get(a), evidence.get(b)];
      return one !== undefined && other !== undefined && before(one, other);
    },
  };
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
  return { source, made, live, replayed, listed };
}

function entryOf(result: Parameters<typeof objects>[0], sessionId: string) {
  return objects(result, 'sessions').find((one) => str(one, 'sessionId') === sessionId);
}
