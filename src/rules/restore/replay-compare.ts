// A replay held against what is known of the session: by id first, then by text, which may be
// contained in more (agents join messages) or contain less (one-off warnings are not replayed).
import { isMessageKind, type ItemKind } from '../../model/facts/variants.ts';
import type { Connection, RestoreWindow } from '../connection.ts';
import { itemKey, type HistoryFacts, type HistoryItem } from './history-facts.ts';
import { bare } from '../../model/facts/message-text.ts';
import { syntheticText } from '../../model/replay/texts.ts';
import { quote } from '../rule.ts';
import { frameWords } from '../sessions/setup-facts.ts';
import type { WindowTold } from './window-facts.ts';

/** Texts that are looked for inside others, which takes a while; the rest is taken to be there. */
const MOST_SEARCHES = 500;
/** Shorter texts stand in others by chance. */
const TELLING = 20;

export interface MissingItem {
  readonly item: HistoryItem;
  /** Its id came, with less text. */
  readonly cut: boolean;
  /** A prompt, a tool call or a final answer of a turn that ended well. */
  readonly grave: boolean;
}

/** It was said before this restore was asked for. */
export function isBefore({ where }: HistoryItem, { seq, session }: RestoreWindow): boolean {
  return where.connection !== session.connection.id || where.seq < seq;
}

/** What a whole replay should have held and did not. */
export function missingFrom(
  history: HistoryFacts,
  told: WindowTold,
  window: RestoreWindow,
): readonly MissingItem[] {
  const texts = new Texts(told);
  const turns = joinedTurns(history);
  const answers = finalAnswers(history);
  return history.items.flatMap((item): MissingItem[] => {
    if (!isBefore(item, window)) return [];
    const how = absence(item, told, texts, turns);
    if (how === undefined) return [];
    return [{ item, cut: how === 'cut', grave: how === 'gone' && isGrave(item, history, answers) }];
  });
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

/** The last agent message of each turn. */
function finalAnswers({ items }: HistoryFacts): ReadonlySet<HistoryItem> {
  const last = new Map<number, HistoryItem>();
  for (const item of items) if (item.kind === 'agent') last.set(item.turn.number, item);
  return new Set(last.values());
}

function absence(
  item: HistoryItem,
  told: WindowTold,
  texts: Texts,
  turns: ReadonlyMap<string, Joined>,
): 'gone' | 'cut' | undefined {
  const { kind, id, title } = item;
  const same = id === undefined ? undefined : told.byId.get(itemKey(kind, id));
  if (kind === 'tool') return same !== undefined || texts.hasTool(title) ? undefined : 'gone';
  const said = bareOf(item);
  // Images, and messages that were never filled.
  if (said === '') return undefined;
  if (same !== undefined) {
    const again = bare(same.text);
    // A message may be told in other words, or with fewer remarks; not in half of them.
    return again.length < said.length / 2 || isCut(again, said) ? 'cut' : undefined;
  }
  if (id !== undefined || item.prompt) return texts.has(kind, said) ? undefined : 'gone';
  // Before the first prompt agents say hello, which is no conversation.
  if (item.turn.number === 0) return undefined;
  // Without ids a turn is told in one, since what stands in it are also remarks of the moment.
  const turn = turns.get(turnKey(item));
  // What agents add by themselves may be another each time.
  if (!item.live && syntheticText(kind, item.text) !== undefined) return undefined;
  return turn?.first !== item || texts.has(kind, turn.text) ? undefined : 'gone';
}

/** What one kind of message without ids says in one turn. */
interface Joined {
  readonly first: HistoryItem;
  text: string;
}

function turnKey({ kind, turn }: HistoryItem): string {
  return `${kind} ${turn.number}`;
}

function joinedTurns({ items }: HistoryFacts): ReadonlyMap<string, Joined> {
  const turns = new Map<string, Joined>();
  for (const item of items) {
    if (item.id !== undefined || item.prompt || item.kind === 'tool') continue;
    const known = turns.get(turnKey(item));
    if (known === undefined) turns.set(turnKey(item), { first: item, text: bareOf(item) });
    else known.text += bareOf(item);
  }
  return turns;
}

/** Its begin alone, by more than a few words at its end. */
function isCut(again: string, said: string): boolean {
  return said.startsWith(again) && said.length - again.length > Math.max(TELLING, said.length / 10);
}

/** The texts of a window by kind of message. */
class Texts {
  readonly #exact = new Set<string>();
  readonly #joined = new Map<ItemKind, string>();
  readonly #each = new Map<ItemKind, string[]>();
  readonly #titles = new Set<string>();
  #searches = 0;

  constructor({ items }: WindowTold) {
    for (const { kind, text, title } of items) {
      if (title !== undefined) this.#titles.add(title);
      if (!isMessageKind(kind)) continue;
      const said = bare(text);
      if (said === '') continue;
      this.#exact.add(itemKey(kind, said));
      const each = this.#each.get(kind);
      if (each) each.push(said);
      else this.#each.set(kind, [said]);
    }
    for (const [kind, each] of this.#each) this.#joined.set(kind, each.join(''));
  }

  hasTool(title: string | undefined): boolean {
    return title !== undefined && this.#titles.has(title);
  }

  has(kind: ItemKind, said: string): boolean {
    if (this.#exact.has(itemKey(kind, said))) return true;
    if (++this.#searches > MOST_SEARCHES) return true;
    if (this.#joined.get(kind)?.includes(said) === true) return true;
    const each = this.#each.get(kind) ?? [];
    return each.some((one) => one.length >= TELLING && said.includes(one));
  }
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
    const its = bareOf(item);
    if (its === said || (said.length >= TELLING && its.includes(said))) return item;
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
  };
  return `${words[kind] ?? kind} ${name} (${frameWords(where, here)})`;
}

export function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
