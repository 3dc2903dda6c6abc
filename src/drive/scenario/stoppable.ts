// What a run waits for, so that whoever stops it need not wait too.
import type { Timers } from '../timers.ts';
import { Failed } from './failed.ts';

/** What waits when it is stopped never ends; what begins to wait afterwards does. */
export function stoppable(timers: Timers, stop: AbortSignal | undefined): Timers {
  if (stop === undefined) return timers;
  const waiting = new Set<() => void>();
  stop.addEventListener('abort', () => {
    for (const callOff of waiting) callOff();
    waiting.clear();
  });
  return {
    now: () => timers.now(),
    later(ms, run) {
      const callOff = timers.later(ms, () => {
        waiting.delete(callOff);
        run();
      });
      if (!stop.aborted) waiting.add(callOff);
      return () => {
        waiting.delete(callOff);
        callOff();
      };
    },
  };
}

/** Throws Failed as soon as it is stopped. */
export async function unlessStopped<T>(
  doing: Promise<T>,
  stop: AbortSignal | undefined,
): Promise<T> {
  if (stop === undefined) return doing;
  let heed: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    heed = () => reject(new Failed('The run was stopped.'));
    if (stop.aborted) heed();
    stop.addEventListener('abort', heed);
  });
  try {
    return await Promise.race([doing, stopped]);
  } finally {
    stop.removeEventListener('abort', heed);
  }
}
