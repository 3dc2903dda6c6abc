// Whether an agent went by itself, or was sent away. A recording does not say who stopped it.
import type { Exit } from '../trace/event.ts';

/** What shells and handlers of SIGINT and SIGTERM make of a signal: 128 and its number. */
const STOPPED: ReadonlySet<number> = new Set([130, 143]);

/** The code of an agent that ended by a fault of its own; undefined: it did not, or nobody knows. */
export function crashCode(exit: Exit | undefined): number | undefined {
  const code = exit?.code;
  return code === undefined || code === 0 || STOPPED.has(code) ? undefined : code;
}
