// What was said live held against what a replay says of it, one value at a time: a code, and what that
// is worth. Fidelity tells it field by field; the checker makes findings of what is corrupt.
import { isArray, isObject, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isFinal } from '../../acp/update.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { bare } from '../facts/message-text.ts';
import { relationOf, syntheticText, withoutMarker } from './texts.ts';

/** How the live turn of an item ended, where that says how much of it the client saw. */
export interface Ending {
  /** The connection ended, or the restore came, before the turn was over. */
  readonly cut: boolean;
  readonly cancelled: boolean;
  /** In it the user refused a permission, which some agents end a turn for. */
  readonly declined: boolean;
}

/** It came to its end, or nobody knows otherwise. */
export const OVER: Ending = { cut: false, cancelled: false, declined: false };

/** Why an agent may have said more of a kind behind the last of a turn than is known. */
export function whyMore(kind: string, { cut, cancelled }: Ending): string | undefined {
  if (kind === 'user' || !(cut || cancelled)) return undefined;
  return `its live turn was ${cut ? 'cut' : 'cancelled'}`;
}

/** What each code is worth to a client that trusts the replay. */
export const JUDGED = {
  settled: 'cosmetic',
  refused: 'corrupt',
  'not told': 'undecidable',
  'as before': 'lossy',
  never: 'corrupt',
  spaced: 'cosmetic',
  fenced: 'cosmetic',
  'cut short': 'lossy',
  'goes on': 'undecidable',
  elsewhere: 'cosmetic',
  more: 'corrupt',
  reworded: 'undecidable',
  'other kind': 'corrupt',
  'no kind': 'lossy',
  empty: 'lossy',
  'after the cut': 'cosmetic',
  heard: 'cosmetic',
  adds: 'cosmetic',
  'other shape': 'cosmetic',
  'other times': 'cosmetic',
  says: 'corrupt',
  lacks: 'lossy',
  'other file': 'corrupt',
  'other change': 'corrupt',
  'lacks change': 'lossy',
} as const;
export type ReplayCode = keyof typeof JUDGED;

/** One word of a set, such as a status. Undefined: it is the same. */
export function judgeWord(
  field: string,
  live: string,
  replayed: string,
  { cut, cancelled }: Ending,
  said: () => SaidBefore,
): ReplayCode | undefined {
  if (live === replayed) return undefined;
  if (field === 'status' && !isFinal(live) && isFinal(replayed)) {
    if (replayed !== 'completed' && (cut || cancelled)) return 'settled';
    return replayed === 'completed' && said().isRefused ? 'refused' : 'not told';
  }
  return said().word(field, replayed) ? 'as before' : 'never';
}

/** A running text. Undefined: it is the very same. */
export function judgeText(
  field: string,
  live: string,
  replayed: string,
  { cut, cancelled }: Ending,
  said: () => SaidBefore,
): ReplayCode | undefined {
  const relation = relationOf(live, replayed);
  switch (relation) {
    case 'identical':
      return undefined;
    case 'same':
      return 'spaced';
    case 'fenced':
      return 'fenced';
    case 'shorter':
      return said().word(field, replayed) ? 'as before' : 'cut short';
    case 'longer':
      return longer(live, replayed, cut || cancelled, said);
    case 'other':
      return said().word(field, replayed) ? 'as before' : 'never';
    default:
      return assertNever(relation);
  }
}

function longer(
  live: string,
  replayed: string,
  isCut: boolean,
  said: () => SaidBefore,
): ReplayCode {
  const more = added(live, replayed);
  if (more !== undefined && said().text(more)) return 'elsewhere';
  // An interrupted turn hides only the end of a text: other words before that end are not the text's own.
  const isBegun = bare(replayed).startsWith(withoutMarker(bare(live)));
  return isCut && isBegun ? 'goes on' : 'more';
}

