// Exchanges and turns as spans of time: of a part of the trace the longest, in their order.
import { known, millis, type Millis } from '../../lib/time.ts';
import type { Seq, Side } from '../../trace/event.ts';
import { REQ, type Columns } from '../columns.ts';
import { asleepBetween } from '../facts/sleeps.ts';
import { ends } from '../timeline/density.ts';
import { exchangeEnd } from '../timeline/exchange-end.ts';
import type { TraceIndex } from '../trace-index.ts';
import { answererOf } from './methods.ts';
import type { TurnStats } from './stats.ts';

export interface Span {
  readonly begin: Seq;
  /** Absent: there is no answer. */
  readonly end?: Seq;
  /** The method; of a turn that no single exchange is: absent. */
  readonly method?: string;
  readonly side: Side;
  /** `S1`; empty: it names no session. */
  readonly session: string;
  readonly from: Millis;
  readonly to: Millis;
  /** Without what a machine slept of it. */
  readonly took: Millis;
  /** Whom it waited for; `turn`: the work on a prompt, or what the agent began by itself. */
  readonly by: Side | 'person' | 'restore' | 'turn';
  readonly state: 'done' | 'failed' | 'open';
  /** Of a turn. */
  readonly toFirst?: Millis;
}

export interface WaterfallAsk {
  /** Of this part of the time; absent: from its first moment, to its last. */
  readonly from?: number;
  readonly to?: number;
  readonly most: number;
}

export interface WaterfallView {
  /** Of the whole trace; `NO_TIME` where it has none. */
  readonly from: Millis;
  readonly to: Millis;
  /** The longest that lie in the part asked for, by their begin. */
  readonly spans: readonly Span[];
  /** All that do. */
  readonly total: number;
}

interface Found {
  readonly place: number;
  /** A turn by its number, where the place is not one of an exchange. */
  readonly turn: TurnStats | undefined;
  readonly took: number;
}

export function waterfall(
  index: TraceIndex,
  turns: readonly TurnStats[],
  { from = -Infinity, to = Infinity, most }: WaterfallAsk,
): WaterfallView {
  const { columns } = index;
  const [first, last] = ends(index);
  const turnAt = new Map(turns.map((turn) => [columns.indexOf(turn.begin), turn]));
  const found: Found[] = [];
  let kept: Found[] = [];
  let total = 0;
  const see = (place: number, turn: TurnStats | undefined): void => {
    const [begin, end] = [columns.at.get(place), endOf(index, place, turn, last)];
    if (!(begin <= to && end >= from)) return;
    total++;
    found.push({ place, turn, took: tookOf(index, place, turn, last) });
    if (found.length < 4 * Math.max(most, 256)) return;
    kept = longest([...kept, ...found.splice(0)], most);
  };
  for (let place = 0; place < columns.length; place++) {
    const turn = turnAt.get(place);
    if (turn || columns.kind.get(place) === REQ) see(place, turn);
  }
  const spans = longest([...kept, ...found], most)
    .sort((a, b) => a.place - b.place)
    .map(({ place, turn }) => spanAt(index, place, turn, last));
  return { from: millis(first), to: millis(last), spans, total };
}

function longest(found: readonly Found[], most: number): Found[] {
  return found.toSorted((a, b) => b.took - a.took).slice(0, most);
}

function endOf(
  index: TraceIndex,
  place: number,
  turn: TurnStats | undefined,
  last: number,
): number {
  const { columns } = index;
  if (columns.kind.get(place) !== REQ)
    return turn ? endOfTurn(columns, turn) : columns.at.get(place);
  return Math.max(columns.at.get(place), known(columns.at.get(exchangeEnd(index, place))) ?? last);
}

function tookOf(
  index: TraceIndex,
  place: number,
  turn: TurnStats | undefined,
  last: number,
): Millis {
  const { columns, sleeps } = index;
  const isTurn = columns.kind.get(place) !== REQ && turn !== undefined;
  const answer = isTurn ? columns.indexOf(turn.end) : columns.partnerOf(place);
  const length = endOf(index, place, turn, last) - columns.at.get(place);
  return millis(length - (length > 0 ? asleepBetween(sleeps, place, answer ?? Infinity) : 0));
}

function spanAt(index: TraceIndex, place: number, turn: TurnStats | undefined, last: number): Span {
  const { columns } = index;
  const from = columns.timeOf(place);
  const side = columns.fromOf(place) ?? 'client';
  const session = index.session(place)?.chip ?? '';
  const to = millis(endOf(index, place, turn, last));
  const took = tookOf(index, place, turn, last);
  if (columns.kind.get(place) !== REQ)
    return {
      ...{ begin: columns.seqOf(place), side, session, from, to, took },
      ...{ by: 'turn', state: 'done' },
      ...(turn && { end: turn.end, ...firstOf(turn) }),
    };
  const answer = columns.partnerOf(place);
  const method = columns.nameOf(place);
  const isRestore = index.window(place)?.request === place;
  return {
    ...{ begin: columns.seqOf(place), method, side, session, from, to, took },
    by: turn ? 'turn' : isRestore ? 'restore' : answererOf(method, side),
    state: answer === undefined ? 'open' : columns.kindOf(answer) === 'err' ? 'failed' : 'done',
    ...(answer !== undefined && { end: columns.seqOf(answer) }),
    ...(turn && firstOf(turn)),
  };
}

const endOfTurn = (columns: Columns, { end }: TurnStats) => columns.timeOf(columns.indexOf(end));
const firstOf = ({ toFirst }: TurnStats) => (toFirst === undefined ? {} : { toFirst });
