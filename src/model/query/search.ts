// A query held against the events of one trace. Its plain terms are tested where they stand; its
// patterns are asked first, as far as the trace goes, each within a budget.
import { formatSpan } from '../../lib/format-time.ts';
import { uint8 } from '../../lib/growable.ts';
import type { Patterns, Texts } from './patterns.ts';
import { testOf, type Answers, type Searched, type Test } from './query-match.ts';
import type { Pattern, QueryProblem, Term } from './query.ts';
import type { TraceIndex } from '../trace-index.ts';

/** What a pattern may take in milliseconds: so much in any case, and by what it looks at. */
const LEAST = 1000;
const PER_TEXT = 100 / 10_000;
const PER_MIB = 50;

/**
 * What one pattern is asked of: the lines of a trace, or the few words of it that a field takes. What
 * it found is kept, so that only what came since is looked at.
 */
interface Question<T> {
  isIn(one: T): boolean;
  /** It was asked of all that the events before `end` say. */
  isAnswered(end: number): boolean;
  /** Of all that there is, from 0 to 1. */
  part(): number;
  next(): Texts;
  take(found: Uint8Array): void;
  /** One of the texts of `next`, in words; undefined: it is not known which. */
  place(at: number | undefined): string;
}

function ofLines(index: TraceIndex, searched: Searched): Question<number> {
  /** 1 for each event whose line it is found in, as far as it was asked. */
  const found = uint8();
  const { connection } = searched;
  const nameOf = (place: number) =>
    `${connection === undefined ? '' : `c${connection}`}#${index.columns.seqOf(place)}`;
  return {
    isIn: (at) => found.get(at) === 1,
    isAnswered: (end) => found.length >= end,
    part: () => found.length / Math.max(1, index.length),
    next: () => searched.texts(found.length),
    take(more) {
      for (const one of more) found.push(one);
    },
    place: (at) =>
      at === undefined ? `a line from ${nameOf(found.length)} on` : nameOf(found.length + at),
  };
}

function ofWords(words: () => Iterable<string>): Question<string> {
  const found = new Map<string, boolean>();
  const unknown = () => [...new Set(words())].filter((word) => !found.has(word));
  let next: readonly string[] = [];
  return {
    isIn: (word) => found.get(word) === true,
    isAnswered: () => unknown().length === 0,
    part: () => (unknown().length === 0 ? 1 : 0),
    next: () => (next = unknown()),
    take: (more) => next.forEach((word, i) => found.set(word, more[i] === 1)),
    place(at) {
      const word = at === undefined ? undefined : next[at];
      return word === undefined ? 'one of the names' : `“${word.slice(0, 60)}”`;
    },
  };
}

/** A pattern, and what it has taken so far. */
class Asking {
  readonly question: Omit<Question<never>, 'isIn'>;
  readonly #pattern: Pattern;
  #texts = 0;
  #mib = 0;
  #took = 0;

  constructor(pattern: Pattern, question: Omit<Question<never>, 'isIn'>) {
    this.#pattern = pattern;
    this.question = question;
  }

  /** Asks it of what is next; the problem, if it was stopped. Called off, it changes nothing. */
  async ask(patterns: Patterns, signal?: AbortSignal): Promise<QueryProblem | undefined> {
    const { pattern, from, to } = this.#pattern;
    const texts = this.question.next();
    const [count, units] = sizeOf(texts);
    this.#texts += count;
    this.#mib += units / (1 << 20);
    const most = LEAST + Math.max(this.#texts * PER_TEXT, this.#mib * PER_MIB) - this.#took;
    const answer = await patterns.find({ pattern, texts, most }, signal);
    switch (answer.kind) {
      case 'found':
        this.#took += answer.took;
        this.question.take(answer.found);
        return undefined;
      case 'stopped': {
        const took = formatSpan(this.#took + answer.took);
        const place = this.question.place(answer.at);
        const message = `The pattern /${pattern.source}/ was stopped after ${took}: it takes too long on ${place}. Make it simpler, without one repeat inside another as in (a+)+, or search for plain text.`;
        return { message, from, to };
      }
      case 'failed':
        return { message: answer.message, from, to };
      case 'aborted':
        return undefined;
    }
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
  readonly #lines = new Map<Pattern, Question<number>>();
  readonly #words = new Map<Pattern, Question<string>>();
  readonly #asked: Asking[] = [];
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
    return this.#asked.length === 0 ? this.#index.length : this.#end;
  }

  /** There is nothing to `ask`: not of an event, nor of what is known about one. */
  get isReady(): boolean {
    const { length } = this.#index;
    return this.end === length && this.#asked.every(({ question }) => question.isAnswered(length));
  }

  /** How much of the asking is done, from 0 to 1. */
  get part(): number {
    const parts = this.#asked.map(({ question }) => question.part());
    return parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
  }

  /**
   * Asks the patterns of all that the index holds by now; `end` then stands behind it. The problem of
   * one that was stopped: events before `end` may be asked all the same. `told`: `part` is another.
   */
  async ask(signal?: AbortSignal, told?: () => void): Promise<QueryProblem | undefined> {
    if (this.#asked.length === 0) return undefined;
    const end = this.#index.length;
    for (const asking of this.#asked)
      while (!asking.question.isAnswered(end)) {
        const problem = await asking.ask(this.#patterns, signal);
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
        const make = () => ofLines(this.#index, this.#searched);
        return this.#question(this.#lines, pattern, make).isIn;
      },
      inWord: (pattern, words) => this.#question(this.#words, pattern, () => ofWords(words)).isIn,
    };
    this.#tests = this.terms.map((term) => testOf(term, this.#index, this.#searched, answers));
  }

  #question<T>(
    known: Map<Pattern, Question<T>>,
    pattern: Pattern,
    make: () => Question<T>,
  ): Question<T> {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    const made = make();
    known.set(pattern, made);
    this.#asked.push(new Asking(pattern, made));
    return made;
  }
}
