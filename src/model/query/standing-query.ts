// The query of a view: the one that holds, and the next while its patterns are being asked. One that
// is broken, or whose patterns take too long, is told and changes nothing else.
import { parseQuery, type QueryProblem, type Term } from './query.ts';
import type { Search } from './search.ts';

interface Listener {
  /** This search holds from now on; or what it lets through is to be looked at anew. */
  holds(search: Search): void;
  /** The search that holds may be asked of more events. */
  reaches(): void;
  /** What is told of the query has changed by itself; `rows`: and what it lets through. */
  changed(what: 'progress' | 'rows'): void;
}

const NOT_SHOWN = 'What comes from there on is not shown.';

export class StandingQuery {
  readonly #searchFor: (terms: readonly Term[]) => Search;
  readonly #listener: Listener;
  #text = '';
  #problem: QueryProblem | undefined;
  #search: Search;
  #next: { readonly search: Search; readonly done: Promise<void> } | undefined;
  #nextStop = new AbortController();
  /** Of the search that holds, while it is asked of what came since; it stays where that failed. */
  #growStop: AbortController | undefined;

  constructor(searchFor: (terms: readonly Term[]) => Search, listener: Listener) {
    this.#searchFor = searchFor;
    this.#listener = listener;
    this.#search = searchFor([]);
  }

  /** As it was set last. */
  get text(): string {
    return this.#text;
  }
  /** Why that does not hold, or not of all. */
  get problem(): QueryProblem | undefined {
    return this.#problem;
  }
  /** How much of the trace its patterns were asked of, from 0 to 1; undefined: they are not asked. */
  get searching(): number | undefined {
    return this.#next?.search.part;
  }
  /** The one that holds. */
  get search(): Search {
    return this.#search;
  }

  /** Without patterns it holds at once; with them, when this resolves. */
  set(text: string): Promise<void> {
    if (text === this.#text) return this.#next?.done ?? Promise.resolve();
    this.#nextStop.abort();
    this.#next = undefined;
    this.#text = text;
    const parsed = parseQuery(text);
    this.#problem = parsed.ok ? undefined : parsed.problem;
    if (!parsed.ok) return Promise.resolve();
    const search = this.#searchFor(parsed.terms);
    if (search.isReady) {
      this.#hold(search);
      return Promise.resolve();
    }
    this.#nextStop = new AbortController();
    const done = this.#ask(search, this.#nextStop.signal);
    this.#next = { search, done };
    return done;
  }

  /** To be called where the trace has grown, or more is known of it. */
  catchUp(): void {
    if (this.#growStop !== undefined || this.#search.isReady) return;
    this.#growStop = new AbortController();
    void this.#askRest(this.#search, this.#growStop.signal);
  }

  async #ask(search: Search, signal: AbortSignal): Promise<void> {
    const problem = await search.ask(signal, () => this.#listener.changed('progress'));
    if (signal.aborted) return;
    this.#next = undefined;
    this.#problem = problem;
    if (problem === undefined) this.#hold(search);
    this.#listener.changed('rows');
  }

  async #askRest(search: Search, signal: AbortSignal): Promise<void> {
    const { end } = search;
    const problem = await search.ask(signal);
    if (signal.aborted) return;
    if (problem) this.#problem = { ...problem, message: `${problem.message} ${NOT_SHOWN}` };
    else {
      this.#growStop = undefined;
      if (search.end > end) this.#listener.reaches();
      else {
        // Not events it was not asked of yet, but what is known of them.
        search.retest();
        this.#listener.holds(search);
      }
    }
    this.#listener.changed('rows');
  }

  #hold(search: Search): void {
    this.#growStop?.abort();
    this.#growStop = undefined;
    this.#search = search;
    this.#listener.holds(search);
  }
}
