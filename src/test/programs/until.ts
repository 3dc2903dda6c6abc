// Waiting for what a process, a disk or a worker does in its own time. No test asserts wall time, so
// the only end of the wait is one that a hang alone can reach: a busy machine must not.
import { vi } from 'vitest';

/** What `see` gives as soon as it does not throw. Throws its last error after a minute and a half. */
export const until = <T>(see: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(see, { timeout: 90_000, interval: 10 });
