// The calls the page makes of its worker, an object a feature: what answers them says what they are. Each
// is answered once (rpc.ts).
import type { connectionsApi } from './connections/api-connections.ts';
import type { Diffs } from './diff/diffs.ts';
import type { Fidelities } from './fidelity/fidelities.ts';
import type { findingsApi } from './findings/api-findings.ts';
import type { libraryApi } from './library/api-library.ts';
import type { TraceFinds } from './library/trace-finds.ts';
import type { Performance } from './performance/performance.ts';
import type { restoreApi } from './restore/api-restore.ts';
import type { Minimiser } from './runs/minimiser.ts';
import type { Runs } from './runs/runs.ts';
import type { sessionsApi } from './timeline/api-sessions.ts';
import type { timelineApi } from './timeline/api-timeline.ts';
import type { annotationsApi } from './traces/api-annotations.ts';

/** What the worker answers, called from the page. */
type Calls<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? [R] extends [Promise<unknown>]
      ? T[K]
      : (...args: A) => Promise<Awaited<R>>
    : never;
};

interface LinkCalls {
  /** Starts the link. `code` is the one-time code of the address, if there was one. */
  enter(code: string | undefined, token: string | undefined): Promise<void>;
  /** The tab or the machine woke up, or the network is back: look at the link at once. */
  wake(): Promise<void>;
}

/**
 * Calls the page makes, by feature. Every one resolves, and failures a person can act on are values; it
 * rejects on what nobody foresaw.
 */
export interface EngineApi {
  /** The link, and agents that run. */
  readonly connections: LinkCalls & Calls<ReturnType<typeof connectionsApi>>;
  /** The frames of a trace. */
  readonly timeline: Calls<ReturnType<typeof timelineApi>>;
  /** What the frames of a session amount to. */
  readonly sessions: Calls<ReturnType<typeof sessionsApi>>;
  /** Restores of a session, on whichever connection. */
  readonly restore: Calls<ReturnType<typeof restoreApi>>;
  /** What is kept: traces as files, names, what was written and used. */
  readonly library: Calls<ReturnType<typeof libraryApi>>;
  /** What people have noted in a trace. */
  readonly traces: Calls<ReturnType<typeof annotationsApi>>;
  readonly findings: Calls<ReturnType<typeof findingsApi>>;
  readonly fidelity: Calls<Fidelities>;
  readonly performance: Calls<Performance>;
  readonly diff: Calls<Diffs>;
  readonly runs: Calls<Runs>;
  readonly minimise: Calls<Minimiser>;
  readonly finds: Calls<TraceFinds>;
}
