// Time, as a script takes it: a test gives it a clock of its own.

export interface Timers {
  /** Monotonic milliseconds. */
  now(): number;
  /** Runs once, after `ms`. Returns how to call it off. */
  later(ms: number, run: () => void): () => void;
}

export const REAL_TIMERS: Timers = {
  now: () => performance.now(),
  later(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** True: the promise settled first; false: the time was over first. */
export function within(timers: Timers, ms: number, done: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const callOff = timers.later(ms, () => resolve(false));
    const settle = () => {
      callOff();
      resolve(true);
    };
    done.then(settle, settle);
  });
}

/** Waits for what a live peer says: a test is asked again with each frame, no longer than the peer lives. */
export class Waits {
  readonly #timers: Timers;
  /** The peer is gone: nothing more comes. */
  readonly #isOver: () => boolean;
  readonly #looks = new Set<() => void>();

  constructor(timers: Timers, isOver: () => boolean) {
    this.#timers = timers;
    this.#isOver = isOver;
  }

  /** True once the test holds; false after `ms`, or when the peer is gone. */
  until(test: () => boolean, ms: number): Promise<boolean> {
    if (test()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const look = () => {
        const holds = test();
        if (holds || this.#isOver()) settle(holds);
      };
      const settle = (holds: boolean) => {
        callOff();
        this.#looks.delete(look);
        resolve(holds);
      };
      const callOff = this.#timers.later(ms, () => settle(false));
      this.#looks.add(look);
      look();
    });
  }

  /** Something came, or the peer is gone. */
  stir(): void {
    // Behind what else hears this frame.
    queueMicrotask(() => {
      for (const look of [...this.#looks]) look();
    });
  }
}
