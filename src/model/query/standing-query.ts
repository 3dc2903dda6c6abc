// The query of a view: the one that holds, and the next while its patterns are being asked. One that
// is broken, or whose patterns take too long, is told and changes nothing else.
import { parseQuery } from './parse.ts';
import type { Query, QueryProblem } from './query.ts';
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
  readonly #searchFor: (query: Query) => Search;
  readonly #listener: Listener;
  #text = '';
  #problem: QueryProblem | undefined;
  #search: Search;
  #next: { readonly search: Search; readonly done: Promise<void> } | undefined;
  #nextStop = new AbortController();
  /** Of the search that holds, while it is asked of what came since; it stays where that failed. */
  #growStop: AbortController | undefined;

  constructor(searchFor: (query: Query) => Search, listener: Listener) {
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

  /** Where nothing is looked for in lines it holds at once; else as far as was asked, and this resolves at the end. */
  set(text: string): Promise<void> {
    if (text === this.#text) return this.#next?.done ?? Promise.resolve();
    this.#nextStop.abort();
    this.#next = undefined;
    this.#text = text;
    const parsed = parseQuery(text);
    this.#problem = parsed.ok ? undefined : parsed.problem;
    if (!parsed.ok) return Promise.resolve();
    const search = this.#searchFor(parsed.query);
    if (search.isReady) {
      this.#hold(search);
      return Promise.resolve();
    }
    this.#nextStop = new AbortController();
    const done = this.#ask(search, this.#nextStop);
    this.#next = { search, done };
    return done;
  }

  /** To be called where the trace has grown, or more is known of it. */
  catchUp(): void {
    const goesOn = this.#growStop !== undefined && !this.#growStop.signal.aborted;
    if (goesOn || this.#search.isReady) return;
    this.#growStop = new AbortController();
    void this.#askRest(this.#search, this.#growStop.signal);
  }

  /** What is found is shown as it is found; one that is stopped leaves what was shown before. */
  async #ask(search: Search, stop: AbortController): Promise<void> {
    const before = this.#search;
    const show = () => {
      if (this.#search === search) this.#listener.reaches();
      else this.#hold(search, stop);
    };
    const problem = await search.ask(stop.signal, () => {
      show();
      this.#listener.changed('progress');
    });
    if (stop.signal.aborted) return;
    this.#next = undefined;
    this.#problem = problem;
    if (problem === undefined) show();
    else if (this.#search === search) this.#hold(before);
    if (this.#growStop === stop) this.#growStop = undefined;
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

  /** `stop`: of the asking that goes on. */
  #hold(search: Search, stop?: AbortController): void {
    if (this.#growStop !== stop) this.#growStop?.abort();
    this.#growStop = stop;
    this.#search = search;
    this.#listener.holds(search);
  }
}
