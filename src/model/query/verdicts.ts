// What a query says of each event so far: the parts of it that the event fails, and what each part
// hides alone. Grows by appending; what later events say of earlier ones is judged again.
import { uint32 } from '../../lib/growable.ts';
import { ERR, EVT, FLAG, RES, STD } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';
import type { EventTest } from './match.ts';
import { asks, termsIn, type QueryPart } from './query.ts';
import type { Search } from './search.ts';

interface PartCounts {
  readonly part: QueryPart;
  /** Frames, lines of stderr and other events that it matches. */
  readonly matches: number;
  /** Frames that it hides alone, and lines of stderr. */
  readonly hides: number;
  readonly stderr: number;
}

/** Frames by what they are. A frame is a line: one with an array counts once, if itself or a message in it is meant. */
export interface FrameCounts {
  /** Frames that the query lets through, and all frames. */
  readonly shown: number;
  readonly all: number;
  /** Of those shown. */
  readonly replay: number;
  readonly late: number;
  readonly live: number;
  /** Lines of stderr shown, and events that are neither. */
  readonly stderr: number;
  readonly events: number;
}

/** What an event is counted as. */
const OTHER = 0;
const STDERR = 1;
const LIVE = 2;
const REPLAY = 3;
const LATE = 4;
/** Added, where it names no session. */
const SESSIONLESS = 5;

export class Verdicts {
  readonly #index: TraceIndex;
  /** By event: the parts of the query that it fails, a bit each. */
  readonly #failed = uint32();
  #search: Search;
  #tests: readonly EventTest[] = [];
  /** By the parts failed: how many events of each sort. */
  readonly #tallies = new Map<number, Uint32Array>();
  #last: { readonly failed: number; readonly tally: Uint32Array } | undefined;
  #children = 0;
  /** Places of arrays and their messages: from the array on, to the end of its messages. They are in no tally. */
  readonly #arrays: { readonly from: number; to: number }[] = [];

  constructor(index: TraceIndex, search: Search) {
    this.#index = index;
    this.#search = search;
  }

  /** Of another search, or of the same where more is known; no event is judged yet. */
  begin(search: Search): void {
    this.#search = search;
    this.#tests = search.tests;
    this.#tallies.clear();
    this.#arrays.length = 0;
    this.#last = undefined;
    this.#children = this.#index.children.size;
    this.#failed.truncate(0);
  }

