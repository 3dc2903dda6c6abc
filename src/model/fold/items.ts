// The items of a conversation: found by key or alias, made, changed, moved and removed. An item is
// replaced whenever it changes, so that whoever keeps the old one has the old words.
import { arr, get, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { PersistentList } from '../../lib/persistent-list.ts';
import { PersistentMap } from '../../lib/persistent-map.ts';
import { contentPart, textOf } from '../facts/content-parts.ts';
import { patchedMeta } from './meta.ts';
import type { ItemBody, Draft, Item, FoldedFrame, SessionState, NoteBody } from './state.ts';
import { compactionWords, type NoteWords } from '../sessions/conversation-words.ts';
import type { Seq } from '../../trace/event.ts';

export interface FoundItem<B extends ItemBody = ItemBody> {
  readonly index: number;
  readonly item: Item<B>;
}

type BodyOf<T extends ItemBody['type']> = Extract<ItemBody, { type: T }>;

function isOf<T extends ItemBody['type']>(item: Item, type: T): item is Item<BodyOf<T>> {
  return item.body.type === type;
}

/** The item of a key or alias. */
export function itemNamed(
  { places, items }: Pick<SessionState, 'places' | 'items'>,
  name: string,
): Item | undefined {
  const index = places.get(name);
  return index === undefined ? undefined : items.get(index);
}

/** The same; undefined also where its type is another. */
export function find<T extends ItemBody['type']>(
  state: SessionState,
  name: string,
  type: T,
): FoundItem<BodyOf<T>> | undefined {
  const index = state.places.get(name);
  const item = index === undefined ? undefined : state.items.get(index);
  return index !== undefined && item && isOf(item, type) ? { index, item } : undefined;
}

/** The item that stands last, if it is of this type. */
export function lastOf<T extends ItemBody['type']>(
  { items }: SessionState,
  type: T,
): FoundItem<BodyOf<T>> | undefined {
  const item = items.last;
  return item && isOf(item, type) ? { index: items.length - 1, item } : undefined;
}

/** A key for an item without an id of its own. One frame may make several. */
export function freshKey({ places }: SessionState, seq: Seq): string {
  let key = `#${seq}`;
  for (let n = 2; places.get(key) !== undefined; n++) key = `#${seq}.${n}`;
  return key;
}

export function add(draft: Draft, key: string, body: ItemBody, place: FoldedFrame): void {
  const { seq, at, replay, late } = place;
  const alias = undefined;
  append(draft, { key, alias, first: seq, last: seq, frames: 1, at, replay, late, body });
}

/** As it is, at the end. */
export function append(draft: Draft, item: Item): void {
  draft.places = draft.places.set(item.key, draft.items.length);
  draft.items = draft.items.push(item);
  draft.made++;
}

/** The frame changed the item, or added to it. */
export function change<B extends ItemBody>(
  draft: Draft,
  { index, item }: FoundItem<B>,
  body: B,
  { seq, late }: FoldedFrame,
): void {
  const changed: Item<B> = {
    key: item.key,
    alias: item.alias,
    first: item.first,
    last: seq,
    frames: item.frames + 1,
    at: item.at,
    replay: item.replay,
    late: item.late || late,
    body,
  };
  draft.items = draft.items.set(index, changed as Item);
}

export function put(draft: Draft, index: number, item: Item): void {
  draft.items = draft.items.set(index, item);
}

/** A second name to find it by; its key stays. */
export function nameAlso<B extends ItemBody>(
  draft: Draft,
  { index, item }: FoundItem<B>,
  alias: string,
): FoundItem<B> {
  const named = { ...item, alias };
  put(draft, index, named as Item);
  draft.places = draft.places.set(alias, index);
  return { index, item: named };
}

/** Everything behind it moves up. */
export function moveToEnd<B extends ItemBody>(draft: Draft, found: FoundItem<B>): FoundItem<B> {
  const last = draft.items.length - 1;
  if (found.index === last) return found;
  draft.items = draft.items.without(found.index).push(found.item as Item);
  place(draft, found.index);
  return { index: last, item: found.item };
}

export function remove(draft: Draft, { index, item }: FoundItem): void {
  draft.items = draft.items.without(index);
  draft.places = draft.places.delete(item.key);
  if (item.alias !== undefined) draft.places = draft.places.delete(item.alias);
  place(draft, index);
}

export function clearItems(draft: Draft): void {
  draft.items = PersistentList.empty();
  draft.places = PersistentMap.empty();
}

/** Says anew where the items from `from` on stand. */
function place(draft: Draft, from: number): void {
  draft.items.slice(from, draft.items.length).forEach(({ key, alias }, i) => {
    draft.places = draft.places.set(key, from + i);
    if (alias !== undefined) draft.places = draft.places.set(alias, from + i);
  });
}

// Notes of a conversation: turn ends, changes of mode, compactions, exits; one quiet line each.

/** The same line twice running is one. */
export function note(draft: Draft, words: NoteWords, place: FoldedFrame): void {
  const last = lastOf(draft, 'note');
  if (last?.item.body.text === words.text) change(draft, last, last.item.body, place);
  else add(draft, freshKey(draft, place.seq), { type: 'note', ...words }, place);
}

/** Its first frame fixes its place; later ones patch it there. */
export function compaction(
  draft: Draft,
  variant: string,
  update: JsonObject,
  place: FoldedFrame,
): void {
  const id = str(update, 'compactionId');
  if (id === undefined) return;
  const key = `c:${id}`;
  const known = find(draft, key, 'note');
  const before = known?.item.body.compaction;
  let { status, summary, error, meta } = before ?? {
    status: 'in_progress',
    summary: '',
    error: undefined,
    meta: undefined,
  };
  if (variant === 'compaction_summary_chunk') {
    summary += textOf([contentPart(get(update, 'content'))]);
  } else {
    status = str(update, 'status') ?? status;
    if (get(update, 'summary') !== undefined)
      summary = textOf(arr(update, 'summary').map(contentPart));
    if (get(update, 'error') !== undefined) error = str(update, 'error');
    meta = patchedMeta(meta, update, draft.version);
  }
  const words = compactionWords(status, summary, error);
  const body: NoteBody = { type: 'note', ...words, compaction: { status, summary, error, meta } };
  if (known) change(draft, known, body, place);
  else add(draft, key, body, place);
}
