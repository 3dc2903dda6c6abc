// How often a tool call was told of, and in which states: once as it lived, and again by every replay.
import { FLAG } from '../columns.ts';
import type { Seq } from '../../trace/event.ts';
import type { TraceIndex } from '../trace-index.ts';

/** A tool call of a session, by its id. */
export interface NamedCall {
  readonly sessionId: string;
  readonly call: string;
}

export interface CallTold {
  /** The first frame of this telling. */
  readonly seq: Seq;
  /** As they followed each other, each once. */
  readonly statuses: readonly string[];
  readonly is: 'live' | 'replay' | 'late';
  /** The restore it came with: its request, and the letter of its cursor. */
  readonly request?: Seq;
  readonly letter?: string;
}

/** The tool call that the event at this place is about. */
export function callAt(index: TraceIndex, place: number): NamedCall | undefined {
  const call = index.toolIds.get(index.columns.item.get(place) - 1);
  const sessionId = index.session(place)?.sessionId;
  return call === undefined || sessionId === undefined ? undefined : { call, sessionId };
}

export function callTold(index: TraceIndex, { sessionId, call }: NamedCall): readonly CallTold[] {
  const { columns } = index;
  const items = new Set<number>();
  for (const [place, id] of index.toolIds)
    if (id === call && index.session(place)?.sessionId === sessionId) items.add(place + 1);
  const told = new Map<string, CallTold & { readonly statuses: string[] }>();
  for (const [place, item] of columns.item.values().entries()) {
    if (!items.has(item)) continue;
    const is = columns.has(place, FLAG.replay)
      ? 'replay'
      : columns.has(place, FLAG.late)
        ? 'late'
        : 'live';
    const window = is === 'live' ? undefined : index.window(place);
    const key = `${is} ${window?.request}`;
    const one = told.get(key) ?? {
      ...{ seq: columns.seqOf(place), statuses: [], is },
      ...(window && { request: columns.seqOf(window.request) }),
      ...(window?.pin && { letter: window.pin.letter }),
    };
    const status = columns.statuses.text(columns.status.get(place));
    if (status && one.statuses.at(-1) !== status) one.statuses.push(status);
    told.set(key, one);
  }
  return [...told.values()];
}
