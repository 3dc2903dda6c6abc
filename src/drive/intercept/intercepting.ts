// The intercept of one connection, at work: frames are given to it in the order they came, asked for
// the rules they meet, and what the engine says is done, at once or when its time has come.
import type { Finder } from '../../model/query/find.ts';
import {
  type Origin,
  type Seq,
  type Side,
  connectionId,
  seq,
  type Frame,
} from '../../trace/event.ts';
import { lineOf } from '../../trace/line.ts';
import { problemWords } from '../scenario/file/text-problem.ts';
import type { Timers } from '../timers.ts';
import {
  InterceptEngine,
  type Effect,
  type Fact,
  type InterceptKey,
  type Arrived,
} from './engine.ts';
import { FrameBudget } from './frame-budget.ts';
import { readRules } from './read.ts';
import type { InterceptRule } from './table.ts';
import { parseMessage, NOT_UTF8, type Message } from '../../acp/message.ts';
import { millis } from '../../lib/time.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import { chipBook } from '../../model/facts/chips.ts';
import { searchedBy } from '../../model/query/match.ts';
import type { Query } from '../../model/query/query.ts';
import { Search } from '../../model/query/search.ts';
import { TraceIndex } from '../../model/trace-index.ts';

/** Where frames cross and what was done is recorded; the relay's, the tap's, or a test's. */
interface Outlet {
  /** It crosses now. `of`: the event that says what was done to it. */
  send(from: Side, line: Uint8Array, origin: Origin, of: Seq | undefined): void;
  /** Records it; the seq of its event. */
  tell(fact: RecordedFact): Seq;
  /** Both directions end. */
  cut(): void;
}

/** As an event of the record has it. */
interface RecordedFact extends Omit<Fact, 'line' | 'of'> {
  readonly rules?: readonly string[];
  readonly line?: ReturnType<typeof lineOf>;
  readonly of?: Seq;
}

interface Tools {
  readonly outlet: Outlet;
  readonly timers: Timers;
  readonly finder: Finder;
  readonly newId: () => string;
}

/** What a side wrote and waits here: past this its source is to pause. */
const MOST_WAITING = 64 * 1024 * 1024;

export class Intercepting {
  readonly #tools: Tools;
  readonly #engine: InterceptEngine;
  readonly #matcher: RuleMatcher;
  /** The events of what waits. */
  readonly #seqs = new Map<InterceptKey, Seq>();
  /** What came while a frame is asked for; undefined: none is. */
  #behind: (() => void)[] | undefined;
  readonly #rooms = new Set<() => void>();
  #isOn = false;
  #callOff: (() => void) | undefined;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#engine = new InterceptEngine(tools.newId);
    this.#matcher = new RuleMatcher(tools.finder);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Nothing waits here or is still to be kept: frames may pass it by. */
  get isIdle(): boolean {
    return !this.#isOn && !this.#behind && this.#engine.isEmpty && !this.#engine.expects;
  }

