// Which rules a frame meets, asked before it goes on: the queries of the page, over all that came
// since the intercept was switched on.
import { parseMessage, NOT_UTF8, type Message } from '../../acp/message.ts';
import { millis } from '../../lib/time.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import { chipBook } from '../../model/facts/chips.ts';
import type { Finder } from '../../model/query/find.ts';
import { searchedBy } from '../../model/query/match.ts';
import type { Query } from '../../model/query/query.ts';
import { Search } from '../../model/query/search.ts';
import { TraceIndex } from '../../model/trace-index.ts';
import { connectionId, seq, type Frame, type Origin, type Side } from '../../trace/event.ts';
import { lineOf } from '../../trace/line.ts';
import type { Arrived } from './engine.ts';
import type { InterceptRule } from './rule.ts';

interface Asked {
  readonly rule: InterceptRule;
  readonly on: Search;
  readonly behind: Search | undefined;
}

/** Which rules it meets, and which can be asked no more, each with a sentence. */
export interface Matched {
  readonly frame: Arrived;
  readonly failed: readonly { readonly rule: InterceptRule; readonly problem: string }[];
}

export class RuleMatcher {
  readonly #index = new TraceIndex(connectionId('intercept'), chipBook());
  readonly #finder: Finder;
  #asked: readonly Asked[] = [];
  /** Only of the newest frame anything is asked that stands in its line. */
  #newest: Frame | undefined;

  constructor(finder: Finder) {
    this.#finder = finder;
  }

  set(rules: readonly InterceptRule[]): void {
    const read = (place: number) =>
      this.#newest && place === this.#index.length - 1 ? this.#newest : NOTHING;
    const searched = searchedBy(read, () => this.#index.length);
    const search = (query: Query) => new Search(query, this.#index, searched, this.#finder);
    this.#asked = rules.map((rule) => ({
      ...{ rule, on: search(rule.on) },
      behind:
        rule.action.kind === 'reorder' && rule.action.behind
          ? search(rule.action.behind)
          : undefined,
    }));
  }

  /** At once, where nothing has to be looked for in the line itself. `at`: milliseconds. */
  match(from: Side, bytes: Uint8Array, origin: Origin, at: number): Matched | Promise<Matched> {
    const text = decodeUtf8(bytes);
    const message: Message = text === undefined ? NOT_UTF8 : parseMessage(text);
    const place = this.#index.length;
    const stamp = { seq: seq(place + 1), at: millis(at) };
    this.#newest = { type: 'frame', ...stamp, from, line: lineOf(bytes), origin };
    this.#index.append(this.#newest, message);
    const searches = this.#asked.flatMap(({ on, behind }) => (behind ? [on, behind] : [on]));
    const failed: { rule: InterceptRule; problem: string }[] = [];
    const matched = (): Matched => {
      const fits = (search: Search | undefined) => search?.test(place) === true;
      const rules = (which: 'on' | 'behind') =>
        this.#asked.flatMap((asked) => (fits(asked[which]) ? asked.rule : []));
      const frame = { from, line: bytes, origin, message };
      return { frame: { ...frame, matched: rules('on'), behind: rules('behind') }, failed };
    };
    if (searches.every((search) => search.isReady)) return matched();
    return this.#ask(failed).then(matched);
  }

  async #ask(failed: { rule: InterceptRule; problem: string }[]): Promise<void> {
    for (const { rule, on, behind } of this.#asked)
      for (const search of behind ? [on, behind] : [on]) {
        const problem = await search.ask();
        if (problem) failed.push({ rule, problem: problem.message });
      }
    this.#asked = this.#asked.filter((asked) => !failed.some(({ rule }) => rule === asked.rule));
  }
}

const NOTHING: Frame = {
  ...{ type: 'frame', seq: seq(1), at: millis(0), from: 'client' },
  ...{ line: { text: '' }, origin: 'peer' },
};
