// What a rule says of one step. Saying nothing means that the rule is not about this frame.
import type { Feature } from '../acp/editions/edition.ts';
import type { Seq, Side } from '../trace/event.ts';
import type { Severity } from './finding.ts';

export interface Fault {
  readonly verdict: 'fail';
  /** What is there, as it stands after "seen:". */
  readonly seen: string;
  /** What should be there; the rule's clause where it says nothing. */
  readonly due?: string;
  readonly pointer?: string;
  /** Where this case is better or worse than the rule: a possible race is a warning. */
  readonly severity?: Severity;
  /** Which of the rule's sentences says it, where its method does not tell. */
  readonly sentence?: string;
  /** A part of what the rule asks that editions count apart: `receipt` is `schema/result#receipt`. */
  readonly point?: string;
  /** A fault only where this is part of what is held against; or only where it is not. */
  readonly feature?: Feature;
  readonly lacking?: Feature;
  /** Where the rule may be broken by either side and the sender of this frame is not the one. */
  readonly side?: Side;
  /** The frames of the fault; the judged one where nothing is said. */
  readonly seqs?: readonly Seq[];
  /** Where the step itself names none or another. */
  readonly session?: string;
  readonly method?: string;
}

export interface Undecided {
  readonly verdict: 'undecidable';
  /** Why this trace cannot decide. */
  readonly why: string;
  /** Which recording would. */
  readonly needs: string;
  readonly pointer?: string;
  readonly side?: Side;
  readonly seqs?: readonly Seq[];
  readonly session?: string;
  readonly method?: string;
}

export type Outcome = 'pass' | Fault | Undecided | readonly (Fault | Undecided)[] | undefined;

export function fail(seen: string, more: Omit<Fault, 'verdict' | 'seen'> = {}): Fault {
  return { verdict: 'fail', seen, ...more };
}

export function undecidable(
  why: string,
  needs: string,
  more: Omit<Undecided, 'verdict' | 'why' | 'needs'> = {},
): Undecided {
  return { verdict: 'undecidable', why, needs, ...more };
}

/** `pass` where nothing is wrong. */
export function judged(faults: readonly (Fault | Undecided)[]): Outcome {
  return faults.length === 0 ? 'pass' : faults;
}
