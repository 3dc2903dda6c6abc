// Two traces that are compared, as one word of an address: `c1~c2~frames~q:is:live~t:2`. Left, right,
// view, and the part of each; an empty end may be omitted.
import type { DiffView, Slice } from '../../diff/traces/report/report.ts';
import { LIVE_PART, REPLAYED_PART } from '../../model/sessions/compare-terms.ts';
import { connectionId, seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import { decode } from '../route.ts';

export interface DiffPair {
  readonly left?: ConnectionId;
  readonly right?: ConnectionId;
  readonly view: DiffView;
  readonly leftPart?: Slice;
  readonly rightPart?: Slice;
}

export const DIFF_VIEW_LABELS: readonly { readonly value: DiffView; readonly label: string }[] = [
  { value: 'story', label: 'Story' },
  { value: 'frames', label: 'Frames' },
  { value: 'state', label: 'State' },
  { value: 'handshake', label: 'Handshake' },
];

export function formatPair(pair: DiffPair): string {
  const { left, right, view, leftPart, rightPart } = pair;
  const shown = view === 'story' ? '' : view;
  const parts = [left ?? '', right ?? '', shown, partWord(leftPart), partWord(rightPart)];
  while (parts.at(-1) === '') parts.pop();
  return parts.map((part) => encodeURIComponent(part).replaceAll('~', '%7E')).join('~');
}

/** What says nothing sensible is left out. */
export function parsePair(word: string | undefined): DiffPair {
  const words = (word ?? '').split('~').map(decode);
  const [left, right, shown, leftWord, rightWord] = words;
  const view = DIFF_VIEW_LABELS.find(({ value }) => value === shown)?.value ?? 'story';
  const [leftPart, rightPart] = [partOf(leftWord), partOf(rightWord)];
  return {
    view,
    ...(left && { left: connectionId(left) }),
    ...(right && { right: connectionId(right) }),
    ...(leftPart && { leftPart }),
    ...(rightPart && { rightPart }),
  };
}

/** The right takes the place of the left. */
export function swapped(pair: DiffPair): DiffPair {
  const { left, right, leftPart, rightPart, ...same } = pair;
  return {
    ...same,
    ...(right && { left: right }),
    ...(left && { right: left }),
    ...(rightPart && { leftPart: rightPart }),
    ...(leftPart && { rightPart: leftPart }),
  };
}

/** A replay that a pair of parts names: the trace, and the request if one is named. */
interface NamedReplay {
  readonly connection: ConnectionId;
  readonly request?: Seq;
}

/** Returns the replay if the parts are a live part and a replayed part; undefined for other pairs. */
export function replayIn({ left, right, leftPart, rightPart }: DiffPair): NamedReplay | undefined {
  const [one, other] = [leftPart?.query ?? '', rightPart?.query ?? ''];
  const isLive = (query: string) => query.startsWith(LIVE_PART);
  const [query, connection] = isLive(one) ? [other, right] : isLive(other) ? [one, left] : [''];
  if (!connection || !query) return undefined;
  const [, request] = /^window:#(\d+)(?: is:replay,late)?$/.exec(query) ?? [];
  if (request !== undefined) return { connection, request: seq(Number(request)) };
  return query.startsWith(REPLAYED_PART) ? { connection } : undefined;
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
