// What a view reads of the worker again as the trace grows: at most every so often, one question at a
// time. An answer counts for what it was asked of, and for nothing else.
import { Throttled } from './throttled.ts';

export class Asked<O, A> {
  readonly #of: () => O | undefined;
  readonly #throttled: Throttled;
  #answer = $state.raw<{ readonly of: O; readonly told: A } | undefined>();

  /** `of`: what is looked at now, as a plain value; undefined: nothing, and nothing is asked. */
  constructor(of: () => O | undefined, ask: (of: O) => Promise<A>, pauseMs: number) {
    this.#of = of;
    this.#throttled = new Throttled(async () => {
      const now = of();
      if (now !== undefined) this.#answer = { of: now, told: await ask(now) };
    }, pauseMs);
  }

  /** Undefined: it is not here yet. */
  get told(): A | undefined {
    return this.#answer?.of === this.#of() ? this.#answer?.told : undefined;
  }

  /** Call from an effect. `seen`: with what else the answer may be another. */
  watch(...seen: readonly unknown[]): void {
    void seen;
    void this.#of();
    this.#throttled.poke();
  }
}
