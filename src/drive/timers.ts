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
