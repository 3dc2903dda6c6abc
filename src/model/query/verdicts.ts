// What a query says of each event so far: the parts of it that the event fails, and what each part
// hides alone. Grows by appending; what later events say of earlier ones is judged again.
import { uint32 } from '../../lib/growable.ts';
import { ERR, EVT, FLAG, RES, STD } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';
import type { Test } from './match.ts';
import { asks, termsIn, type Part } from './query.ts';
import type { Search } from './search.ts';

interface PartState {
  readonly part: Part;
  readonly test: Test;
  /** Frames, lines of stderr and other events that it matches. */
  matches: number;
  /** Frames that it hides alone, and lines of stderr. */
  hides: number;
  stderr: number;
}

const NOTHING = { shown: 0, all: 0, replay: 0, late: 0, live: 0, stderr: 0 };

export class Verdicts {
  readonly #index: TraceIndex;
  /** By event: the parts of the query that it fails, a bit each. */
  readonly #failed = uint32();
  #search: Search;
  #parts: readonly PartState[] = [];
  #counts = { ...NOTHING };
  #sessionless = 0;
  #children = 0;

  constructor(index: TraceIndex, search: Search) {
    this.#index = index;
    this.#search = search;
  }

  /** Of another search, or of the same where more is known; no event is judged yet. */
  begin(search: Search): void {
    this.#search = search;
    this.#parts = search.query.map((part, at) => {
      const test = search.tests[at] ?? (() => true);
      return { part, test, matches: 0, hides: 0, stderr: 0 };
    });
    this.#counts = { ...NOTHING };
    this.#sessionless = 0;
    this.#children = this.#index.children.size;
    this.#failed.truncate(0);
  }

  /** Events judged. */
  get length(): number {
    return this.#failed.length;
  }
  /** Frames, and lines of stderr, by what they are: shown, and `all` there are. */
  get counts(): Readonly<typeof NOTHING> {
    return { ...this.#counts };
  }
  get parts(): readonly Readonly<PartState>[] {
    return this.#parts;
  }
  /** Frames and lines of stderr that fail a session term only because they name no session. */
  get sessionless(): number {
    return this.#sessionless;
  }

  passes(event: number): boolean {
    return event < this.#failed.length && this.#failed.get(event) === 0;
  }

  /** The parts that hide an event. */
  hiding(event: number): readonly Part[] {
    return this.#parts.filter(({ test }) => !test(event)).map(({ part }) => part);
  }

  /** The next place that passes, or -1. */
  next(from: number, direction: 1 | -1): number {
    for (let at = from; at >= 0 && at < this.length; at += direction)
      if (this.#failed.get(at) === 0) return at;
    return -1;
  }

  /** Judges the next event. */
  take(): boolean {
    const event = this.#failed.length;
    const failed = this.#judge(event);
    this.#failed.push(failed);
    this.#count(event, failed, 1);
    return failed === 0;
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
      this.#count(request, before, -1);
      this.#count(request, after, 1);
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
    let failed = 0;
    let bit = 1;
    for (const { test } of this.#parts) {
      if (!test(event)) failed |= bit;
      bit <<= 1;
    }
    return failed;
  }

  /** `by` -1 takes it back. */
  #count(event: number, failed: number, by: 1 | -1): void {
    const { columns } = this.#index;
    const parts = this.#parts;
    const kind = columns.kind.get(event);
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at];
      if (part && (failed & (1 << at)) === 0) part.matches += by;
    }
    if (kind === EVT) return;
    const counts = this.#counts;
    const isStderr = kind === STD;
    if (!isStderr) counts.all += by;
    if (failed === 0) {
      if (isStderr) counts.stderr += by;
      else {
        counts.shown += by;
        if (columns.has(event, FLAG.replay)) counts.replay += by;
        else if (columns.has(event, FLAG.late)) counts.late += by;
        else counts.live += by;
      }
      return;
    }
    const alone = (failed & (failed - 1)) === 0 ? parts[31 - Math.clz32(failed)] : undefined;
    if (alone) alone[isStderr ? 'stderr' : 'hides'] += by;
    if (columns.session.get(event) > 0) return;
    const isOfSessions = ({ part: { expr } }: PartState, at: number) =>
      (failed & (1 << at)) === 0 || (expr.kind === 'field' && expr.field === 'session');
    if (parts.every(isOfSessions)) this.#sessionless += by;
  }
}
