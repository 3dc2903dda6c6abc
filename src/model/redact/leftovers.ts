// The last look at what leaves: what may still tell something about a person or open something, though no
// rule says so. It changes nothing.
import type { TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

type Leftover = 'email' | 'home' | 'random';

export const LEFTOVERS: Readonly<Record<Leftover, string>> = {
  email: 'addresses of mail',
  home: 'folders that name a user',
  random: 'long random words, which may be keys',
};

const PATTERNS: Readonly<Record<Leftover, RegExp>> = {
  // Without what npm names a version by: name@1.0.6.
  email: /(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[A-Za-z][\w-]{1,62}/g,
  home: /(?:\/home\/|\/Users\/|[A-Z]:\\{1,4}Users\\{1,4})(?!Shared\b|Public\b)[\w.-]{1,64}/g,
  random: /(?<![\w+/=-])[\w+/=-]{32,200}(?![\w+/=-])/g,
};
/** What stands under these is an id, and is meant to be seen. */
const ID = /"(?:id|\w*(?:Id|_id|Ids|sha256|[cC]ursor|[hH]ash|[sS]ignature))\\*"\s*:\s*\[?\\*"$/;
const MOST_SHOWN = 20;

export interface LeftoverCount {
  readonly kind: Leftover;
  /** How many different ones. */
  count: number;
  /** Where the first of them stand. */
  readonly seqs: number[];
}

export class Leftovers {
  readonly #seen = new Set<string>();
  readonly #counts = new Map<Leftover, LeftoverCount>();

  get counts(): readonly LeftoverCount[] {
    return [...this.#counts.values()];
  }

  take(event: TraceEvent): void {
    if (!('line' in event)) return;
    const text = lineText(event.line);
    for (const [kind, pattern] of Object.entries(PATTERNS) as [Leftover, RegExp][]) {
      // To look for the sign costs a hundredth.
      if (kind === 'email' && !text.includes('@')) continue;
      for (const { 0: found, index } of text.matchAll(pattern)) {
        if (kind === 'random' && !isRandom(found, text.slice(Math.max(0, index - 60), index)))
          continue;
        this.#count(kind, found, event.seq);
      }
    }
  }

  #count(kind: Leftover, found: string, seq: number): void {
    const count = this.#counts.get(kind) ?? { kind, count: 0, seqs: [] };
    this.#counts.set(kind, count);
    const isNew = !this.#seen.has(found);
    if (!isNew || this.#seen.size >= MOST_SEEN) return;
    this.#seen.add(found);
    count.count++;
    if (count.seqs.length < MOST_SHOWN) count.seqs.push(seq);
  }
}

/** Past this no more are told apart. */
const MOST_SEEN = 20_000;

function isRandom(word: string, before: string): boolean {
  if (ID.test(before) || word.includes('/') || /^[0-9a-f-]{36}$/.test(word)) return false;
  if (!/\d/.test(word) || !/[a-z]/.test(word) || !/[A-Z]/.test(word)) return false;
  return entropy(word) > 4;
}

/** Bits a letter. */
function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}
