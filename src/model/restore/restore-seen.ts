// What the frames of one replay window show: how much history came, with which item first, and
// where the state stood. Read from the columns of the index; only state updates are parsed.
import { str } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { AGENT, FLAG } from '../columns.ts';
import { saidBy } from '../timeline/digest.ts';
import { knowsHistory } from '../facts/history-known.ts';
import type { WindowRecord } from '../facts/replay-windows.ts';
import type { TraceIndex } from '../trace-index.ts';
import { isHistory, itemKindOf } from '../facts/variants.ts';

interface SeenItem {
  /** The event that first spoke of it, which names it in the index. */
  readonly item: number;
  /** A message or a tool call. */
  readonly isHistory: boolean;
}

export interface SeenIn {
  /** Messages and tool calls replayed before the answer, in updates. */
  readonly history: number;
  /** The same that came while a turn was running and no history was asked for. */
  readonly maybeLive: number;
  /** Things with ids, in the order they came. */
  readonly items: readonly SeenItem[];
  /** Whether the trace holds history of the session from before the request. */
  readonly known: boolean;
  /**
   * Against the first item of its kind that the trace knew before: with it, later, or not to
   * compare. By kind, because a replay that leaves out all thoughts begins at the start all the same.
   */
  readonly begins: 'start' | 'later' | undefined;
  /** v2: the last state told. */
  readonly state: string | undefined;
  readonly historyAfterState: boolean;
  /** Places of the first and the last replayed message or tool call, and of the last state. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly statePlace: number | undefined;
}

export function seenIn(
  index: TraceIndex,
  eventAt: (place: number) => TraceEvent,
  window: WindowRecord,
): SeenIn {
  const { columns } = index;
  const mine = window.session.index + 1;
  const until = window.end < 0 ? columns.length : window.end;
  const items = new Map<number, SeenItem>();
  let history = 0;
  let maybeLive = 0;
  let state: string | undefined;
  let historyAfterState = false;
  let firstPlace: number | undefined;
  let lastPlace: number | undefined;
  let statePlace: number | undefined;
  for (let place = window.request + 1; place < until; place++) {
    if (!isUpdate(index, place, mine)) continue;
    const variant = columns.nameOf(place);
    if (variant === 'state_update') {
      state = stateOf(eventAt(place)) ?? state;
      statePlace = place;
      historyAfterState = false;
      continue;
    }
    const kind = itemKindOf(variant);
    if (kind === undefined) continue;
    const isReplay = columns.has(place, FLAG.replay);
    if (isHistory(kind)) {
      if (isReplay) {
        history++;
        firstPlace ??= place;
        lastPlace = place;
      } else maybeLive++;
      historyAfterState ||= isReplay && state !== undefined;
    }
    const item = columns.item.get(place) - 1;
    if (isReplay && item >= 0 && !items.has(item))
      items.set(item, { item, isHistory: isHistory(kind) });
  }
  const first = [...items.values()].find((seen) => seen.isHistory)?.item;
  return {
    history,
    maybeLive,
    items: [...items.values()],
    known: knowsHistory(index, window.session.index, window.request),
    begins: beginsAt(index, first, window),
    state,
    historyAfterState,
    first: firstPlace,
    last: lastPlace,
    statePlace,
  };
}

function beginsAt(
  { columns }: TraceIndex,
  first: number | undefined,
  { session, request }: WindowRecord,
): SeenIn['begins'] {
  if (first === undefined || first >= request) return undefined;
  // What a prompt's answer named is the user's message.
  const kind = itemKindOf(columns.nameOf(first)) ?? 'user';
  return first === session.items.firstOf(kind) ? 'start' : 'later';
}

function isUpdate({ columns }: TraceIndex, place: number, session: number): boolean {
  return (
    columns.session.get(place) === session &&
    columns.has(place, FLAG.update) &&
    columns.side.get(place) === AGENT
  );
}

function stateOf(event: TraceEvent): string | undefined {
  const message = saidBy(event);
  if (message?.kind !== 'notification') return undefined;
  return str(updateOf(message.params)?.update, 'state');
}
