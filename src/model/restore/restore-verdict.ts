// The verdict on a restore: one word of a closed list that machines read, with its words on screen
// and the frames behind it. docs/restore.md defines each.
import type { Seq } from '../../trace/event.ts';
import type { ItemKind } from '../facts/variants.ts';
import type { MarkSeverity } from '../timeline/finding-marks.ts';
import type { IndexedTrace } from '../indexed-trace.ts';

export type RestoreVerdict =
  | 'restored-without-replay'
  | 'replayed-from-start'
  | 'replayed-from-cursor'
  | 'rejected-as-due'
  | 'ignored-replayed-from-start'
  | 'replayed-nothing'
  | 'restored-nothing'
  /** History where the protocol allows none. */
  | 'replayed-unasked'
  /** History that begins neither at the start nor with what the cursor names. */
  | 'replayed-elsewhere'
  /** All history came after the answer, or after the marker that called it complete. */
  | 'replayed-late'
  /** An error that was not due, or of which the frames do not say whether it was. */
  | 'rejected'
  /** No answer yet. */
  | 'open'
  /** The connection ended before the answer. */
  | 'incomplete'
  /** The frames do not say which it was. */
  | 'undecidable';

export const RESTORE_VERDICT_WORDS: Readonly<Record<RestoreVerdict, string>> = {
  'restored-without-replay': 'restored without replay',
  'replayed-from-start': 'replayed from start',
  'replayed-from-cursor': 'replayed from the cursor',
  'rejected-as-due': 'rejected, as expected',
  'ignored-replayed-from-start': 'ignored, replayed from start',
  'replayed-nothing': 'replayed nothing',
  'restored-nothing': 'restored nothing',
  'replayed-unasked': 'replayed where none was allowed',
  'replayed-elsewhere': 'replayed from elsewhere',
  'replayed-late': 'replayed late',
  rejected: 'rejected',
  open: 'awaiting a response',
  incomplete: 'incomplete',
  undecidable: 'inconclusive',
};

export const RESTORE_VERDICTS = Object.keys(RESTORE_VERDICT_WORDS) as readonly RestoreVerdict[];

/** A frame the verdict rests on, and what it is to it. */
export interface RestoreEvidence {
  readonly what:
    | 'request'
    /** The frame that first spoke of what the cursor names. */
    | 'named'
    | 'first replayed'
    | 'last replayed'
    | 'state'
    | 'answer'
    /** Of the agent, before it answered. */
    | 'end'
    | 'last late'
    /** A later request that found no session. */
    | 'refused';
  readonly seq: Seq;
}

/** Order and answer are as due, and yet not all came back as it was said live. */
export interface Shortfall {
  /**
   * `error`: in v1 the conversation had to come whole, and part of it did not. `warning`: the same
   * of what weighs little, or where the live part is only partly known; in v2, what came was never
   * so. `hint`: no agent has to do better. `open`: part of the history cannot be judged, and no part
   * of the rest is short.
   */
  readonly weight: MarkSeverity | 'open';
  /** A clause: `3 items did not come back; v1 makes the entire conversation due`. */
  readonly words: string;
}

/** A trace in which something may have been said. */
export type SearchedTrace = Pick<IndexedTrace, 'index' | 'eventAt'>;

export interface NamedItem {
  readonly kind: ItemKind;
  readonly id: string;
  /** Its place in that trace. */
  readonly index: number;
}

/** What other traces know of the session, where this one does not. */
export interface Elsewhere {
  /** They hold history of it. */
  readonly history?: boolean;
  /** They say that it was made or listed. */
  readonly known?: boolean;
  /** Its messages, tool calls and so on, those of a kind in order. */
  readonly items?: readonly NamedItem[];
  /** It was deleted, or its id was made up: no agent can know it. */
  readonly gone?: boolean;
}
