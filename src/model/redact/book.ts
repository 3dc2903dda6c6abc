// The secrets of one trace: each has one pseudonym wherever it stands, and one that was told by where it
// stood is known from then on by what it says.
import type { TextRule } from '../../lib/secrets/text.ts';

/** What told that something is a secret, or that it is content. */
export type Rule = TextRule | 'env' | 'header' | 'key' | 'argument' | 'known' | 'text';

export const RULES: Readonly<Record<Rule, string>> = {
  env: 'values of environment variables',
  header: 'values of headers',
  key: 'values under a key that names a secret',
  argument: 'arguments of commands',
  token: 'tokens known by how they begin',
  'private-key': 'private keys',
  authorization: 'credentials and cookies',
  url: 'credentials and signatures in addresses',
  assignment: 'values assigned to a name of a secret',
  known: 'values known as secrets from elsewhere',
  text: 'texts that the level leaves out',
};

/** Stands where a secret was: `‹redacted:env:12›`. The number is the secret's, in this file. */
const PSEUDONYM = /‹redacted:[a-z-]{1,20}:(\d{1,9})›/g;
const MOST_KNOWN = 2000;

export function isPseudonym(text: string): boolean {
  return text.startsWith('‹') && text.replace(PSEUDONYM, '') === '';
}

export class Book {
  readonly #names = new Map<string, string>();
  readonly #known = new Set<string>();
  readonly #values = new Map<Rule, number>();
  #pattern: RegExp | undefined;
  #last = 0;

  /** `known`: values that are secrets, from outside the trace. */
  constructor(known: readonly string[] = []) {
    for (const value of known) if (value.length >= 6) this.#learn(value);
  }

  /** How many different secrets there are, by what told the first of each. */
  get values(): Readonly<Partial<Record<Rule, number>>> {
    return Object.fromEntries(this.#values);
  }

  /** A text that may hold pseudonyms already: their numbers are taken. */
  note(text: string): void {
    if (!text.includes('‹redacted:')) return;
    for (const [, number] of text.matchAll(PSEUDONYM))
      this.#last = Math.max(this.#last, Number(number));
  }

  /** The same for the same secret. */
  pseudonym(secret: string, rule: Rule): string {
    const named = this.#names.get(secret);
    if (named !== undefined) return named;
    const name = `‹redacted:${rule}:${++this.#last}›`;
    this.#names.set(secret, name);
    this.#values.set(rule, (this.#values.get(rule) ?? 0) + 1);
    if (isTelling(secret, rule)) this.#learn(secret);
    return name;
  }

  /** Where known values stand in a text. */
  knownIn(text: string): { readonly start: number; readonly end: number }[] {
    if (this.#known.size === 0) return [];
    this.#pattern ??= new RegExp(
      [...this.#known]
        .sort((a, b) => b.length - a.length)
        .map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
        .join('|'),
      'g',
    );
    return [...text.matchAll(this.#pattern)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    }));
  }

  #learn(value: string): void {
    if (this.#known.size >= MOST_KNOWN) return;
    const bare = value.replace(/^(?:bearer|basic|token)\s+/i, '');
    this.#known.add(bare);
    if (/^[\x20-\x7e]*$/.test(bare)) this.#known.add(encodeURIComponent(bare));
    this.#pattern = undefined;
  }
}

/** Whether a value is a secret also where nothing but itself says so: no word, path or short number. */
function isTelling(value: string, rule: Rule): boolean {
  if (value.length < 8 || value.length > 4096 || rule === 'text') return false;
  if (/^(?:\/|~|\.|[a-z]:\\|https?:|[\w.-]+$)/i.test(value) && rule === 'env' && !isMixed(value))
    return false;
  return rule === 'token' || rule === 'private-key' || isMixed(value);
}

/** Letters and digits, or letters of both sizes, as words of prose have not. */
function isMixed(value: string): boolean {
  const mixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  return (
    (mixed && /[A-Z]|\d.*\d/.test(value)) ||
    /[a-z][A-Z].*[A-Z]/.test(value) ||
    /\w\W+\w.*\W/.test(value)
  );
}
