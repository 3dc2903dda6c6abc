// What a restore violates: a clause of it (model/restore/clauses) or the comparison with the live session
// (model/fidelity) finds each fault once. The rules of the checker and the reports read it here.
import type { FrameRef, Seq } from '../../trace/event.ts';

/** The rules on a restore that one judge decides: a clause of it, or the comparison with the live session. */
export type ReplayRule =
  | 'replay/missing-history'
  | 'replay/missing-history-v2'
  | 'replay/empty'
  | 'replay/user-turns-missing'
  | 'replay/order'
  | 'replay/message-id-missing'
  | 'replay/message-id-unstable'
  | 'replay/unfaithful'
  | 'replay/after-response'
  | 'replay/chunks-without-reset'
  | 'child/reannounce'
  | 'resume/cursor-inclusive'
  | 'resume/cursor-unknown-reply'
  | 'load/known-refused'
  | 'setup/unknown-session-reply'
  | 'resume/no-replay-without-cursor'
  | 'resume/state-snapshot';

/** One violation of a rule by a replay, or what the traces cannot decide of the rule. */
export interface ReplayFault {
  readonly rule: ReplayRule;
  readonly verdict: 'fail' | 'undecidable';
  /** Undefined: the rule's own severity. */
  readonly severity?: 'error' | 'warning' | 'hint';
  readonly seen: string;
  /** What is expected, or which recording would decide; undefined: the rule's clause. */
  readonly due?: string;
  readonly session: string;
  readonly method: string;
  readonly pointer?: string;
  /** Frames of the trace that the restore is in. */
  readonly seqs: readonly Seq[];
  /** The first frames of the items that were not replayed, the gravest first; absent: none are missing. */
  readonly missing?: readonly FrameRef[];
}

/** How severe a violation of each rule is, unless its fault says otherwise. */
export const REPLAY_SEVERITY = {
  'replay/missing-history': 'error',
  'replay/missing-history-v2': 'hint',
  'replay/empty': 'warning',
  'replay/user-turns-missing': 'warning',
  'replay/order': 'warning',
  'replay/message-id-missing': 'error',
  'replay/message-id-unstable': 'error',
  'replay/unfaithful': 'warning',
  'replay/after-response': 'error',
  'replay/chunks-without-reset': 'error',
  'child/reannounce': 'warning',
  'resume/cursor-inclusive': 'error',
  'resume/cursor-unknown-reply': 'error',
  'load/known-refused': 'warning',
  'setup/unknown-session-reply': 'error',
  'resume/no-replay-without-cursor': 'error',
  'resume/state-snapshot': 'error',
} as const satisfies Readonly<Record<ReplayRule, ReplayFault['severity']>>;
