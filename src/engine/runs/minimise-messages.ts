// What the page asks of one trace by an assertion, and of the smallest part of it that still fails.
import type { ConnectionId } from '../../trace/event.ts';
import type { ScenarioEvidence } from './scenario-messages.ts';

interface Problem {
  /** A sentence. */
  readonly problem: string;
}

export interface JudgedTrace {
  readonly verdict: 'pass' | 'fail' | 'undecidable';
  /** A clause. */
  readonly seen: string;
  readonly evidence: readonly ScenarioEvidence[];
}

/** What fails: an assertion as written, or a rule by its id. */
export type Failing = { readonly assert: string } | { readonly rule: string };

export interface MinimiseAsk {
  /** The first of these in which it fails by itself. */
  readonly traces: readonly ConnectionId[];
  readonly failing: Failing;
}

export interface MinimiseProgress {
  readonly tried: number;
  /** Parts that are left, of all. */
  readonly left: number;
  readonly of: number;
}

export interface SmallestTrace {
  /** Stored as a trace of its own. */
  readonly connection: ConnectionId;
  readonly name: string;
  readonly frames: { readonly left: number; readonly of: number };
  /** With any one part less it no longer fails. False: it was stopped before all was tried. */
  readonly isMinimal: boolean;
}

export interface MinimiseApi {
  judge(connection: ConnectionId, assertion: string): Promise<JudgedTrace | Problem>;
  /** One at a time: another ends it. */
  minimise(ask: MinimiseAsk): Promise<SmallestTrace | Problem>;
  /** Undefined: none is under way. */
  progress(): Promise<MinimiseProgress | undefined>;
  /** Takes what is smallest so far. */
  stop(): Promise<void>;
}