  /** In force from the next frame on. What waits by other rules goes on when they said. */
  set(rules: readonly InterceptRule[]): void {
    this.#inOrder(() => {
      this.#isOn = true;
      this.#matcher.set(rules);
      this.#tools.outlet.tell({ did: 'on', rules: rules.map(({ name }) => name) });
    });
  }

  /** The same with rules as they are written; or nothing is changed: why, as a sentence. */
  on(text: string): string | undefined {
    const read = readRules(text);
    if (read.ok) this.set(read.rules);
    return read.ok ? undefined : read.problems.map(problemWords).join(' ');
  }

  /** All that waits goes on, and no rule is in force. */
  off(problem?: string): void {
    this.#inOrder(() => {
      if (!this.#isOn) return;
      this.#isOn = false;
      this.#matcher.set([]);
      this.#do(this.#engine.flush());
      this.#tools.outlet.tell({ did: 'off', ...(problem !== undefined && { problem }) });
    });
  }

  /** A line of a side, without its 0x0A; it must not be written to later. */
  take(from: Side, line: Uint8Array, origin: Origin): void {
    this.#inOrder(() => {
      const { timers } = this.#tools;
      const matched = this.#matcher.match(from, line, origin, timers.now());
      if (!('then' in matched)) return this.#act(matched);
      const behind: (() => void)[] = [];
      this.#behind = behind;
      void matched.then((found) => {
        this.#act(found);
        this.#behind = undefined;
        for (let next = behind.shift(); next; next = behind.shift()) this.#inOrder(next);
      });
    });
  }

  /** The side writes no more: what waits of it goes on, and this resolves behind it. */
  ended(from: Side): Promise<void> {
    return new Promise((resolve) => {
      this.#inOrder(() => {
        this.#do(this.#engine.flush(from));
        resolve();
      });
    });
  }

  /** Whether something of this event waited and goes on now, as it was or as another line. */
  release(of: Seq, line?: Uint8Array): boolean {
    return this.#decide(of, (key) => this.#engine.release(key, line, this.#tools.timers.now()));
  }

  /** Whether something of this event waited, and now does not go on. */
  discard(of: Seq): boolean {
    return this.#decide(of, (key) => this.#engine.discard(key));
  }

  /** Undefined: there is room. Otherwise resolves when more of this side may be read. */
  room(from: Side): Promise<void> | undefined {
    const isFull = () => this.#engine.waitingOf(from) > MOST_WAITING;
    if (!isFull()) return undefined;
    return new Promise((resolve) => {
      const look = () => {
        if (isFull()) return;
        this.#rooms.delete(look);
        resolve();
      };
      this.#rooms.add(look);
    });
  }

  #inOrder(work: () => void): void {
    if (this.#behind) this.#behind.push(work);
    else work();
  }

  #decide(of: Seq, decide: (key: InterceptKey) => readonly Effect[]): boolean {
    const [key] = [...this.#seqs].find(([, seq]) => seq === of) ?? [];
    const effects = key === undefined ? [] : decide(key);
    this.#do(effects);
    return effects.length > 0;
  }

  #act({ frame, failed }: Matched): void {
    for (const { rule, problem } of failed)
      this.#tools.outlet.tell({
        ...{ did: 'off', rule: rule.name },
        problem: `This rule is off from here on: ${problem}`,
      });
    this.#do(this.#engine.take(frame, this.#tools.timers.now()));
  }

  #do(effects: readonly Effect[]): void {
    const { outlet, timers } = this.#tools;
    for (const effect of effects)
      switch (effect.do) {
        case 'tell': {
          const { line, of, ...fact } = effect.fact;
          const about = of === undefined ? undefined : this.#seqs.get(of);
          const seq = outlet.tell({
            ...fact,
            ...(line && { line: lineOf(line) }),
            ...(about !== undefined && { of: about }),
          });
          this.#seqs.set(effect.key, seq);
          break;
        }
        case 'send': {
          const { from, line, origin, of } = effect;
          outlet.send(from, line, origin, of === undefined ? undefined : this.#seqs.get(of));
          break;
        }
        case 'cut':
          outlet.cut();
      }
    if (this.#engine.isEmpty) this.#seqs.clear();
    this.#callOff?.();
    const { next } = this.#engine;
    this.#callOff =
      next === undefined
        ? undefined
        : timers.later(Math.max(0, next - timers.now()), () =>
            this.#inOrder(() => this.#do(this.#engine.tick(timers.now()))),
          );
    for (const look of [...this.#rooms]) look();
  }
}

interface Asked {
  readonly rule: InterceptRule;
  readonly on: Search;
  readonly behind: Search | undefined;
}

/** Which rules it meets, and which can be asked no more, each with a sentence. */
interface Matched {
  readonly frame: Arrived;
  readonly failed: readonly { readonly rule: InterceptRule; readonly problem: string }[];
}

class RuleMatcher {
  readonly #index = new TraceIndex(connectionId('intercept'), chipBook());
  readonly #budget: FrameBudget;
  #asked: readonly Asked[] = [];
  /** Only of the newest frame anything is asked that stands in its line. */
  #newest: Frame | undefined;

  constructor(finder: Finder) {
    this.#budget = new FrameBudget(finder);
  }

  set(rules: readonly InterceptRule[]): void {
    const read = (place: number) =>
      this.#newest && place === this.#index.length - 1 ? this.#newest : NOTHING;
    const searched = searchedBy(read, () => this.#index.length);
    const search = (query: Query) => new Search(query, this.#index, searched, this.#budget);
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
    this.#budget.renew(bytes.length);
    const stamp = { seq: seq(place + 1), at: millis(at) };
    this.#newest = { type: 'frame', ...stamp, from, line: lineOf(bytes), origin };
    this.#index.append(this.#newest, message);
    const searches = this.#asked.flatMap(({ on, behind }) => (behind ? [on, behind] : [on]));
    const failed: { rule: InterceptRule; problem: string }[] = [];
    const matched = (): Matched => {
      const fits = (search: Search | undefined) => search?.test(place) === true;
      const rules = (which: 'on' | 'behind') =>
        this.#asked.flatMap((asked) => (fits(asked[which]) ? asked.rule : []));
      const session = this.#index.session(place)?.sessionId;
      const frame = { from, line: bytes, origin, message, session };
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
