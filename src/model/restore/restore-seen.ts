// What the frames of one replay window show of the session that was asked for: which items came, with
// which first, and where the state stood.
import { lazy } from '../../lib/lazy.ts';
import { seq, type Seq } from '../../trace/event.ts';
import { AGENT, FLAG } from '../columns.ts';
import { isDeleted } from '../facts/life.ts';
import { isMade } from '../facts/sessions.ts';
import { isHistory, isMessageKind, itemKindOf, makesItem } from '../facts/variants.ts';
import type { Elsewhere, SearchedTrace } from './restore-verdict.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { TraceIndex } from '../trace-index.ts';

interface SeenItem {
  /** The event that first spoke of it, which names it in the index. */
  readonly item: number;
  /** Where the replay first spoke of the item. */
  readonly seq: Seq;
  /** A message or a tool call. */
  readonly isHistory: boolean;
}

/** An update of the conversation: of a message, a tool call, a plan, a terminal or a compaction. */
interface SeenUpdate {
  readonly seq: Seq;
  readonly isMessage: boolean;
  /** True if nothing ran in the session, so that the update is no live one. */
  readonly isReplay: boolean;
  readonly isAfterState: boolean;
}

export interface SeenIn {
  /** Updates before the response, without those of background work that the last `state_update` lists. */
  readonly conversation: () => readonly SeenUpdate[];
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
  /** The first of its history has an id. */
  readonly isNamed: boolean;
  /** v2: the last state told. */
  readonly state: string | undefined;
  readonly hasState: boolean;
  /** `replay_complete` ended its history. */
  readonly isMarked: boolean;
}

export function seenIn(index: TraceIndex, window: WindowRecord): SeenIn {
  const { session, root } = window;
  const items = itemsIn(index, window);
  const first = items.find((seen) => seen.isHistory)?.item;
  // What came first without an id is compared with nothing, nor is what follows it where all begins.
  const isNamed = root.first === undefined || index.columns.item.get(root.first) > 0;
  return {
    conversation: lazy(() => conversationIn(index, window)),
    history: root.history,
    maybeLive: root.meanwhile,
    items,
    known: knowsHistory(index, session.index, window.request),
    begins: isNamed ? beginsAt(index, first, window) : undefined,
    isNamed,
    state: root.state,
    hasState: root.stateAt !== undefined,
    isMarked: root.complete !== undefined,
  };
}

function conversationIn(
  { columns }: TraceIndex,
  { session, request, end, root, allowed }: WindowRecord,
): SeenUpdate[] {
  const background = session.items.find(root.background.flatMap(({ id }) => id ?? []));
  const wasBusy = root.busy || root.workedAt !== undefined;
  const found: SeenUpdate[] = [];
  const until = end < 0 ? columns.length : end;
  for (let place = request + 1; place < until; place++) {
    const variant = columns.nameOf(place);
    if (columns.session.get(place) !== session.index + 1 || !makesItem(variant)) continue;
    if (!columns.has(place, FLAG.update) || columns.has(place, FLAG.late)) continue;
    if (background.includes(columns.item.get(place) - 1)) continue;
    const kind = itemKindOf(variant);
    // If no history was requested, the flag is on messages and tool calls alone, and never on what may be live.
    const isSure = !wasBusy || (!allowed && isHistory(kind));
    const isReplay = isSure && (columns.has(place, FLAG.replay) || !isHistory(kind));
    const isAfterState = place > (root.stateAt ?? Infinity);
    const isMessage = isMessageKind(kind) || kind === 'peer';
    found.push({ seq: seq(columns.seqOf(place)), isMessage, isReplay, isAfterState });
  }
  return found;
}

function itemsIn({ columns }: TraceIndex, { id, session, request, end }: WindowRecord): SeenItem[] {
  const items = new Map<number, SeenItem>();
  const until = end < 0 ? columns.length : end;
  for (let place = request + 1; place < until; place++) {
    const item = columns.item.get(place) - 1;
    if (item < 0 || items.has(item) || !columns.has(place, FLAG.replay)) continue;
    if (columns.window.get(place) !== id + 1 || columns.session.get(place) !== session.index + 1)
      continue;
    const at = seq(columns.seqOf(place));
    items.set(item, { item, seq: at, isHistory: isHistory(itemKindOf(columns.nameOf(place))) });
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

// Whether a trace knows history of a session: a restore that replays nothing is judged by that.

/**
 * True if a prompt, a message or a tool call of the session came before event `until`. `session`: its place among the sessions.
 */
export function knowsHistory(
  { columns }: TraceIndex,
  session: number,
  until = columns.length,
): boolean {
  for (const place of columns.placesOf(session)) {
    if (place >= until) return false;
    const name = columns.nameOf(place);
    if (name === 'session/prompt') return true;
    const isUpdate = columns.has(place, FLAG.update) && columns.side.get(place) === AGENT;
    if (isUpdate && isHistory(itemKindOf(name))) return true;
  }
  return false;
}

// What other traces know of a session that is restored in this one: its items, and whether it has
// history, was made or listed, or was deleted.

/** `earlier`: the traces that began before the one with the restore. */
export function elsewhereIn(earlier: readonly SearchedTrace[], sessionId: string): Elsewhere {
  const known = earlier.flatMap(({ index }) => {
    const session = index.sessionNamed(sessionId);
    return session === undefined ? [] : [{ index, session }];
  });
  return {
    items: longest(known.map(({ session }) => session.items.all())),
    history: known.some(({ index, session }) => knowsHistory(index, session.index)),
    known: known.some(({ session }) => isMade(session)),
    gone: known.some(({ session }) => isDeleted(session)),
  };
}

function longest<T>(lists: readonly (readonly T[])[]): readonly T[] {
  return lists.reduce((most, list) => (list.length > most.length ? list : most), []);
}
