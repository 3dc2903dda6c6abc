// What the page hears of findings: the state of a check in small, told as it changes, and the findings
// themselves, fetched when they are looked at.
import type { Finding, FindingPlace, Severity, Verdict, Suppression } from '../../rules/finding.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import type { EditionChoice } from '../../rules/against.ts';
import type { Summary } from '../../rules/report/report.ts';
import type { Source } from '../../rules/source.ts';
import type { ConnectionId } from '../../trace/event.ts';

/** What a person chose about the check of a trace. */
export interface CheckChoice {
  readonly edition: EditionChoice;
  /**
   * Other traces that are read with this trace; if a person chose none, those that share a session. Live connections
   * are together anyway.
   */
  readonly together: readonly ConnectionId[];
}

export interface FindingCounts extends Summary {
  readonly suppressed: number;
}

interface EditionOption {
  readonly edition: EditionId;
  readonly words: string;
  /** The handshake settles on another version. */
  readonly contradicts: boolean;
  /** A person opened it from a file. */
  readonly own?: true;
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
export interface FindingView extends Omit<Finding, 'verdict' | 'seqs' | 'pointer' | 'source'> {
  /** The same for the same finding, while the trace grows. */
  readonly key: string;
  readonly verdict: Exclude<Verdict, 'pass'>;
  /** How many frames there are; `places` has the first of them. */
  readonly frames: number;
  readonly source: SourceView;
  /** What a person set it aside with. */
  readonly suppressed?: Suppression;
}

export type SourceView = Pick<Source, 'words' | 'url' | 'quote' | 'follows'>;

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
