// One conformance rule: what it asks of whom, a small function that judges the steps it listens to,
// and what that says of them. The catalogue is docs/rules.md; where each is written stands in
// sources.ts.
import type { Feature } from '../acp/editions/feature.ts';
import type { Json } from '../acp/message.ts';
import type { Version } from '../acp/methods.ts';
import { defined } from '../lib/defined.ts';
import type { Severity } from './finding.ts';
import type { Listener } from './listen.ts';
import type { RuleId } from './sources.ts';
import type { FrameRef, Seq, Side } from '../trace/event.ts';

/** Who has to keep a rule. `sender`, `receiver`: of the frame that is judged. */
type RuleSide = 'client' | 'agent' | 'sender' | 'receiver';

/**
 * What must be known before a rule can judge: nothing; the version spoken; or what both sides
 * advertised, which makes the rule undecidable in a trace without its handshake.
 */
type Needs = 'nothing' | 'version' | 'capabilities';

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
  /**
   * Which missing events make its faults inconclusive: any before the judged frame, or those since the first frame of the
   * fault. Absent: the rule itself looks at what is missing, or needs nothing of it.
   */
  readonly gaps?: 'before' | 'since';
  /** What is due, in one sentence. */
  readonly clause: string;
  readonly on: readonly Listener<Outcome>[];
}

type Entry = Omit<Rule, 'id' | 'versions' | 'on'> &
  Partial<Pick<Rule, 'versions'>> & { readonly on: Rule['on'][number] | Rule['on'] };

/** Rules with this in common, by their ids; of both versions where nothing is said of them. */
export function rulesOf<S extends Partial<Entry>>(shared: S) {
  return (entries: {
    readonly [Id in RuleId]?: Omit<Entry, keyof S> & Partial<Entry>;
  }): readonly Rule[] =>
    Object.entries(entries).map(([id, own]) => {
      // What a rule has not of its own, it has of its family.
      const entry = { ...shared, ...own } as Entry;
      return { id: id as RuleId, versions: [1, 2], ...entry, on: [entry.on].flat() };
    });
}
export const catalogue = rulesOf({});

/** A rule of the catalogue that no trace can decide, and why. */
export interface Unjudged {
  readonly id: RuleId;
  readonly versions: readonly Version[];
  readonly clause: string;
  readonly why: string;
}

/** Facts grown from the same steps, after the rules have judged them. */
export type Fold = readonly Listener<void>[];

// What a rule says of one step. Saying nothing means that the rule is not about this frame.

export interface RuleFault {
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
  /** It names what no edition here has: a finding of its own, so that no fault counts it. */
  readonly newer?: true;
  /** Where the rule may be broken by either side and the sender of this frame is not the one. */
  readonly side?: Side;
  /** The frames of the fault; the judged one where nothing is said. */
  readonly seqs?: readonly Seq[];
  /** The live frames that a replay lacks. */
  readonly missing?: readonly FrameRef[];
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

/** A list without an entry says nothing, as `undefined` does. */
export type Outcome =
  'pass' | RuleFault | Undecided | readonly (RuleFault | Undecided)[] | undefined;

/** @param more what else is known of it, or the pointer alone */
export function fail(
  seen: string,
  more: string | Omit<RuleFault, 'verdict' | 'seen'> = {},
): RuleFault {
  return { verdict: 'fail', seen, ...known(more) };
}

/** @param more as of `fail` */
export function undecidable(
  why: string,
  needs: string,
  more: string | Omit<Undecided, 'verdict' | 'why' | 'needs'> = {},
): Undecided {
  return { verdict: 'undecidable', why, needs, ...known(more) };
}

function known<T extends object>(more: string | T): T | { readonly pointer: string } {
  return typeof more === 'string' ? { pointer: more } : more;
}

/** Of what hangs on an offer that was not seen. */
export const UNKNOWN_OFFER = undecidable(
  'the handshake is not in this trace, so nobody knows what was advertised',
  'a recording from the start of the connection',
);

/** Of a name that may have been told of where nothing is recorded. `done`: what may have been done with it. */
export function mayBeUnseen(name: string, done: string, pointer: string): Undecided {
  return undecidable(
    `${quote(name)} may have been ${done} in a part of the connection that is not in this trace`,
    'a recording from the start of the connection, without a gap',
    pointer,
  );
}

/** Of what the side may have sent, in a trace that has none of its frames. */
export function unheard(side: Side, more: Parameters<typeof undecidable>[2] = {}): Undecided {
  return undecidable(
    `no frame of the ${side} is in this trace`,
    'a recording of both directions',
    more,
  );
}

/** The fault, in a trace that lacks events which may excuse it. */
export function withGap({ seen, pointer, side, seqs, session, method }: RuleFault): Undecided {
  const where = defined({ pointer, side, seqs, session, method });
  return undecidable(`${seen}; events are missing before it`, 'a recording without a gap', where);
}

/** What came where another answer was due, and where it stands. */
export function answerSeen(
  error: { readonly code: number } | undefined,
): readonly [words: string, pointer: string] {
  return error === undefined ? ['a result', '/result'] : [`the code ${error.code}`, '/error/code'];
}

/** `pass` where nothing is wrong. */
export function judged(faults: readonly (RuleFault | Undecided)[]): Outcome {
  return faults.length === 0 ? 'pass' : faults;
}

// Values in a person's words: as JSON, short.

const MOST = 80;

/** A value as it stands in JSON, cut where it is long. */
export function quote(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, MOST + 1) : value);
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}

/** Several, the first few by name: `"a", "b" and 3 more`. */
export function quoteAll(values: readonly string[], most = 3): string {
  const shown = values.slice(0, most).map(quote).join(', ');
  return values.length <= most ? shown : `${shown} and ${values.length - most} more`;
}
