// One pattern and what it is asked of: the lines of a trace, or the few words of it that a field
// takes. What it found is kept, so that only what came since is looked at.
import { formatSpan } from '../../lib/format-time.ts';
import { uint8 } from '../../lib/growable.ts';
import type { TraceIndex } from '../trace-index.ts';
import type { Searched } from './query-match.ts';
import type { Pattern, QueryProblem } from './query.ts';
import type { Patterns, Texts } from './patterns.ts';

/** What a pattern may take in milliseconds: so much in any case, and by what it looks at. */
const LEAST = 1000;
const PER_TEXT = 100 / 10_000;
const PER_MIB = 50;

abstract class Question {
  readonly #pattern: Pattern;
  #texts = 0;
  #mib = 0;
  #took = 0;

  constructor(pattern: Pattern) {
    this.#pattern = pattern;
  }

  /** It was asked of all that the events before `end` say. */
  abstract isAnswered(end: number): boolean;
  /** Of all that there is, from 0 to 1. */
  abstract get part(): number;
  protected abstract next(): Texts;
  protected abstract take(found: Uint8Array): void;
  /** One of the texts of `next`, in words; undefined: it is not known which. */
  protected abstract place(at: number | undefined): string;

  /** Asks it of what is next; the problem, if it was stopped. Called off, it changes nothing. */
  async ask(patterns: Patterns, signal?: AbortSignal): Promise<QueryProblem | undefined> {
    const { pattern, from, to } = this.#pattern;
    const texts = this.next();
    const [count, units] = sizeOf(texts);
    this.#texts += count;
    this.#mib += units / (1 << 20);
    const most = LEAST + Math.max(this.#texts * PER_TEXT, this.#mib * PER_MIB) - this.#took;
    const answer = await patterns.find({ pattern, texts, most }, signal);
    switch (answer.kind) {
      case 'found':
        this.#took += answer.took;
        this.take(answer.found);
        return undefined;
      case 'stopped': {
        const took = formatSpan(this.#took + answer.took);
        const message = `The pattern /${pattern.source}/ was stopped after ${took}: it takes too long on ${this.place(answer.at)}. Make it simpler, without one repeat inside another as in (a+)+, or search for plain text.`;
        return { message, from, to };
      }
      case 'failed':
        return { message: answer.message, from, to };
      case 'aborted':
        return undefined;
    }
  }
}

export class LineQuestion extends Question {
  readonly #index: TraceIndex;
  readonly #searched: Searched;
  /** 1 for each event whose line it is found in, as far as it was asked. */
  readonly #found = uint8();

  constructor(pattern: Pattern, index: TraceIndex, searched: Searched) {
    super(pattern);
    this.#index = index;
    this.#searched = searched;
  }

  isIn(at: number): boolean {
    return this.#found.get(at) === 1;
  }

  isAnswered(end: number): boolean {
    return this.#found.length >= end;
  }

  get part(): number {
    return this.#found.length / Math.max(1, this.#index.length);
  }

  protected next(): Texts {
    return this.#searched.texts(this.#found.length);
  }

  protected take(found: Uint8Array): void {
    for (const one of found) this.#found.push(one);
  }

  protected place(at: number | undefined): string {
    const { connection } = this.#searched;
    const nameOf = (place: number) =>
      `${connection === undefined ? '' : `c${connection}`}#${this.#index.columns.seqOf(place)}`;
    const first = this.#found.length;
    return at === undefined ? `a line from ${nameOf(first)} on` : nameOf(first + at);
  }
}

export class WordQuestion extends Question {
  readonly #words: () => Iterable<string>;
  readonly #found = new Map<string, boolean>();
  #next: readonly string[] = [];

  constructor(pattern: Pattern, words: () => Iterable<string>) {
    super(pattern);
    this.#words = words;
  }

  isIn(word: string): boolean {
    return this.#found.get(word) === true;
  }

  isAnswered(): boolean {
    return this.#unknown().length === 0;
  }

  get part(): number {
    return this.isAnswered() ? 1 : 0;
  }

  protected next(): Texts {
    this.#next = this.#unknown();
    return this.#next;
  }

  protected take(found: Uint8Array): void {
    for (const [i, word] of this.#next.entries()) this.#found.set(word, found[i] === 1);
  }

  protected place(at: number | undefined): string {
    const word = at === undefined ? undefined : this.#next[at];
    return word === undefined ? 'one of the names' : `“${word.slice(0, 60)}”`;
  }

  #unknown(): readonly string[] {
    return [...new Set(this.#words())].filter((word) => !this.#found.has(word));
  }
}

/** Texts, and their bytes or UTF-16 units. */
function sizeOf(texts: Texts): readonly [count: number, units: number] {
  if (!('lines' in texts))
    return [texts.length, texts.reduce((sum, { length }) => sum + length, 0)];
  return [texts.count, texts.lines.length];
}
