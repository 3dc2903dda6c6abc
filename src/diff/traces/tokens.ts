// What is compared, as numbers: each entry gets a token that is the same where two entries say the
// same but for what aliases stand for, and the list of real values that stand in it, in their order.
import { isArray, isObject, jsonText } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Masks, Put } from './masks.ts';
import { int32, uint32 } from '../../lib/growable.ts';
import { ALIAS_KINDS, type AliasKind } from '../../model/sessions/compare-terms.ts';

// Numbers for what tokens are made of, the same on both sides. What it was made of is not kept, only
// 64 bits of it, mixed with numbers of this comparison alone: nobody can write a trace in which two
// texts meet. An open table of numbers: a Map of as many would cost an object for each.

const SMALLEST = 1 << 12;

export class TokenBook {
  readonly seeds = [random(), random()] as const;
  /** Two halves for each number, in the order of numbers. */
  #halves = new Int32Array(SMALLEST);
  /** Numbers plus one, by their halves; 0 is free. At most half of them are taken. */
  #slots = new Int32Array(SMALLEST);
  #size = 0;

  of(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let slot = (high ^ Math.imul(low, SPREAD)) & mask;
    for (let taken = this.#slots[slot] ?? 0; taken > 0; taken = this.#slots[slot] ?? 0) {
      const at = (taken - 1) * 2;
      if (this.#halves[at] === high && this.#halves[at + 1] === low) return taken - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.#size++;
    this.#slots[slot] = number + 1;
    this.#halves[number * 2] = high;
    this.#halves[number * 2 + 1] = low;
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    const length = this.#slots.length * 4;
    const halves = new Int32Array(length);
    halves.set(this.#halves);
    this.#halves = halves;
    this.#slots = new Int32Array(length);
    for (let number = 0; number < this.#size; number++) {
      const low = halves[number * 2 + 1] ?? 0;
      let slot = ((halves[number * 2] ?? 0) ^ Math.imul(low, SPREAD)) & (length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (length - 1);
      this.#slots[slot] = number + 1;
    }
  }
}

const SPREAD = 0x9e3779b1;

function random(): number {
  return Math.trunc(Math.random() * 2 ** 32) | 0;
}

/** Real values of one side that aliases stand for, by number. */
export class RealValues {
  readonly #numbers = new Map<AliasKind, Map<string, number>>();
  readonly kinds: AliasKind[] = [];
  readonly reals: string[] = [];
  readonly uses: number[] = [];

  of(kind: AliasKind, real: string): number {
    let numbers = this.#numbers.get(kind);
    if (!numbers) this.#numbers.set(kind, (numbers = new Map<string, number>()));
    // Times are all one: which is which says nothing.
    const known = kind === 'time' ? numbers.values().next().value : numbers.get(real);
    if (known !== undefined) {
      this.count(known, 1);
      return known;
    }
    const number = this.reals.length;
    numbers.set(real, number);
    this.kinds.push(kind);
    this.reals.push(real);
    this.uses.push(1);
    return number;
  }

  /** Used so many times more than it was asked for. */
  count(number: number, more: number): void {
    this.uses[number] = (this.uses[number] ?? 0) + more;
  }

  find(kind: AliasKind, real: string): number | undefined {
    const numbers = this.#numbers.get(kind);
    return kind === 'time' ? numbers?.values().next().value : numbers?.get(real);
  }
}

/** A piece of a text, of a message that may be named. */
export interface MessageChunk {
  readonly sessionId: string;
  readonly messageId: string | undefined;
  readonly text: string;
}

/** Chunks of one message in a row. */
interface Run {
  readonly name: string;
  readonly sessionId: string;
  readonly messageId: string | undefined;
  readonly texts: string[];
}

/** What is below counts as one text. */
const DEEPEST = 200;
const MOST_KEYS = 10_000;

/**
 * Entries of a lane as units: each entry is one, but chunks of one message in a row are one together.
 */
export class Tokens {
  readonly values = new RealValues();
  /** Of each unit. Equal: the same but for aliases. */
  readonly wild = int32();
  /** Equal: and about a request, tool call or terminal that began with the same words. */
  readonly strong = int32();
  /** Where the values of each unit begin in `found`; one more than there are units. */
  readonly starts = uint32();
  readonly found = uint32();
  /** The first entry of each unit; one more than there are units. */
  readonly begins = uint32();
  /** The unit of each entry. */
  readonly unitOf = uint32();
  /** Of chunks in a row: a token for whose text it is, and where its values end; else -1. */
  readonly heads = int32();
  readonly headEnds = uint32();
  readonly #masks: Masks;
  readonly #book: TokenBook;
  /** By number of a request, tool call or terminal: the token of the unit that spoke of it first. */
  readonly #signs: (number | undefined)[] = [];
  readonly #keys = new Map<string, readonly [high: number, low: number]>();
  #run: Run | undefined;
  #high = 0;
  #low = 0;

  constructor(masks: Masks, book: TokenBook) {
    this.#masks = masks;
    this.#book = book;
    this.starts.push(0);
    this.begins.push(0);
  }

  /** How many units. */
  get length(): number {
    return this.wild.length;
  }

  isRun(unit: number): boolean {
    return this.heads.get(unit) >= 0;
  }

  /** `asker`: who asked what the root's `id` names, where that is a request id. */
  add(name: string, value: Json, asker?: 'client' | 'agent'): void {
    this.end();
    const from = this.#begin(name);
    if (asker === undefined || !isObject(value)) this.#take(value, '', '', 0);
    else {
      const { id, ...rest } = value;
      if (id !== undefined) this.#text(this.#masks.request(JSON.stringify(id), asker, this.#put));
      this.#take(rest, '', '', 0);
    }
    this.#finish(from, 1, -1, 0);
  }

  /** Goes on with the chunk before, if that is of the same message; `end` after the last one. */
  addChunk(name: string, { sessionId, messageId, text }: MessageChunk): void {
    const run = this.#run;
    const goesOn = run?.name === name && run.sessionId === sessionId && run.messageId === messageId;
    if (goesOn) return void run.texts.push(text);
    this.end();
    this.#run = { name, sessionId, messageId, texts: [text] };
  }

  end(): void {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    const { name, sessionId, messageId, texts } = run;
    const from = this.#begin(name);
    this.#text(this.#masks.text(sessionId, 'sessionId', 'params', this.#put));
    if (messageId !== undefined)
      this.#text(this.#masks.text(messageId, 'messageId', 'update', this.#put));
    const head = this.#book.of(this.#high, this.#low);
    const headEnd = this.found.length;
    for (let at = from; at < headEnd; at++) this.values.count(this.found.get(at), texts.length - 1);
    this.#text(this.#masks.text(texts.join(''), 'text', 'content', this.#put));
    this.#finish(from, texts.length, head, headEnd);
  }

  /**
   * Tokens of single entries, also of those that are one unit together. `chunk`: what each of these
   * says.
   */
  ofEntries(from: number, to: number, chunk: (at: number) => string | undefined): Int32Array {
    const tokens = new Int32Array(to - from);
    for (let at = from; at < to; at++) {
      const unit = this.unitOf.get(at);
      tokens[at - from] = this.isRun(unit)
        ? this.#piece(this.heads.get(unit), chunk(at) ?? '')
        : this.wild.get(unit);
    }
    return tokens;
  }

  /** A token of a value that is left out: it takes no part in names. */
  ofLeftOut(value: Json, key: string): number {
    [this.#high, this.#low] = this.#book.seeds;
    const put = this.#put;
    this.#put = letterOf;
    this.#take(value, key, '', 0);
    this.#put = put;
    return this.#book.of(this.#high, this.#low);
  }

  #piece(head: number, text: string): number {
    [this.#high, this.#low] = this.#book.seeds;
    this.#mix(PIECE);
    this.#mix(head);
    this.#text(this.#masks.text(text, 'text', 'content', letterOf));
    return this.#book.of(this.#high, this.#low);
  }

  #begin(name: string): number {
    [this.#high, this.#low] = this.#book.seeds;
    // A thought is no message, a mode no model, whatever they say.
    this.#text(name);
    return this.found.length;
  }

  #finish(from: number, entries: number, head: number, headEnd: number): void {
    const wild = this.#book.of(this.#high, this.#low);
    const unit = this.wild.length;
    this.wild.push(wild);
    this.strong.push(this.#strong(wild, from));
    this.starts.push(this.found.length);
    this.heads.push(head);
    this.headEnds.push(headEnd);
    for (let at = 0; at < entries; at++) this.unitOf.push(unit);
    this.begins.push(this.unitOf.length);
  }

  #strong(wild: number, from: number): number {
    let isSigned = false;
    for (let at = from; at < this.found.length; at++) {
      const value = this.found.get(at);
      const kind = this.values.kinds[value];
      if (kind !== 'tool' && kind !== 'terminal' && kind !== 'request') continue;
      const sign = (this.#signs[value] ??= wild);
      if (sign === wild) continue;
      isSigned = true;
      this.#mix(sign);
    }
    return isSigned ? this.#book.of(this.#high, this.#low) : wild;
  }

  #put: Put = (kind, real) => {
    this.found.push(this.values.of(kind, real));
    return LETTERS[kind];
  };

  #mix(code: number): void {
    this.#high = Math.imul(this.#high ^ code, 0x5bd1e995);
    this.#high ^= this.#high >>> 13;
    this.#low = Math.imul(this.#low ^ code, 0x01000193);
    this.#low ^= this.#low >>> 15;
  }

  #text(text: string): void {
    this.#mix(text.length);
    let [high, low] = [this.#high, this.#low];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 0x5bd1e995);
      high ^= high >>> 13;
      low = Math.imul(low ^ code, 0x01000193);
      low ^= low >>> 15;
    }
    [this.#high, this.#low] = [high, low];
  }

  /**
   * Where a key leads from the seeds: the same few stand in every entry. Some are ids or paths, of
   * which nothing is kept.
   */
  #key(key: string): void {
    const known = this.#keys.get(key);
    if (known) {
      [this.#high, this.#low] = known;
      return;
    }
    [this.#high, this.#low] = this.#book.seeds;
    const text = this.#masks.text(key, '', '', this.#put);
    this.#text(text);
    if (text === key && this.#keys.size < MOST_KEYS) this.#keys.set(key, [this.#high, this.#low]);
  }

  #take(value: Json, key: string, parent: string, depth: number): void {
    if (typeof value === 'string') {
      this.#mix(STRING);
      this.#text(this.#masks.text(value, key, parent, this.#put));
    } else if (typeof value === 'number') {
      this.#mix(NUMBER);
      this.#text(this.#masks.number(value, key, this.#put) ?? String(value));
    } else if (typeof value !== 'object' || value === null) this.#text(String(value));
    else if (depth > DEEPEST) this.#text(jsonText(value));
    else if (isArray(value)) {
      this.#mix(ARRAY);
      for (const item of value) this.#take(item, key, parent, depth + 1);
      this.#mix(END);
    } else this.#takeObject(value as JsonObject, key, depth);
  }

  /** The order of keys says nothing: each is taken alone, and all are summed up. */
  #takeObject(object: JsonObject, key: string, depth: number): void {
    const [high, low] = [this.#high, this.#low];
    let [sumHigh, sumLow, keys] = [0, 0, 0];
    for (const inner in object) {
      this.#key(inner);
      this.#take(object[inner] ?? null, inner, key, depth + 1);
      this.#mix(END);
      sumHigh = (sumHigh + this.#high) | 0;
      sumLow = (sumLow + this.#low) | 0;
      keys++;
    }
    this.#high = high;
    this.#low = low;
    this.#mix(OBJECT + keys);
    this.#mix(sumHigh);
    this.#mix(sumLow);
  }
}

/** What tells the kinds of JSON apart: no lengths and no letters. */
const STRING = 0x10000001;
const NUMBER = 0x10000002;
const ARRAY = 0x10000003;
const END = 0x10000004;
const PIECE = 0x10000005;
const OBJECT = 0x20000000;

/** What stands in a token for a value of each kind. */
const LETTERS = Object.fromEntries(
  ALIAS_KINDS.map((kind, at) => [kind, `\u0001${String.fromCharCode(65 + at)}`]),
) as Readonly<Record<AliasKind, string>>;

const letterOf: Put = (kind) => LETTERS[kind];
