// What the diff view compares, as one word of an address: `c1~c2~frames~q:is:live~t:2~c2~c3`. Left, right,
// view, the part of each, and where there are more than two, all that are compared with the left; what
// stands at the end may be left out.
import type { DiffView, Slice } from '../../diff/traces/report/report.ts';
import { connectionId, seq, type ConnectionId } from '../../trace/event.ts';
import { decode } from '../route.ts';

export interface DiffPair {
  readonly left?: ConnectionId;
  readonly right?: ConnectionId;
  readonly view: DiffView;
  readonly leftPart?: Slice;
  /** Of each of the others, where there are several. */
  readonly rightPart?: Slice;
  /**
   * More than one: all that are compared with the left. Without a right one, as a table; with it, the
   * table is where one came from.
   */
  readonly among?: readonly ConnectionId[];
}

export const DIFF_VIEW_LABELS: readonly { readonly value: DiffView; readonly label: string }[] = [
  { value: 'story', label: 'Story' },
  { value: 'frames', label: 'Frames' },
  { value: 'state', label: 'State' },
  { value: 'timing', label: 'Timing' },
  { value: 'handshake', label: 'Handshake' },
];

export function formatPair(pair: DiffPair): string {
  const { left, right, view, leftPart, rightPart, among = [] } = pair;
  const shown = view === 'story' ? '' : view;
  const words = [left ?? '', right ?? '', shown, partWord(leftPart), partWord(rightPart)];
  const parts = [...words, ...among];
  while (parts.at(-1) === '') parts.pop();
  return parts.map((part) => encodeURIComponent(part).replaceAll('~', '%7E')).join('~');
}

/** What says nothing sensible is left out. */
export function parsePair(word: string | undefined): DiffPair {
  const words = (word ?? '').split('~').map(decode);
  const [left, right, shown, leftWord, rightWord, ...more] = words;
  const named = new Set(more.filter((one) => one !== '' && one !== left));
  const view = DIFF_VIEW_LABELS.find(({ value }) => value === shown)?.value ?? 'story';
  const [leftPart, rightPart] = [partOf(leftWord), partOf(rightWord)];
  return {
    view,
    ...(left && { left: connectionId(left) }),
    ...(right && { right: connectionId(right) }),
    ...(leftPart && { leftPart }),
    ...(rightPart && { rightPart }),
    ...(named.size > 1 && { among: [...named].map(connectionId) }),
  };
}

/** The right takes the place of the left. */
export function swapped(pair: DiffPair): DiffPair {
  const { left, right, leftPart, rightPart, among, ...same } = pair;
  return {
    ...same,
    ...(right && { left: right }),
    ...(left && { right: left }),
    ...(rightPart && { leftPart: rightPart }),
    ...(leftPart && { rightPart: leftPart }),
    ...(among && left && { among: among.map((one) => (one === right ? left : one)) }),
  };
}

/** Several, as a table. */
export function isTable({ right, among = [] }: DiffPair): boolean {
  return right === undefined && among.length > 0;
}

/** One more that is compared with the left. */
export function withOther(pair: DiffPair, other: ConnectionId): DiffPair {
  const { right, among = right === undefined ? [] : [right], ...same } = pair;
  return compared(same, [...among.filter((one) => one !== other), other]);
}

export function withoutOther({ right: _, among = [], ...same }: DiffPair, other: ConnectionId) {
  return compared(
    same,
    among.filter((one) => one !== other),
  );
}

/** So many places further to the right, or to the left. */
export function movedOther(pair: DiffPair, other: ConnectionId, by: 1 | -1): DiffPair {
  const among = [...(pair.among ?? [])];
  const [from, to] = [among.indexOf(other), among.indexOf(other) + by];
  const there = among[to];
  if (from < 0 || there === undefined) return pair;
  among[from] = there;
  among[to] = other;
  return { ...pair, among };
}

/** All are compared with this one. */
export function withFirst(pair: DiffPair, first: ConnectionId): DiffPair {
  const { left, among, leftPart: _, ...same } = pair;
  if (!among) return { ...same, left: first };
  const others = among
    .map((one) => (one === first ? left : one))
    .filter((one) => one !== undefined);
  return compared({ ...same, left: first }, others);
}

/** One other is a pair, more are a table. */
function compared(pair: DiffPair, others: readonly ConnectionId[]): DiffPair {
  const [only] = others;
  if (others.length > 1) return { ...pair, among: others };
  return only === undefined ? pair : { ...pair, right: only };
}

/** `turn 2`, `is:live`, `#33`, `#3–#12`; empty: the whole. */
export function partWords({ query, turn, from, to }: Slice = {}): string {
  const frames =
    from === to ? `#${to}` : `#${from ?? 1}–${to === undefined ? 'the end' : `#${to}`}`;
  const words = [
    turn !== undefined && `turn ${turn}`,
    query,
    (from !== undefined || to !== undefined) && frames,
  ];
  return words.filter((part) => part).join(' ');
}

function partWord({ query, turn, from, to }: Slice = {}): string {
  if (query !== undefined) return `q:${query}`;
  if (turn !== undefined) return `t:${turn}`;
  return from === undefined && to === undefined ? '' : `f:${from ?? ''}-${to ?? ''}`;
}

function partOf(word: string | undefined): Slice | undefined {
  const [, kind, rest = ''] = /^([qtf]):(.+)$/s.exec(word ?? '') ?? [];
  if (kind === 'q') return { query: rest };
  if (kind === 't') return /^[1-9]\d{0,8}$/.test(rest) ? { turn: Number(rest) } : undefined;
  const [, from = '', to = ''] = /^(\d{0,15})-(\d{0,15})$/.exec(rest) ?? [];
  if (from === '' && to === '') return undefined;
  return {
    ...(from !== '' && { from: seq(Number(from)) }),
    ...(to !== '' && { to: seq(Number(to)) }),
  };
}
