// The secrets of one trace: each has one pseudonym wherever it stands, and one that was told by where it
// stood is known from then on by what it says.
import type { TextRule } from '../../lib/secrets/text.ts';

/** What told that something is a secret, or that it is content. */
export type SecretRule = TextRule | 'env' | 'header' | 'key' | 'argument' | 'known' | 'text';

export const SECRET_RULE_WORDS: Readonly<Record<SecretRule, string>> = {
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
/** Known values are at least so long, and are looked for by so many of their first letters. */
const SHORTEST = 6;
/** Of values that begin alike, so many are known. */
const MOST_ALIKE = 1000;

export function isPseudonym(text: string): boolean {
  return text.startsWith('‹') && text.replace(PSEUDONYM, '') === '';
}

export class Book {
  readonly #names = new Map<string, string>();
  /** Values by how they begin. */
  readonly #known = new Map<string, readonly string[]>();
  readonly #first = new Set<number>();
  readonly #values = new Map<SecretRule, number>();
  #last = 0;

  /** `known`: values that are secrets, from outside the trace. */
  constructor(known: readonly string[] = []) {
    for (const value of known) this.#learn(value);
  }

  /** How many different secrets there are, by what told the first of each. */
  get values(): Readonly<Partial<Record<SecretRule, number>>> {
    return Object.fromEntries(this.#values);
  }

  /** A text that may hold pseudonyms already: their numbers are taken. */
  note(text: string): void {
    if (!text.includes('‹redacted:')) return;
    for (const [, number] of text.matchAll(PSEUDONYM))
      this.#last = Math.max(this.#last, Number(number));
  }

  /** The same for the same secret. */
  pseudonym(secret: string, rule: SecretRule): string {
    const named = this.#names.get(secret);
    if (named !== undefined) return named;
    const name = `‹redacted:${rule}:${++this.#last}›`;
    this.#names.set(secret, name);
    this.#values.set(rule, (this.#values.get(rule) ?? 0) + 1);
    if (isTelling(secret, rule)) this.#learn(secret);
    return name;
  }

  /** Where known values stand in a text: it costs the same however many are known. */
  knownIn(text: string): { readonly start: number; readonly end: number }[] {
    const found: { start: number; end: number }[] = [];
    if (this.#known.size === 0) return found;
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      if (!this.#first.has(text.charCodeAt(at))) continue;
      const values = this.#known.get(text.slice(at, at + SHORTEST));
      const value = values?.find((one) => text.startsWith(one, at));
      if (value === undefined) continue;
      found.push({ start: at, end: at + value.length });
      at += value.length - 1;
    }
    return found;
  }

  #learn(value: string): void {
    const bare = value.replace(/^(?:bearer|basic|token)\s+/i, '');
    this.#know(bare);
    if (/^[\x20-\x7e]*$/.test(bare)) this.#know(encodeURIComponent(bare));
  }

  #know(value: string): void {
    if (value.length < SHORTEST) return;
    const begin = value.slice(0, SHORTEST);
    const values = this.#known.get(begin) ?? [];
    if (values.includes(value) || values.length >= MOST_ALIKE) return;
    this.#first.add(value.charCodeAt(0));
    // The longest first: a value may begin with another.
    this.#known.set(
      begin,
      [...values, value].sort((a, b) => b.length - a.length),
    );
  }
}

/** Whether a value is a secret also where nothing but itself says so: no word, path or short number. */
function isTelling(value: string, rule: SecretRule): boolean {
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