/** What joins words to others, and says nothing by itself: `Shell: ls`, `Read (notes.txt)`. */
const JOINTS = /^[\s:,;()[\]"'`–—]+|[\s:,;()[\]"'`–—]+$/gu;
const WITHIN_A_WORD = /^[\p{L}\p{N}]{2}$/u;

/**
 * The words that stand between their common beginning and end, without what joins them to the rest.
 * Undefined: more of a word, which was another word then: 10 where 1 was said.
 */
function added(before: string, after: string): string | undefined {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  let end = after.length - tail;
  const isInWord = (at: number) => WITHIN_A_WORD.test(after.slice(Math.max(0, at - 1), at + 1));
  // Of `a far foo`, the f of `foo` stands in the common beginning: the word that was added begins before.
  while (isInWord(head) && after[head - 1] === after[end - 1]) {
    head--;
    end--;
  }
  if (isInWord(head) || isInWord(end)) return undefined;
  const between = after.slice(head, end);
  return between.replace(JOINTS, '') || between;
}

const IN_V1: Readonly<Record<string, string>> = { cancelled: 'failed', paused: 'in_progress' };

/** A status of v2 in the words of v1, which has fewer. */
export function statusInV1(status: string): string {
  return IN_V1[status] ?? status;
}

// Everything that was said live of one item, also what a later update replaced: a replay that says
// some of it says nothing that was never so.

/** Words of a tool call's fields that replace each other. */
const WORDS = ['status', 'kind', 'name', 'title'] as const;

export class SaidBefore {
  readonly #words = new Map<string, Set<string>>();
  readonly #texts: string[] = [];
  /** Under `key` and the value: numbers, and what else is too short to be known by itself. */
  readonly #short = new Set<string>();
  /** It asked for a permission last, and nobody gave it. */
  isRefused = false;

  /** Whether a field ever had this value. */
  word(field: string, word: string): boolean {
    return this.#words.get(field)?.has(bare(word)) ?? false;
  }

  /** Whether the text stood anywhere, but for white space. */
  text(text: string): boolean {
    const wanted = bare(text);
    return wanted === '' || this.#texts.some((said) => said.includes(wanted));
  }

  /** Whether a value of an object was said: what is as short as a number, under the same key. */
  value(key: string, words: string): boolean {
    return isShort(words) ? this.#short.has(`${key} ${words}`) : this.text(words);
  }

  take(value: Json | undefined): void {
    for (const field of WORDS) {
      const word = str(value, field);
      if (word === undefined) continue;
      const known = this.#words.get(field) ?? new Set();
      this.#words.set(field, known.add(bare(word)));
    }
    this.#collect(value, '', DEEPEST);
  }

  #collect(value: Json | undefined, key: string, depth: number): void {
    if (depth > 0 && isArray(value))
      return value.forEach((one) => this.#collect(one, key, depth - 1));
    if (depth > 0 && isObject(value))
      return Object.entries(value).forEach(([name, one]) => this.#collect(one, name, depth - 1));
    if (value === undefined || value === null || typeof value === 'object') return;
    const words = String(value);
    this.#texts.push(bare(words));
    if (isShort(words)) this.#short.add(`${key} ${words}`);
  }
}

const DEEPEST = 40;

/** It stands in other texts by chance. */
const isShort = (words: string) => words.length < 4;

// What a replay says that was not said live: what it is, and what that is worth to a client that
// trusts it.

export const EXTRA = {
  empty: { verdict: 'cosmetic', why: 'says nothing' },
  cancelled: { verdict: 'cosmetic', why: 'the agent added it; the user had cancelled' },
  declined: { verdict: 'cosmetic', why: 'the agent added it; the user had refused a permission' },
  cut: {
    verdict: 'corrupt',
    why: 'the agent added it, and no user interrupted: the connection was cut',
  },
  interrupted: { verdict: 'corrupt', why: 'the agent added it, and nobody interrupted' },
  'no gap': {
    verdict: 'corrupt',
    why: 'the agent added it, and no message or tool call of its child sessions is missing',
  },
  gap: { verdict: 'cosmetic', why: 'the agent added it; a child session did not come back whole' },
  'some gap': {
    verdict: 'undecidable',
    why: 'the agent added it; no trace holds the live part of its child sessions',
  },
  filler: { verdict: 'cosmetic', why: 'the agent added it as filler' },
  harness: { verdict: 'corrupt', why: 'the agent added it for its model; nobody said it' },
  refused: { verdict: 'corrupt', why: 'asked for a permission that nobody gave' },
  asked: { verdict: 'cosmetic', why: 'was told live in the permission it asked for alone' },
  unknown: { verdict: 'undecidable', why: 'more may have been said than is known' },
  again: { verdict: 'corrupt', why: 'stands in this replay more often than it was said live' },
  extra: { verdict: 'corrupt', why: 'was not said live' },
} as const;

type ExtraCode = keyof typeof EXTRA;

/** Why nobody can tell whether an item was said before the restore, where another reason is not at hand. */
export const UNTOLD = {
  atWork: 'it came while the session was at work, and may be live',
  late: 'it may be history that came late, or work that goes on',
} as const;

/** After the end of a replay, what had not come to its end live may be told to go on. */
export function mayGoOn(kind: string, hasEnded: boolean): boolean {
  return kind === 'tool' && !hasEnded;
}

/** Whether the children of a session came back whole. */
export type ChildrenBack = 'whole' | 'short' | 'unknown';

/** Of these codes the agent is the author; a report calls such an item synthetic. */
export function isAdded(code: ExtraCode): boolean {
  return !BY_ITSELF.has(code);
}
const BY_ITSELF: ReadonlySet<ExtraCode> = new Set([
  'empty',
  'refused',
  'asked',
  'unknown',
  'again',
  'extra',
]);

/**
 * An item of a replay that nothing live is held against; `isAgain`: it stands in the replay once more.
 * `asked`: of a tool call of which live told nothing but that it asked for a permission, whether it says
 * that it ran without one.
 */
export interface Extra {
  readonly kind: string;
  readonly text: string;
  readonly isEmpty: boolean;
  readonly isAgain?: boolean;
  readonly asked?: 'refused' | 'asked' | undefined;
}

/**
 * `ending`: of the live turn that it stands in. `isKnown`: all that was said live where it stands is
 * known.
 */
export function judgeExtra(
  { kind, text, isEmpty, isAgain = false, asked }: Extra,
  ending: Ending,
  children: () => ChildrenBack,
  isKnown: boolean,
): ExtraCode {
  if (isEmpty) return 'empty';
  if (asked) return asked;
  const made = syntheticText(kind, text);
  if (made?.saysInterrupted) {
    if (ending.cancelled) return 'cancelled';
    if (ending.declined) return 'declined';
    if (ending.cut) return 'cut';
    return isKnown ? 'interrupted' : 'unknown';
  }
  if (made?.saysGap) return GAPS[children()];
  if (made) return made.isFiller ? 'filler' : 'harness';
  if (!isKnown) return 'unknown';
  return isAgain ? 'again' : 'extra';
}

const GAPS = { whole: 'no gap', short: 'gap', unknown: 'some gap' } as const;
