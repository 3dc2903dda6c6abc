// A replay held against what is known of the session: by id first, then by text, which may be
// contained in more (agents join messages) or contain less (one-off warnings are not replayed).
import type { ItemKind } from '../../model/facts/variants.ts';
import type { Connection, RestoreWindow, Session } from '../connection.ts';
import { histories, itemKey, type HistoryFacts, type HistoryItem } from './history-facts.ts';
import { bare } from '../../model/facts/message-text.ts';
import { JUDGED } from '../../model/replay/judge.ts';
import { itemText } from '../../model/replay/pair-items.ts';
import { isToldAgain, syntheticText } from '../../model/replay/texts.ts';
import type { Seq } from '../../trace/event.ts';
import { quote } from '../rule.ts';
import { frameWords } from '../sessions/setup-facts.ts';
import {
  differencesIn,
  isLong,
  joinedPieces,
  sidesOf,
  type Known,
  type Replayed,
  type Sides,
} from './sides.ts';

/** Texts that are looked for inside others, which takes a while; the rest is taken to be there. */
const MOST_SEARCHES = 500;

export interface MissingItem {
  readonly item: HistoryItem;
  /** Where some of it came, and which of its fields lack some. */
  readonly cut: { readonly seq: Seq; readonly fields: readonly string[] } | undefined;
  /** Without an id, beside more that the turn told: it may have been a remark of the moment. */
  readonly isRemark: boolean;
  /** A prompt, a tool call or a final answer of a turn that ended well. */
  readonly grave: boolean;
}

/** What a whole replay lacks of a session, of what was said live, and what another replay told. */
export function missingFrom(
  window: RestoreWindow,
  session: Session,
  connection: Connection,
  withLate: boolean,
): readonly MissingItem[] {
  const { items } = histories.of(session.stored);
  const told = [true, false].filter((live) => items.some((item) => item.live === live));
  return told.flatMap((live) =>
    missingIn(sidesOf(window, session, connection, live, withLate), connection),
  );
}

function missingIn(sides: Sides, connection: Connection): MissingItem[] {
  const { history, twofold, known, replayed, pairings } = sides;
  const answers = finalAnswers(history);
  const all = pairings.flatMap(({ a, b }) => {
    const now = b.flatMap((at) => replayed[at] ?? []);
    const before = a.flatMap((at) => known[at] ?? []);
    if (now.length === 0 && before.every(({ of }) => twofold.isToldElsewhere(of))) return [];
    const fields = lossesIn(before, now, sides, connection);
    const cut = now[0] && fields.length > 0 ? { seq: now[0].seq, fields } : undefined;
    return before.map(({ of }) => ({ item: of, cut, isGone: !cut && isGone(of, now) }));
  });
  // Without ids what stands in a turn are also remarks of the moment, which no replay need tell.
  const told = new Set(all.flatMap(({ item, isGone }) => (isGone ? [] : turnKey(item))));
  const named = new Set<string>();
  return all.flatMap(({ item, cut, isGone }): MissingItem[] => {
    const key = turnKey(item);
    if ((!cut && !isGone) || named.has(key)) return [];
    const isRemark = key !== '' && told.has(key);
    // It may stand in the rest of a text of which only the begin is kept.
    if (isRemark && replayed.some((one) => one.kind === item.kind && isLong(one))) return [];
    if (key !== '' && !isRemark) named.add(key);
    const grave = isGone && isGrave(item, history, answers);
    return [{ item, cut, isRemark, grave }];
  });
}

/** The fields of which some did not come back with what was said live. */
export function lossesIn(
  before: readonly Known[],
  now: readonly Replayed[],
  sides: Sides,
  connection: Connection,
): readonly string[] {
  const [one, other] = [joinedPieces(before), joinedPieces(now)];
  // Of two replays that differ, nobody can tell which is right.
  if (one === undefined || other === undefined || !one.of.live) return [];
  const found = differencesIn(other, one, sides, connection);
  return found.filter(({ code }) => JUDGED[code] === 'lossy').map(({ field }) => field);
}

function isGrave(
  item: HistoryItem,
  { compacted }: HistoryFacts,
  answers: ReadonlySet<HistoryItem>,
): boolean {
  const { kind, id, prompt, final, live, text, turn } = item;
  if (!live || compacted || turn.end !== 'done') return false;
  // Commands of the agent are seldom part of what it stores.
  if (kind === 'user') return prompt && !text.startsWith('/');
  if (kind === 'tool') return final;
  return id !== undefined && answers.has(item);
}

/** The last agent message of each turn, as it was live. */
function finalAnswers({ items }: HistoryFacts): ReadonlySet<HistoryItem> {
  const last = new Map<number, HistoryItem>();
  for (const item of items)
    if (item.live && item.kind === 'agent') last.set(item.turn.number, item);
  return new Set(last.values());
}

/** `again`: what the replay tells for it, which lacks none of its fields. */
function isGone(item: HistoryItem, again: readonly Replayed[]): boolean {
  const { kind, id, text, prompt, turn, live } = item;
  if (kind === 'tool') return again.length === 0;
  const said = bareOf(item);
  // Images, and messages that were never filled.
  if (said === '') return false;
  const now = bare(again.map(itemText).join(''));
  if (again.some((one) => id !== undefined && one.id === id)) return false;
  if (again.length > 0 && (now.includes(said) || isToldAgain(said, now))) return false;
  if (id !== undefined || prompt) return true;
  // Before the first prompt agents say hello, which is no conversation; and what they add by
  // themselves may be another each time.
  return turn.number !== 0 && (live || syntheticText(kind, text) === undefined);
}

/** Of messages without ids. */
function turnKey({ kind, id, prompt, turn }: HistoryItem): string {
  return id !== undefined || prompt ? '' : `${kind} ${turn.number}`;
}

/** Whether history told before says the same: by id, or word for word. */
export function knownAs(
  { byId, items }: HistoryFacts,
  kind: ItemKind,
  id: string | undefined,
  text: string,
): HistoryItem | undefined {
  const same = id === undefined ? undefined : byId.get(itemKey(kind, id));
  if (same !== undefined) return same;
  const said = bare(text);
  if (said === '') return undefined;
  // From the latest back, as far as is worth it.
  for (let i = items.length - 1; i >= Math.max(0, items.length - MOST_SEARCHES); i--) {
    const item = items[i];
    if (item?.kind !== kind) continue;
    if (isToldAgain(bareOf(item), said)) return item;
  }
  return undefined;
}

/** Bare texts of items that are compared again and again. */
const bares = new WeakMap<HistoryItem, { readonly of: string; readonly text: string }>();

function bareOf(item: HistoryItem): string {
  const known = bares.get(item);
  if (known?.of === item.text) return known.text;
  const text = bare(item.text);
  bares.set(item, { of: item.text, text });
  return text;
}

/** `the prompt "Mend it" (#6)` */
export function historyItemWords(
  { kind, text, title, id, where }: HistoryItem,
  here: Connection,
): string {
  const name = quote(short(kind === 'tool' ? (title ?? id ?? '') : text.trim()));
  const words: Partial<Record<ItemKind, string>> = {
    user: 'the prompt',
    agent: 'the answer',
    thought: 'the thought',
    tool: 'the tool call',
    peer: 'the message between sessions',
  };
  return `${words[kind] ?? kind} ${name} (${frameWords(where, here)})`;
}

export function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
