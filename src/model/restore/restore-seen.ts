// What the frames of one replay window show of the session that was asked for: which items came, with
// which first, and where the state stood.
import { FLAG } from '../columns.ts';
import { knowsHistory } from '../facts/history-known.ts';
import { isHistory, itemKindOf } from '../facts/variants.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { TraceIndex } from '../trace-index.ts';

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
}

export function seenIn(index: TraceIndex, window: WindowRecord): SeenIn {
  const { session, root } = window;
  const items = itemsIn(index, window);
  const first = items.find((seen) => seen.isHistory)?.item;
  return {
    history: root.history,
    maybeLive: root.meanwhile,
    items,
    known: knowsHistory(index, session.index, window.request),
    begins: beginsAt(index, first, window),
    state: root.state,
    historyAfterState: (root.last ?? -1) > (root.stateAt ?? Infinity),
  };
}

function itemsIn({ columns }: TraceIndex, { id, session, request, end }: WindowRecord): SeenItem[] {
  const items = new Map<number, SeenItem>();
  const until = end < 0 ? columns.length : end;
  for (let place = request + 1; place < until; place++) {
    const item = columns.item.get(place) - 1;
    if (item < 0 || items.has(item) || !columns.has(place, FLAG.replay)) continue;
    if (columns.window.get(place) !== id + 1 || columns.session.get(place) !== session.index + 1)
      continue;
    items.set(item, { item, isHistory: isHistory(itemKindOf(columns.nameOf(place))) });
  }
  return [...items.values()];
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
