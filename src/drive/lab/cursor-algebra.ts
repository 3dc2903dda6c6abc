// What must hold between replays of one session, if an agent takes cursors into it. With R the replay
// from the start, and R(k) the one from item k: R(k) is a tail of R, begins with k itself (cursors are
// inclusive), is the same when asked twice, is the shorter the later k is, and asking changes nothing.
import { count } from '../../lib/format.ts';
import type { Seq } from '../../trace/event.ts';
import { difference, isSameItem, replayedWords, type ReplayedItem } from '../replayed-items.ts';

/** What came of one restore. */
export type CursorReplay = {
  /** The record it lies in, and its request there. */
  readonly trace: string;
  readonly requestSeq: Seq | undefined;
} & ({ readonly items: readonly ReplayedItem[] } | { readonly rejected: string });

export interface CursorAsked {
  /** The id of the item it names. */
  readonly names: string;
  /** `replayFrom` as it was sent. */
  readonly cursor: string;
  readonly first: CursorReplay;
  readonly again: CursorReplay;
}

export interface CursorReplays {
  readonly start: CursorReplay;
  readonly cursors: readonly CursorAsked[];
  /** From the start once more, after all others. */
  readonly end: CursorReplay;
}

const LAWS = ['suffix', 'inclusive', 'stable', 'monotone', 'no-side-effect'] as const;
export type Law = (typeof LAWS)[number];

export interface LawResult {
  readonly law: Law;
  readonly verdict: 'holds' | 'fails' | 'undecidable';
  /** One clause; of a failure the first. */
  readonly why: string;
  /** Places of the cursors that break it. */
  readonly broken: readonly number[];
}

export function cursorLaws(replays: CursorReplays): readonly LawResult[] {
  const start = itemsIn(replays.start);
  const taken = replays.cursors.flatMap(({ first }, place) => {
    const items = itemsIn(first);
    return items === undefined ? [] : [{ place, items }];
  });
  return LAWS.map((law) => {
    if (law === 'no-side-effect') return sideEffect(replays);
    if (law === 'stable') {
      const result = each(law, replays, (asked) => isStable(asked));
      if (taken.length > 0 || result.verdict !== 'holds') return result;
      return { ...result, why: 'every cursor was rejected both times' };
    }
    if (start === undefined || taken.length === 0) return undecidable(law, replays);
    const asked = (place: number) => replays.cursors[place]?.names ?? '';
    if (law === 'monotone') return monotone(start, taken, asked);
    return each(law, replays, (cursor) => {
      const items = itemsIn(cursor.first);
      if (items === undefined) return undefined;
      return law === 'suffix' ? isSuffix(start, items) : isInclusive(cursor, items);
    });
  });
}

export function itemsIn(replay: CursorReplay): readonly ReplayedItem[] | undefined {
  return 'items' in replay ? replay.items : undefined;
}

/** Undefined: it holds; else what is wrong. */
type Fault = string | undefined;

function each(
  law: Law,
  { cursors }: CursorReplays,
  fault: (asked: CursorAsked) => Fault,
): LawResult {
  const faults = cursors.map((asked) => fault(asked));
  const broken = faults.flatMap((why, place) => (why === undefined ? [] : [place]));
  const [first = -1] = broken;
  const why = faults[first];
  if (why !== undefined) return { law, verdict: 'fails', why, broken };
  return { law, verdict: 'holds', why: HOLDS[law], broken };
}

const HOLDS: Readonly<Record<Law, string>> = {
  suffix: 'every replay from a cursor is a tail of the one from the start',
  inclusive: 'every replay begins with the item that its cursor names',
  stable: 'every cursor brought the same twice',
  monotone: 'the later the cursor, the shorter the replay',
  'no-side-effect': 'the last replay from the start was the same as the first',
};

function undecidable(law: Law, { start, cursors }: CursorReplays): LawResult {
  const why =
    itemsIn(start) === undefined
      ? 'there was no replay from the start to compare with'
      : cursors.length === 0
        ? 'the replay from the start names nothing that could be a cursor'
        : 'no cursor was taken';
  return { law, verdict: 'undecidable', why, broken: [] };
}

function isSuffix(start: readonly ReplayedItem[], items: readonly ReplayedItem[]): Fault {
  const from = start.length - items.length;
  if (from < 0) return `${count(items.length, 'item')} came, the start gives ${start.length}`;
  const at = items.findIndex((item, i) => {
    const other = start[from + i];
    return other === undefined || !isSameItem(item, other);
  });
  const item = items[at];
  return item === undefined
    ? undefined
    : `${replayedWords(item)} is not what the replay from the start has there`;
}

function isInclusive({ names }: CursorAsked, [first]: readonly ReplayedItem[]): Fault {
  if (first?.id === names) return undefined;
  return first === undefined
    ? `nothing came for ${names}, which is due itself`
    : `begins with ${replayedWords(first)}, not with ${names} itself`;
}

function isStable({ first, again, names }: CursorAsked): Fault {
  const [one, two] = [itemsIn(first), itemsIn(again)];
  if (one === undefined && two === undefined) return undefined;
  if (one === undefined || two === undefined) return `${names} was taken once and rejected once`;
  const fault = difference(one, two);
  return fault === undefined ? undefined : `the second time, ${fault}`;
}

function monotone(
  start: readonly ReplayedItem[],
  taken: readonly { readonly place: number; readonly items: readonly ReplayedItem[] }[],
  names: (place: number) => string,
): LawResult {
  const law = 'monotone';
  const ordered = taken
    .map((one) => ({ ...one, at: start.findIndex(({ id }) => id === names(one.place)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const broken: number[] = [];
  let why = '';
  for (const [i, later] of ordered.entries()) {
    const earlier = ordered[i - 1];
    if (earlier === undefined || earlier.at === later.at) continue;
    if (later.items.length < earlier.items.length) continue;
    broken.push(later.place);
    why ||= `${names(later.place)} is later than ${names(earlier.place)}, yet brought ${later.items.length} items after ${earlier.items.length}`;
  }
  if (broken.length > 0) return { law, verdict: 'fails', why, broken };
  if (ordered.length < 2)
    return { law, verdict: 'undecidable', why: 'fewer than two cursors were taken', broken };
  return { law, verdict: 'holds', why: HOLDS[law], broken };
}

function sideEffect({ start, end }: CursorReplays): LawResult {
  const law = 'no-side-effect';
  const [one, two] = [itemsIn(start), itemsIn(end)];
  if (one === undefined)
    return { law, verdict: 'undecidable', why: 'there was no replay from the start', broken: [] };
  if (two === undefined)
    return {
      law,
      verdict: 'fails',
      why: 'the last replay from the start was rejected',
      broken: [],
    };
  const fault = difference(one, two);
  return fault === undefined
    ? { law, verdict: 'holds', why: HOLDS[law], broken: [] }
    : { law, verdict: 'fails', why: `replayed from the start again, ${fault}`, broken: [] };
}