  /** Events judged. */
  get length(): number {
    return this.#failed.length;
  }
  get counts(): FrameCounts {
    const all = this.#sum(() => true);
    const shown = this.#sum((failed) => failed === 0);
    const frames = (sums: readonly number[]) =>
      (sums[LIVE] ?? 0) + (sums[REPLAY] ?? 0) + (sums[LATE] ?? 0);
    return {
      ...{ shown: frames(shown), all: frames(all) },
      ...{ replay: shown[REPLAY] ?? 0, late: shown[LATE] ?? 0, live: shown[LIVE] ?? 0 },
      ...{ stderr: shown[STDERR] ?? 0, events: shown[OTHER] ?? 0 },
    };
  }
  get parts(): readonly PartCounts[] {
    return this.#search.query.map((part, at) => {
      const bit = 1 << at;
      const matches = this.#sum((failed) => (failed & bit) === 0);
      const [, stderr = 0, ...frames] = this.#sum((failed) => failed === bit);
      return { part, matches: total(matches), hides: total(frames), stderr };
    });
  }
  /** Frames and lines of stderr that fail a session term only because they name no session. */
  get sessionless(): number {
    const ofSessions = this.#search.query.reduce(
      (bits, { expr }, at) =>
        expr.kind === 'field' && expr.field === 'session' ? bits | (1 << at) : bits,
      0,
    );
    const [, ...hidden] = this.#sum(
      (failed) => failed !== 0 && (failed & ~ofSessions) === 0,
      SESSIONLESS,
    );
    return total(hidden);
  }

  /** By what they are, the events that fail such parts; `from`: those of a kind alone. */
  #sum(fits: (failed: number) => boolean, from = 0): readonly number[] {
    const sums: number[] = Array.from({ length: SESSIONLESS }, () => 0);
    for (const [failed, tally] of this.#tallies)
      if (fits(failed))
        for (let sort = from; sort < tally.length; sort++)
          sums[sort % SESSIONLESS] = (sums[sort % SESSIONLESS] ?? 0) + (tally[sort] ?? 0);
    for (const { from: array, to } of this.#arrays) {
      const at = this.#firstOf(array, to, fits);
      // What is shown by one of its messages is not hidden.
      const isShown = fits(0) || this.#firstOf(array, to, (failed) => failed === 0) < 0;
      const sort = at < 0 || !isShown ? -1 : this.#sortAt(at);
      if (sort >= from) sums[sort % SESSIONLESS] = (sums[sort % SESSIONLESS] ?? 0) + 1;
    }
    return sums;
  }

  /** The first of these places whose failed parts fit, or -1. */
  #firstOf(from: number, to: number, fits: (failed: number) => boolean): number {
    for (let at = from; at < to; at++) if (fits(this.#failed.get(at))) return at;
    return -1;
  }

  passes(event: number): boolean {
    return event < this.#failed.length && this.#failed.get(event) === 0;
  }

  /** The parts that hide an event. */
  hiding(event: number): readonly QueryPart[] {
    return this.#search.query.filter((_, at) => this.#tests[at]?.(event) === false);
  }

  /** The next place that passes, or -1. */
  next(from: number, direction: 1 | -1): number {
    for (let at = from; at >= 0 && at < this.length; at += direction)
      if (this.#failed.get(at) === 0) return at;
    return -1;
  }

  /** Which of those that pass it is, from 1, and how many there are. */
  placeOf(event: number): { readonly place: number; readonly of: number } {
    let [place, of] = [0, 0];
    for (let at = 0; at < this.length; at++) {
      if (this.#failed.get(at) !== 0) continue;
      of++;
      if (at <= event) place++;
    }
    return { place, of };
  }

  /** Judges the events up to a place; part after part, as a million are asked the same at once. */
  takeTo(end: number): void {
    const from = this.#failed.length;
    const failed = new Uint32Array(Math.max(0, end - from));
    for (const [at, test] of this.#tests.entries()) {
      const bit = 1 << at;
      for (let i = 0; i < failed.length; i++)
        if (!test(from + i)) failed[i] = (failed[i] ?? 0) | bit;
    }
    this.#failed.append(failed);
    const { kind, flags, session } = this.#index.columns;
    const [kinds, said, sessions] = [kind.values(), flags.values(), session.values()];
    for (let i = 0; i < failed.length; i++) {
      const event = from + i;
      if (((said[event] ?? 0) & FLAG.member) !== 0) {
        this.#takeMember(event);
        continue;
      }
      const sort = sortOf(kinds[event] ?? 0, said[event] ?? 0, sessions[event] ?? 0);
      const tally = this.#tally(failed[i] ?? 0);
      tally[sort] = (tally[sort] ?? 0) + 1;
    }
  }

  #takeMember(event: number): void {
    const last = this.#arrays.at(-1);
    if (last?.to === event) last.to++;
    else {
      const from = event - 1;
      this.#count(from, this.#failed.get(from), -1);
      this.#arrays.push({ from, to: event + 1 });
    }
  }

  /** Whether what came since makes the query say something else of many events judged before. */
  isStale(length: number): boolean {
    const { query } = this.#search;
    const { columns, children } = this.#index;
    if (this.#children !== children.size && asks(query, 'session')) return true;
    if (!this.asksFor('open')) return false;
    for (let event = this.#failed.length; event < length; event++)
      if (columns.kind.get(event) === EVT && columns.nameOf(event) === 'exit') return true;
    return false;
  }

  /** Judges requests before `from` again whose answers came since; whether one of them came or went. */
  judgeAnswered(from: number): boolean {
    if (from === 0 || !asks(this.#search.query, 'is', 'latency')) return false;
    const { kind, partner } = this.#index.columns;
    let moves = false;
    for (let event = from; event < this.#failed.length; event++) {
      const isAnswer = kind.get(event) === RES || kind.get(event) === ERR;
      const request = partner.get(event);
      if (!isAnswer || request < 0 || request >= from) continue;
      const before = this.#failed.get(request);
      const after = this.#judge(request);
      if (!this.#index.columns.has(request, FLAG.member)) {
        this.#count(request, before, -1);
        this.#count(request, after, 1);
      }
      this.#failed.set(request, after);
      moves ||= (before === 0) !== (after === 0);
    }
    return moves;
  }

  /** The query asks for `is:` this. */
  asksFor(word: string): boolean {
    return termsIn(this.#search.query).some(
      (term) =>
        term.kind === 'field' &&
        term.field === 'is' &&
        term.values.some((value) => 'text' in value && value.text === word),
    );
  }

  #judge(event: number): number {
    const tests = this.#tests;
    let failed = 0;
    for (let at = 0; at < tests.length; at++) if (tests[at]?.(event) === false) failed |= 1 << at;
    return failed;
  }

  /** `by` -1 takes it back. */
  #count(event: number, failed: number, by: 1 | -1): void {
    const sort = this.#sortAt(event);
    const tally = this.#tally(failed);
    tally[sort] = (tally[sort] ?? 0) + by;
  }

  #sortAt(event: number): number {
    const { kind, flags, session } = this.#index.columns;
    return sortOf(kind.get(event), flags.get(event), session.get(event));
  }

  #tally(failed: number): Uint32Array {
    const last = this.#last;
    if (last?.failed === failed) return last.tally;
    const tally = this.#tallies.get(failed) ?? new Uint32Array(2 * SESSIONLESS);
    this.#tallies.set(failed, tally);
    this.#last = { failed, tally };
    return tally;
  }
}

/** What an event of this kind is counted as, by every count of what a query finds. */
export function countedAs(kind: number): 'frame' | 'stderr' | 'event' {
  if (kind === EVT) return 'event';
  return kind === STD ? 'stderr' : 'frame';
}

/** What an event of this kind, with these flags and of this session is counted as. */
function sortOf(kind: number, flags: number, session: number): number {
  let sort = LIVE;
  const counted = countedAs(kind);
  if (counted === 'event') sort = OTHER;
  else if (counted === 'stderr') sort = STDERR;
  else if ((flags & FLAG.replay) !== 0) sort = REPLAY;
  else if ((flags & FLAG.late) !== 0) sort = LATE;
  return session === 0 ? sort + SESSIONLESS : sort;
}

function total(sums: readonly number[]): number {
  return sums.reduce((sum, one) => sum + one, 0);
}
