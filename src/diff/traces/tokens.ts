// What is compared, as numbers: each entry gets a token that is the same where two entries say the
// same but for what aliases stand for, and the list of real values that stand in it, in their order.
import { isArray } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { int32, uint32 } from '../../lib/growable.ts';
import { Interner } from '../../lib/interner.ts';
import type { Masks, Put } from './masks.ts';
import { ALIAS_KINDS, type AliasKind } from './report.ts';

/** Real values of one side that aliases stand for, by number. */
export class RealValues {
  readonly #numbers = new Map<string, number>();
  readonly kinds: AliasKind[] = [];
  readonly reals: string[] = [];
  readonly uses: number[] = [];

  of(kind: AliasKind, real: string): number {
    // Times are all one: which is which says nothing.
    const key = kind === 'time' ? kind : `${kind} ${real}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) {
      this.uses[known] = (this.uses[known] ?? 0) + 1;
      return known;
    }
    const number = this.reals.length;
    this.#numbers.set(key, number);
    this.kinds.push(kind);
    this.reals.push(real);
    this.uses.push(1);
    return number;
  }

  find(kind: AliasKind, real: string): number | undefined {
    return this.#numbers.get(kind === 'time' ? kind : `${kind} ${real}`);
  }
}

/** Texts of tokens, shared by both sides. */
export class TokenBook {
  readonly texts = new Interner();
  readonly names = new Interner();
}

/** Deeper than any message; what is below counts as equal text only. */
const DEEPEST = 200;

export class Tokens {
  readonly values = new RealValues();
  /** Equal: the same but for aliases. */
  readonly wild = int32();
  /** Equal: and about a request, tool call or terminal that began with the same words. */
  readonly strong = int32();
  /** Equal: of one kind, whatever they say. */
  readonly name = int32();
  /** Where the values of each entry begin in `found`; one more than there are entries. */
  readonly starts = uint32();
  readonly found = uint32();
  readonly #masks: Masks;
  readonly #book: TokenBook;
  /** By number of a request, tool call or terminal: the token of the entry that spoke of it first. */
  readonly #signs: (number | undefined)[] = [];
  #text = '';

  constructor(masks: Masks, book: TokenBook) {
    this.#masks = masks;
    this.#book = book;
    this.starts.push(0);
  }

  get length(): number {
    return this.wild.length;
  }

  /** `asker`: who asked what the root's `id` names, where that is a request id. */
  add(name: string, value: Json, asker: 'client' | 'agent' | undefined): void {
    this.#text = '';
    const from = this.found.length;
    if (asker === undefined) this.#write(value, '', '', 0);
    else this.#writeMessage(value, asker);
    const wild = this.#book.texts.of(this.#text);
    this.name.push(this.#book.names.of(name));
    this.wild.push(wild);
    this.strong.push(this.#strong(wild, from));
    this.starts.push(this.found.length);
    this.#text = '';
  }

  #strong(wild: number, from: number): number {
    let signs = '';
    for (let at = from; at < this.found.length; at++) {
      const value = this.found.get(at);
      const kind = this.values.kinds[value];
      if (kind !== 'tool' && kind !== 'terminal' && kind !== 'request') continue;
      const sign = (this.#signs[value] ??= wild);
      if (sign !== wild) signs += ` ${sign}`;
    }
    return signs === '' ? wild : this.#book.texts.of(`\u0002${wild}${signs}`);
  }

  readonly #put: Put = (kind, real) => {
    this.found.push(this.values.of(kind, real));
    return LETTERS[kind];
  };

  #writeMessage(value: Json, asker: 'client' | 'agent'): void {
    const { id, ...rest } = value as JsonObject;
    if (id !== undefined)
      this.#text += `id:${this.#masks.request(JSON.stringify(id), asker, this.#put)};`;
    this.#write(rest, '', '', 0);
  }

  #write(value: Json, key: string, parent: string, depth: number): void {
    if (typeof value === 'string') {
      const text = this.#masks.text(value, key, parent, this.#put);
      this.#text += `${text.length}:${text}`;
    } else if (typeof value === 'number')
      this.#text += `#${this.#masks.number(value, key, this.#put) ?? value};`;
    else if (typeof value !== 'object' || value === null) this.#text += `${value};`;
    else if (depth > DEEPEST) this.#text += JSON.stringify(value);
    else if (isArray(value)) {
      this.#text += '[';
      for (const item of value) this.#write(item, key, parent, depth + 1);
      this.#text += ']';
    } else {
      const object = value as JsonObject;
      this.#text += '{';
      for (const inner of Object.keys(object).sort()) {
        this.#text += `${inner}=`;
        this.#write(object[inner] ?? null, inner, key, depth + 1);
      }
      this.#text += '}';
    }
  }
}

/** What stands in a token for a value of each kind. */
const LETTERS = Object.fromEntries(
  ALIAS_KINDS.map((kind, at) => [kind, `\u0001${String.fromCharCode(65 + at)}`]),
) as Readonly<Record<AliasKind, string>>;
