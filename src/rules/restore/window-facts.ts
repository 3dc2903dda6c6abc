// What an open restore has brought so far: history in its order, the state told, requests. Judged
// when its answer comes.
import { get, isObject, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { cursorIds } from '../../model/restore/cursor-values.ts';
import { isMessageKind, type ItemKind } from '../../model/facts/variants.ts';
import type { Seq } from '../../trace/event.ts';
import type { Connection, Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { backgroundOf, isBusy, itemKey } from './history-facts.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import { textAfter } from '../../model/facts/message-text.ts';
import type { Fold } from '../rule.ts';
import type { UpdateStep } from '../step.ts';

export interface WindowItem {
  readonly kind: ItemKind;
  readonly id: string | undefined;
  readonly first: Seq;
  text: string;
  title: string | undefined;
  status: string | undefined;
  /** Another message has begun since. */
  closed: boolean;
}

/** `none`: no history was asked for. `bad`: what stands there is no cursor that anybody may send. */
export type CursorKind = 'all' | 'none' | 'custom' | 'bad';

export interface RestoreWindow {
  readonly request: Seq;
  readonly method: string;
  readonly cursorKind: CursorKind;
  readonly cursor: Json | undefined;
  /** Ids that a custom cursor may name. */
  readonly ids: readonly string[];
  /** Gaps in the record when it began. */
  readonly gaps: number;
  /** The session was at work meanwhile: what came may be live. */
  busy: boolean;
  readonly items: WindowItem[];
  readonly byId: Map<string, WindowItem>;
  /** Frames of history, by whether they are messages. */
  readonly messageSeqs: Seq[];
  readonly otherSeqs: { readonly seq: Seq; readonly id: string | undefined }[];
  /** v2: the last `state_update`, and the history that came after it. */
  state: string | undefined;
  stateSeq: Seq | undefined;
  readonly afterState: Seq[];
  background: ReadonlySet<string>;
  /** Characters that can still be kept; none: it is too long to be compared. */
  room: number;
}

/** Restores of a session that wait for their answer, oldest first. */
export const openWindows = fact<Session, RestoreWindow[]>(() => []);

const MOST_ITEMS = 20_000;
const MOST_SEQS = 10_000;
const MOST_TEXT = 16_000_000;
export const RESTORES = ['session/load', 'session/resume'] as const;

/** The restore that the session's updates belong to now. */
export function windowOf(session: Session): RestoreWindow | undefined {
  return session.opening === 0 ? undefined : openWindows.of(session)[0];
}

/** The restore that an answer ends. */
export function answeredWindow(
  session: Session | undefined,
  request: Seq,
): RestoreWindow | undefined {
  return session && openWindows.of(session).find((window) => window.request === request);
}

/** The record has all that came since the request. */
export function isComplete({ gaps }: RestoreWindow, connection: Connection): boolean {
  return connection.gaps === gaps;
}

export function cursorKindOf(
  method: string,
  cursor: Json | undefined,
  version: Connection['version'],
): CursorKind {
  if (method === 'session/load') return 'all';
  if (version !== 2 || cursor === undefined || cursor === null) return 'none';
  const type = str(cursor, 'type');
  if (type === 'start') return 'all';
  return type?.startsWith('_') === true ? 'custom' : 'bad';
}

/** What an update of a window is about, where it is history. */
export function isHistoryKind(kind: ItemKind | undefined): kind is ItemKind {
  return kind !== undefined && kind !== 'peer';
}

function itemOf(window: RestoreWindow, kind: ItemKind, step: UpdateStep): WindowItem | undefined {
  const { itemId: id, seq } = step;
  const known = id === undefined ? undefined : window.byId.get(itemKey(kind, id));
  const last = window.items.at(-1);
  const found =
    known ?? (id === undefined && last?.kind === kind && last.id === undefined ? last : undefined);
  if (isMessageKind(kind) && last !== undefined && last !== found) last.closed = true;
  if (found !== undefined) return found;
  if (window.items.length >= MOST_ITEMS) {
    window.room = 0;
    return undefined;
  }
  const item: WindowItem = {
    kind,
    id,
    first: seq,
    text: '',
    title: undefined,
    status: undefined,
    closed: false,
  };
  window.items.push(item);
  if (id !== undefined) window.byId.set(itemKey(kind, id), item);
  return item;
}

function came(step: UpdateStep): void {
  const window = windowOf(step.session);
  if (window === undefined) return;
  const { variant, update, seq } = step;
  if (variant === 'state_update') {
    window.state = str(update, 'state') ?? window.state;
    window.stateSeq = seq;
    window.afterState.length = 0;
    window.background = backgroundOf(update) ?? window.background;
    if (window.state !== 'idle') window.busy = true;
    return;
  }
  const kind = variant === 'plan' ? 'plan' : step.item;
  if (!isHistoryKind(kind)) return;
  const item = itemOf(window, kind, step);
  if (window.stateSeq !== undefined && window.afterState.length < MOST_SEQS)
    window.afterState.push(seq);
  if (!isMessageKind(kind)) {
    if (window.otherSeqs.length < MOST_SEQS) window.otherSeqs.push({ seq, id: item?.id });
  } else if (window.messageSeqs.length < MOST_SEQS) window.messageSeqs.push(seq);
  if (item === undefined) return;
  if (isMessageKind(kind) && window.room > 0) {
    const before = item.text.length;
    item.text = textAfter(item.text, variant, update, before + window.room);
    window.room -= Math.max(0, item.text.length - before);
  }
  item.title = str(update, 'title') ?? item.title;
  item.status = str(update, 'status') ?? item.status;
}

export const windowFold: Fold = {
  on: [
    onRequest(RESTORES, ({ session, method, params, seq, from }, connection) => {
      if (session === undefined || from !== 'client') return;
      const cursor = get(params, 'replayFrom');
      openWindows.of(session).push({
        request: seq,
        method,
        cursorKind: cursorKindOf(method, cursor, connection.version),
        cursor,
        ids: isObject(cursor) ? cursorIds(cursor) : [],
        gaps: connection.gaps,
        busy: isBusy(session),
        items: [],
        byId: new Map(),
        messageSeqs: [],
        otherSeqs: [],
        state: undefined,
        stateSeq: undefined,
        afterState: [],
        background: new Set(),
        room: MOST_TEXT,
      });
    }),
    onRequest(['session/prompt'], ({ session, from }) => {
      if (session === undefined || from !== 'client' || session.opening === 0) return;
      for (const window of openWindows.of(session)) window.busy = true;
    }),
    onUpdate('all', came),
    onAnswer(RESTORES, ({ session, asked }) => {
      if (session === undefined) return;
      const windows = openWindows.of(session);
      const at = windows.findIndex(({ request }) => request === asked.seq);
      if (at >= 0) windows.splice(at, 1);
    }),
  ],
};
