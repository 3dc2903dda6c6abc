// What an open restore has brought so far, word for word: history in its order, for each session of
// the tree. Judged when its answer comes. The restore itself stands in model/facts/windows.ts.
import { arr, get, isArray, str } from '../../acp/json.ts';
import { isHistory, isMessageKind, type ItemKind } from '../../model/facts/variants.ts';
import type { Seq } from '../../trace/event.ts';
import { type Connection, type RestoreWindow, type Session, fact } from '../connection.ts';
import { onUpdate } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import { goesOn, textAfter } from '../../model/facts/message-text.ts';
import type { Version } from '../../acp/methods.ts';
import type { Fold } from '../rule.ts';

export function itemKey(kind: ItemKind, id: string): string {
  return `${kind} ${id}`;
}

/** True if an update without an id is more of the last item. */
function isNext(
  last: WindowItem | undefined,
  kind: ItemKind,
  version: Version | undefined,
): last is WindowItem {
  if (last?.kind !== kind) return false;
  return isMessageKind(kind) ? goesOn(last.id, undefined, version) : last.id === undefined;
}

export interface WindowItem {
  readonly kind: ItemKind;
  readonly id: string | undefined;
  readonly first: Seq;
  text: string;
  title: string | undefined;
  status: string | undefined;
  /** Something else of the conversation has come since. */
  closed: boolean;
  /** What it said before it was emptied, when it was closed: two messages, or one told again. */
  emptied: { readonly text: string; readonly seq: Seq; readonly isWhole: boolean } | undefined;
}

/** What came of one session while a restore was open, live work too. */
export interface WindowTold {
  readonly items: WindowItem[];
  readonly byId: Map<string, WindowItem>;
  /** Characters that can still be kept; none: it is too long to be compared. */
  room: number;
}

const MOST_ITEMS = 20_000;
const MOST_TEXT = 16_000_000;

const tellings = fact<RestoreWindow, Map<Session, WindowTold>>(() => new Map());

/** Of the session that was asked for, or of a child of it. */
export function toldIn(window: RestoreWindow, session = window.session): WindowTold {
  return toldOf(tellings.of(window), session);
}

function toldOf(all: Map<Session, WindowTold>, session: Session): WindowTold {
  const known = all.get(session);
  if (known !== undefined) return known;
  const told: WindowTold = {
    items: [],
    byId: new Map(),
    room: MOST_TEXT,
  };
  all.set(session, told);
  return told;
}

/** What came of each session of the tree, but of children that were at work before. */
export function toldInTree(window: RestoreWindow) {
  return [...window.branches.values()]
    .filter((branch) => branch === window.root || !branch.busy)
    .map(({ session }) => ({ session, told: toldIn(window, session) }));
}

/** The restore that the session's updates belong to now. */
export function windowOf(session: Session): RestoreWindow | undefined {
  const window = session.connection.windows.open(session);
  return window?.method === 'session/fork' ? undefined : window;
}

/** The restore that an answer ends. */
export function answeredWindow(
  session: Session | undefined,
  request: Seq,
): RestoreWindow | undefined {
  return session?.connection.windows.asked(request);
}

/** The record has all that came since the request. */
export function isRecordedWhole({ gaps }: RestoreWindow, connection: Connection): boolean {
  return connection.gaps === gaps;
}

/** The session was at work before or meanwhile: what came may be live. */
export function wasBusy({ root: { busy, workedAt } }: RestoreWindow): boolean {
  return busy || workedAt !== undefined;
}

/** Another message, a tool call or a child stands behind the last message. */
function closeMessage(told: WindowTold, next?: WindowItem): void {
  const message = told.items.findLast((one) => isMessageKind(one.kind));
  if (message !== undefined && message !== next) message.closed = true;
}

function itemOf(told: WindowTold, kind: ItemKind, step: UpdateStep): WindowItem | undefined {
  const { itemId: id, seq } = step;
  const last = told.items.at(-1);
  const { version } = step.session.connection;
  const goesOn =
    id === undefined
      ? isNext(last, kind, version)
      : isMessageKind(kind) && last?.kind === kind && last.id === id;
  // In v1 only the message that stands last goes on, whatever is told under its id later.
  const known =
    id === undefined || (version === 1 && isMessageKind(kind))
      ? undefined
      : told.byId.get(itemKey(kind, id));
  const found = goesOn ? last : known;
  if (isHistory(kind)) closeMessage(told, found);
  if (found !== undefined) return found;
  if (told.items.length >= MOST_ITEMS) {
    told.room = 0;
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
    emptied: undefined,
  };
  told.items.push(item);
  if (id !== undefined && !told.byId.has(itemKey(kind, id))) told.byId.set(itemKey(kind, id), item);
  return item;
}

function came(step: UpdateStep): void {
  const { place, session, variant, update, seq } = step;
  if (place === undefined || place.window.method === 'session/fork') return;
  if (place.as === 'late') return;
  const told = toldIn(place.window, session);
  if (variant === 'subagent_update') closeMessage(told);
  const kind = variant === 'plan' ? 'plan' : step.item;
  if (kind === undefined) return;
  const item = itemOf(told, kind, step);
  if (item === undefined) return;
  if (isHistory(kind) && kind !== 'tool' && told.room > 0) {
    const before = item.text.length;
    if (item.closed && before > 0 && isArray(get(update, 'content')) && !variant.endsWith('_chunk'))
      item.emptied ??= { text: item.text, seq, isWhole: arr(update, 'content').length > 0 };
    item.text = textAfter(item.text, variant, update, before + told.room);
    told.room -= Math.max(0, item.text.length - before);
  }
  item.title = str(update, 'title') ?? item.title;
  item.status = str(update, 'status') ?? item.status;
}

export const windowFold: Fold = [onUpdate('all', came)];
