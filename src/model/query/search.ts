// A query held against the events of one trace. Terms on columns are tested where they stand; what has
// to be looked for in lines is asked first, part by part of the trace, each within a budget.
import { formatSpan } from '../../lib/format-time.ts';
import { uint8 } from '../../lib/growable.ts';
import { assertNever } from '../../lib/assert-never.ts';
import type { Finder, Texts } from './find.ts';
import type { Sought } from './lines-with.ts';
import {
  eventTest,
  type TermAnswers,
  type QueryPlace,
  type Searched,
  type EventTest,
} from './match.ts';
import type { Query, QueryProblem } from './query.ts';
import type { TraceIndex } from '../trace-index.ts';

/** What a pattern may take in milliseconds: so much in any case, and by what it looks at. */
const LEAST = 1000;
const PER_TEXT = 100 / 10_000;
const PER_MIB = 50;

export function mostFor(texts: number, mib: number): number {
  return LEAST + Math.max(texts * PER_TEXT, mib * PER_MIB);
}

/**
 * What is asked: of the lines of a trace, or of the few words of it that a field takes. What was found
 * is kept, so that only what came since is looked at.
 */
interface Question<T> {
  isIn(one: T): boolean;
  /** It was asked of all that the events before this place say. */
  reach(): number;
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
    reach: () => found.length,
    next: () => searched.texts(found.length),
    take(more) {
      found.append(more);
    },
    place: (at) =>
      at === undefined ? `a line from ${nameOf(found.length)} on` : nameOf(found.length + at),
  };
}

function ofWords(index: TraceIndex, words: () => Iterable<string>): Question<string> {
  const found = new Map<string, boolean>();
  const unknown = () => [...new Set(words())].filter((word) => !found.has(word));
  let next: readonly string[] = [];
  return {
    isIn: (word) => found.get(word) === true,
    reach: () => (unknown().length === 0 ? index.length : 0),
    next: () => (next = unknown()),
    take: (more) => more.forEach((one, i) => found.set(next[i] ?? '', one === 1)),
    place(at) {
      const word = at === undefined ? undefined : next[at];
      return word === undefined ? 'one of the names' : `“${word.slice(0, 60)}”`;
    },
  };
}

/** What is looked for, where in the query it stands, and what it has taken so far. */
class Asking {
  readonly question: Omit<Question<never>, 'isIn'>;
  readonly #sought: Sought;
  readonly #place: QueryPlace;
  #texts = 0;
  #mib = 0;
  #took = 0;

  constructor(sought: Sought, place: QueryPlace, question: Omit<Question<never>, 'isIn'>) {
    this.#sought = sought;
    this.#place = place;
    this.question = question;
  }

  /** Asks it of what is next; the problem, if it was stopped. Called off, it changes nothing. */
  async ask(finder: Finder, signal?: AbortSignal): Promise<QueryProblem | undefined> {
    const { from, to } = this.#place;
    const sought = this.#sought;
    const texts = this.question.next();
    const [count, units] = sizeOf(texts);
    this.#texts += count;
    this.#mib += units / (1 << 20);
    const most = mostFor(this.#texts, this.#mib) - this.#took;
    const answer = await finder.find({ sought, texts, most }, signal);
    if (signal?.aborted) return undefined;
    switch (answer.kind) {
      case 'found':
        this.#took += answer.took;
        this.question.take(answer.found);
        return undefined;
      case 'stopped': {
        const took = formatSpan(this.#took + answer.took);
        const place = this.question.place(answer.at);
        this.question.take(answer.found);
        const message = `${soughtWords(sought)} was stopped after ${took}: it takes too long on ${place}. Make it simpler, without one repeat inside another as in (a+)+, or search for plain text.`;
        return { message, from, to };
      }
      case 'failed':
        return { message: answer.message, from, to };
      case 'aborted':
        return undefined;
    }
  }
}

function soughtWords(sought: Sought): string {
  switch (sought.kind) {
    case 'pattern':
      return `The pattern /${sought.pattern.source}/`;
    case 'text':
      return `The search for “${sought.text}”`;
    case 'path':
      return 'The search along a path';
    default:
      return assertNever(sought);
  }
}

/** Texts, and their bytes or UTF-16 units. */
function sizeOf(texts: Texts): readonly [count: number, units: number] {
  if (!('ends' in texts)) return [texts.length, texts.reduce((sum, { length }) => sum + length, 0)];
  return [texts.ends.length, texts.bytes.length];
}

export class Search {
  readonly query: Query;
  readonly #index: TraceIndex;
  readonly #searched: Searched;
  readonly #finder: Finder;
  readonly #lines = new Map<object, Question<number>>();
  readonly #words = new Map<object, Question<string>>();
  readonly #asked: Asking[] = [];
  #tests: readonly EventTest[] = [];

  constructor(query: Query, index: TraceIndex, searched: Searched, finder: Finder) {
    this.query = query;
    this.#index = index;
    this.#searched = searched;
    this.#finder = finder;
    this.retest();
  }

  /** One for each part of the query, in their order. They may be asked of events before `end`. */
  get tests(): readonly EventTest[] {
    return this.#tests;
  }

  /** Whether all parts let an event before `end` through. */
  test(at: number): boolean {
    return this.#tests.every((test) => test(at));
  }

  /** All places before `end` that it lets through. */
  places(): readonly number[] {
    const { end } = this;
    const found: number[] = [];
    for (let at = 0; at < end; at++) if (this.test(at)) found.push(at);
    return found;
  }

  /** The place before which all that is asked is known. */
  get end(): number {
    return this.#asked.reduce(
      (least, { question }) => Math.min(least, question.reach()),
      this.#index.length,
    );
  }

  /** There is nothing to `ask`. */
  get isReady(): boolean {
    return this.end === this.#index.length;
  }

  /** How much of the asking is done, from 0 to 1. */
  get part(): number {
    return this.end / Math.max(1, this.#index.length);
  }

  /**
   * Asks of all that the index holds by now, and moves `end`. The problem of what was stopped: events
   * before `end` may be asked all the same. `told`: `end` is another.
   */
  async ask(signal?: AbortSignal, told?: () => void): Promise<QueryProblem | undefined> {
    const until = this.#index.length;
    for (;;) {
      const { end } = this;
      const behind = this.#asked.filter(({ question }) => question.reach() < until);
      if (behind.length === 0) return undefined;
      for (const asking of behind) {
        const problem = await asking.ask(this.#finder, signal);
        if (signal?.aborted || problem) return problem;
      }
      if (this.end !== end) told?.();
    }
  }

  /** To be called where what is known of an event beside its line, as findings, has changed. */
  retest(): void {
    const index = this.#index;
    const answers: TermAnswers = {
      inLine: (one, sought, place) =>
        this.#question(this.#lines, one, { sought, place }, () => ofLines(index, this.#searched))
          .isIn,
      inWord: (one, words) => {
        const sought: Sought = { kind: 'pattern', pattern: one.pattern };
        return this.#question(this.#words, one, { sought, place: one }, () => ofWords(index, words))
          .isIn;
      },
    };
    this.#tests = this.query.map(({ expr }) => eventTest(expr, index, this.#searched, answers));
  }

  #question<T>(
    known: Map<object, Question<T>>,
    one: object,
    { sought, place }: { readonly sought: Sought; readonly place: QueryPlace },
    make: () => Question<T>,
  ): Question<T> {
    const before = known.get(one);
    if (before !== undefined) return before;
    const made = make();
    known.set(one, made);
    this.#asked.push(new Asking(sought, place, made));
    return made;
  }
}
