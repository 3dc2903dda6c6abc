// Time that a test moves: what is due runs when its time has come, in its order.
import type { Timers } from '../../drive/timers.ts';

export interface Clock {
  readonly timers: Timers;
  pass(ms: number): void;
  /** When what waits longest is due; undefined: nothing waits. */
  next(): number | undefined;
}

export function clock(): Clock {
  let now = 0;
  let due: { readonly at: number; readonly run: () => void }[] = [];
  const timers: Timers = {
    now: () => now,
    later(ms, run) {
      const one = { at: now + ms, run };
      due.push(one);
      return () => void (due = due.filter((other) => other !== one));
    },
  };
  const pass = (ms: number) => {
    const until = now + ms;
    for (;;) {
      const next = [...due].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      due = due.filter((one) => one !== next);
      now = next.at;
      next.run();
    }
    now = until;
  };
  const next = () => [...due].sort((a, b) => a.at - b.at)[0]?.at;
  return { timers, pass, next };
}
