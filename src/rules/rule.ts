// One conformance rule: what it asks of whom, where that is written, and a small function that
// judges the steps it listens to. The catalogue is docs/rules.md.
import type { Feature } from '../acp/editions/edition.ts';
import type { Version } from '../acp/methods.ts';
import type { Severity } from './finding.ts';
import type { Listener } from './listen.ts';
import type { Outcome } from './outcome.ts';
import type { RuleId } from './sources.ts';

/** Who has to keep a rule. `sender`, `receiver`: of the frame that is judged. */
export type RuleSide = 'client' | 'agent' | 'sender' | 'receiver';

/**
 * What must be known before a rule can judge: nothing; the version spoken; or what both sides
 * advertised, which makes the rule undecidable in a trace without its handshake.
 */
export type Needs = 'nothing' | 'version' | 'capabilities';

export interface Rule {
  /** Under it stands the sentence that asks for it, in `SOURCES`. */
  readonly id: RuleId;
  readonly versions: readonly Version[];
  readonly side: RuleSide;
  /** What editions make of it stands in theirs (`acp/editions/`). */
  readonly severity: Severity;
  /** Asked where this is part of what is held against. */
  readonly feature?: Feature;
  readonly needs?: Needs;
  /** What is due, in one sentence. */
  readonly clause: string;
  readonly on: readonly Listener<Outcome>[];
}

/** A rule of the catalogue that no trace can decide, and why. */
export interface Unjudged {
  readonly id: RuleId;
  readonly versions: readonly Version[];
  readonly clause: string;
  readonly why: string;
}

/** Facts grown from the same steps, after the rules have judged them. */
export interface Fold {
  readonly on: readonly Listener<void>[];
}
