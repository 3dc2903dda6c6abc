// A query held against the events of one trace. Its plain terms are tested where they stand; its
// patterns are asked first, as far as the trace goes, each within a budget.
import type { TraceIndex } from '../trace-index.ts';
import { testOf, type Answers, type Searched, type Test } from './query-match.ts';
import type { Pattern, QueryProblem, Term } from './query.ts';
import type { Patterns } from './patterns.ts';
import { LineQuestion, WordQuestion } from './question.ts';

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
