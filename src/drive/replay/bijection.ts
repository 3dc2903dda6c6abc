// Recorded names and live ones, each standing for one of the other side and no two for the same.

export class Bijection {
  readonly #live = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** Recorded names: each stands for itself until it is bound. */
  readonly #own: ReadonlySet<string>;

  constructor(own: Iterable<string> = []) {
    this.#own = new Set(own);
  }

  /** False: one of the two stands for another already. */
  bind(recorded: string, live: string): boolean {
    if (this.liveOf(recorded) === live && this.recordedOf(live) === recorded) {
      this.#set(recorded, live);
      return true;
    }
    if (!this.mayBind(recorded, live)) return false;
    this.#set(recorded, live);
    return true;
  }

  mayBind(recorded: string, live: string): boolean {
    if (this.#live.has(recorded)) return this.#live.get(recorded) === live;
    if (this.#recorded.has(live)) return false;
    // A recorded name that is used live stands for itself, unless it was bound to something else.
    return live === recorded || !this.#own.has(live) || this.#live.has(live);
  }

  /** A name that is not bound is the same on both sides. */
  liveOf(recorded: string): string {
    return this.#live.get(recorded) ?? recorded;
  }

  /** Undefined: it is the recorded name of something that has another name live. */
  recordedOf(live: string): string | undefined {
    const bound = this.#recorded.get(live);
    if (bound !== undefined) return bound;
    return this.#live.has(live) ? undefined : live;
  }

  /** Pairs whose names differ. */
  get renamed(): readonly (readonly [recorded: string, live: string])[] {
    return [...this.#live].filter(([recorded, live]) => recorded !== live);
  }

  #set(recorded: string, live: string): void {
    this.#live.set(recorded, live);
    this.#recorded.set(live, recorded);
  }
}
