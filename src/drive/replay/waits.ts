// Waiting for what a live peer says: a test is asked again with each frame, for so long, and no longer
// than the peer lives.
import type { Timers } from '../timers.ts';

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
