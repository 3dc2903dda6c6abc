// A query held against the events of one trace. Its plain terms are tested where they stand; its
// patterns are asked first, as far as the trace goes, each within a budget.
import { formatSpan } from '../../lib/format-time.ts';
import { uint8 } from '../../lib/growable.ts';
import type { Patterns, Texts } from './patterns.ts';
import { testOf, type Answers, type Searched, type Test } from './query-match.ts';
import type { Pattern, QueryProblem, Term } from './query.ts';
import type { TraceIndex } from '../trace-index.ts';

// One pattern and what it is asked of: the lines of a trace, or the few words of it that a field
// takes. What it found is kept, so that only what came since is looked at.

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

class LineQuestion extends Question {
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

class WordQuestion extends Question {
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

export class Search {
  readonly terms: readonly Term[];
  readonly #index: TraceIndex;
  readonly #searched: Searched;
  readonly #patterns: Patterns;
  readonly #lines = new Map<Pattern, LineQuestion>();
  readonly #words = new Map<Pattern, WordQuestion>();
  #tests: readonly Test[] = [];
  #end = 0;

  constructor(terms: readonly Term[], index: TraceIndex, searched: Searched, patterns: Patterns) {
    this.terms = terms;
    this.#index = index;
    this.#searched = searched;
    this.#patterns = patterns;
    this.retest();
  }

  /** One for each term, in their order. They may be asked of events before `end`. */
  get tests(): readonly Test[] {
    return this.#tests;
  }

  /** Whether all terms let an event before `end` through. */
  test(at: number): boolean {
    return this.#tests.every((test) => test(at));
  }

  get end(): number {
    return this.#questions.length === 0 ? this.#index.length : this.#end;
  }

  /** There is nothing to `ask`: not of an event, nor of what is known about one. */
  get isReady(): boolean {
    const { length } = this.#index;
    return this.end === length && this.#questions.every((one) => one.isAnswered(length));
  }

  /** How much of the asking is done, from 0 to 1. */
  get part(): number {
    const parts = this.#questions.map(({ part }) => part);
    return parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
  }

  /**
   * Asks the patterns of all that the index holds by now; `end` then stands behind it. The problem of
   * one that was stopped: events before `end` may be asked all the same. `told`: `part` is another.
   */
  async ask(signal?: AbortSignal, told?: () => void): Promise<QueryProblem | undefined> {
    if (this.#questions.length === 0) return undefined;
    const end = this.#index.length;
    for (const question of this.#questions)
      while (!question.isAnswered(end)) {
        const problem = await question.ask(this.#patterns, signal);
        if (signal?.aborted || problem) return problem;
        told?.();
      }
    this.#end = end;
    return undefined;
  }

  /** To be called where what is known of an event beside its line, as findings, has changed. */
  retest(): void {
    const answers: Answers = {
      inLine: (pattern) => {
        const make = () => new LineQuestion(pattern, this.#index, this.#searched);
        const lines = madeOnce(this.#lines, pattern, make);
        return (at) => lines.isIn(at);
      },
      inWord: (pattern, words) => {
        const known = madeOnce(this.#words, pattern, () => new WordQuestion(pattern, words));
        return (word) => known.isIn(word);
      },
    };
    this.#tests = this.terms.map((term) => testOf(term, this.#index, this.#searched, answers));
  }

  get #questions(): readonly (LineQuestion | WordQuestion)[] {
    return [...this.#lines.values(), ...this.#words.values()];
  }
}

function madeOnce<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}
