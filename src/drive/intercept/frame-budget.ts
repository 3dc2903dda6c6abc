// What all rules of an intercept may take together to look into one frame. Each pattern is stopped by
// itself, and one after the other they would hold a frame for as many seconds as there are patterns.
import type { FindAnswer, FindAsk, Finder } from '../../model/query/find.ts';
import { mostFor } from '../../model/query/search.ts';

/** Of a rule that was not asked to the end, and is at no fault. */
const SPENT =
  'the rules before it used up the time that all of them have for one frame. Make their patterns simpler, or leave some out.';

export class FrameBudget implements Finder {
  readonly #finder: Finder;
  #most = 0;
  #left = 0;

  constructor(finder: Finder) {
    this.#finder = finder;
  }

  /** The next frame comes, of so many bytes. */
  renew(bytes: number): void {
    this.#most = this.#left = mostFor(1, bytes / (1 << 20));
  }

  async find(ask: FindAsk, signal?: AbortSignal): Promise<FindAnswer> {
    if (this.#left <= 0) return { kind: 'failed', message: SPENT };
    const most = Math.min(ask.most, this.#left);
    const answer = await this.#finder.find({ ...ask, most }, signal);
    if (!('took' in answer)) return answer;
    this.#left -= answer.took;
    const isCutShort = answer.kind === 'stopped' && answer.took * 2 < this.#most;
    return isCutShort ? { kind: 'failed', message: SPENT } : answer;
  }
}
