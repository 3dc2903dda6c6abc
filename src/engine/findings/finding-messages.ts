// What the page hears of findings: the state of a check in small, told as it changes, and the findings
// themselves, fetched when they are looked at.
import type { AtFault, FindingPlace, Severity, Verdict, Suppression } from '../../rules/finding.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import type { EditionChoice } from '../../rules/against.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

/** What a person chose about the check of a trace. */
export interface CheckChoice {
  readonly edition: EditionChoice;
  /** Other traces whose sessions this one goes on with. Live connections are together anyway. */
  readonly together: readonly ConnectionId[];
}

export interface FindingCounts {
  readonly error: number;
  readonly warning: number;
  readonly hint: number;
  readonly undecidable: number;
  readonly suppressed: number;
}

interface EditionOption {
  readonly edition: EditionId;
  readonly words: string;
  /** The handshake settles on another version. */
  readonly contradicts: boolean;
}

export interface FindingsState {
  readonly connection: ConnectionId;
  /** Grows whenever findings, or what they count as, may be others. */
  readonly version: number;
  /** Frames checked so far. */
  readonly checked: number;
  /** All that is there is checked. */
  readonly done: boolean;
  readonly counts: FindingCounts;
  readonly choice: CheckChoice;
  readonly edition: EditionId;
  /** What it is held against, for people; while no version is known, only what holds in every one is asked. */
  readonly words: string;
  /** Why the trace is held against it, as sentences. */
  readonly reason: string;
  /** All that can be chosen. */
  readonly editions: readonly EditionOption[];
  /** The other traces that are read with this one. */
  readonly together: readonly ConnectionId[];
}

/** A finding without all its frames. */
export interface FindingView {
  /** The same for the same finding, while the trace grows. */
  readonly key: string;
  readonly rule: string;
  readonly verdict: Exclude<Verdict, 'pass'>;
  readonly severity: Severity;
  /** Who is at fault. */
  readonly side: AtFault;
  readonly session?: string;
  readonly method?: string;
  /** How many frames there are. */
  readonly frames: number;
  /** The first of them. */
  readonly places: readonly FindingPlace[];
  /** Undecidable: why this trace cannot decide. */
  readonly seen: string;
  /** Undecidable: which recording would decide. */
  readonly due: string;
  readonly source: SourceView;
  /** What a person set it aside with. */
  readonly suppressed?: Suppression;
}

export interface SourceView {
  /** "v1, session setup › Loading Sessions" */
  readonly words: string;
  readonly url: string;
  /** The sentence, word for word. */
  readonly quote?: string;
  /** What it follows from where no sentence says it. */
  readonly follows?: string;
}

/** A finding as it stands on one frame. */
export interface FrameFinding extends FindingView {
  /** Of this frame. Undefined: of a very long finding, whose later frames keep no words. */
  readonly place?: FindingPlace;
}

export interface FindingsAnswer {
  readonly version: number;
  /** Worst first; what cannot be decided last. */
  readonly findings: readonly FindingView[];
}

/** What a rule asks, for who wants to know about it. */
export interface RuleView {
  readonly id: string;
  readonly versions: readonly number[];
  readonly side: string;
  readonly severity: Severity;
  /** Editions in which it counts for more, less or nothing, in words. */
  readonly editions: readonly string[];
  readonly clause: string;
}

/** Which of the frames with findings are meant. Nothing: all that count. */
interface Among {
  /** Of this finding alone, whether it counts or not. */
  readonly key?: string;
  /** Only frames that the query of the timeline lets through. */
  readonly shown?: boolean;
}

export interface FindingsApi {
  /** Undefined: there is no such trace any more. */
  all(connection: ConnectionId): Promise<FindingsAnswer | undefined>;
  ofFrame(connection: ConnectionId, seq: Seq): Promise<readonly FrameFinding[]>;
  /** The next frame with a finding, before or after. */
  next(
    connection: ConnectionId,
    seq: Seq,
    direction: 1 | -1,
    among?: Among,
  ): Promise<Seq | undefined>;
  /** Rows of the timeline with findings: of about so many parts of it, the worst one each. */
  rows(
    connection: ConnectionId,
    parts: number,
  ): Promise<readonly { readonly row: number; readonly worst: Severity }[]>;
  choose(connection: ConnectionId, choice: CheckChoice): Promise<void>;
  /** Undefined: there is no such rule. */
  rule(id: string): Promise<RuleView | undefined>;
}
