// What a comparison of two traces says. Command line, page and divergence reports show the same
// report; rows and their words are made when somebody looks at them.
import type { Json } from '../../../acp/message.ts';
import type { Seq, FrameRef } from '../../../trace/event.ts';
import type { AliasKind } from '../../../model/sessions/compare-terms.ts';
import type { ChangePiece } from '../../../model/text-change.ts';
import type { Finder } from '../../../model/query/find.ts';

export const DIFF_VIEWS = ['story', 'frames', 'state', 'handshake'] as const;
export type DiffView = (typeof DIFF_VIEWS)[number];

/** Left out: the whole trace. What is given must all hold. */
export interface Slice {
  /** In the words of the timeline's query: `is:live`, `session:S1`, `time:1.4..2.3`. */
  readonly query?: string;
  /** The nth turn of the trace, from 1: what its prompt began. */
  readonly turn?: number;
  readonly from?: Seq;
  readonly to?: Seq;
}

/** One stable name and the real values behind it. */
export interface Alias {
  /** `S1`, `T3`, `~`, `t0`; by first appearance. */
  readonly name: string;
  readonly kind: AliasKind;
  /** The real value on each side; absent: that side has no such thing. Of times, the first. */
  readonly a?: string;
  readonly b?: string;
  /** How often it stands in what is compared. */
  readonly uses: { readonly a: number; readonly b: number };
}

export interface DiffOptions {
  /** Default: story. */
  readonly view?: DiffView;
  /** Rules of ignore.ts; what they match is not compared. Default: `DEFAULT_IGNORE`. */
  readonly ignore?: readonly string[];
  /** Kinds that are compared as they stand. */
  readonly raw?: readonly AliasKind[];
  /** Single values, of either side, that are compared as they stand. */
  readonly rawValues?: readonly string[];
  /** View `frames`: chunks that say the same text but are cut elsewhere differ. Default: false. */
  readonly eachChunk?: boolean;
  readonly a?: Slice;
  readonly b?: Slice;
  /** Looks for what their queries ask of lines. Default: in place, and no patterns. */
  readonly finder?: Finder;
  /** Awaited every few milliseconds of work: lets others have their turn. What it throws cancels. */
  readonly pause?: () => Promise<void>;
}

type DifferenceKind = 'missing' | 'extra' | 'changed' | 'moved';

/** missing: only left (a); extra: only right (b); moved: on both, at another place. */
export interface TraceDifference {
  readonly kind: DifferenceKind;
  readonly a?: FrameRef;
  readonly b?: FrameRef;
  /** `$.params.update.status` in a frame, `$.status` in a step of the story; `$`: the whole. */
  readonly path: string;
  /** Real values, without aliases; of a whole step or frame its words. */
  readonly before?: Json;
  readonly after?: Json;
  /** What it is about: `tool`, `session/new`, `agent_message_chunk`. */
  readonly of: string;
  readonly row: number;
}

export type RowMark = 'equal' | DifferenceKind;

/** A frame, or a step of the story, on its side of a row. */
export interface DiffRowSide {
  readonly seq: Seq;
  /** The last frame of it, and how many it is made of. */
  readonly last: Seq;
  readonly frames: number;
  /** When it began; ms since the trace began. */
  readonly at: number;
  /** From its first frame to its last, where that says something: an exchange, a tool call. */
  readonly took?: number;
  /** One line, with aliases. */
  readonly words: string;
}

export interface FieldChange {
  readonly path: string;
  readonly kind: 'missing' | 'extra' | 'changed';
  /** As people read them, with aliases. */
  readonly before?: string;
  readonly after?: string;
  /** Of two texts: what both have, and what only one has, in order. */
  readonly merge?: () => readonly ChangePiece[];
}

export interface DiffRow {
  readonly mark: RowMark;
  /** As in a difference. */
  readonly of: string;
  /** Place in `sections`. */
  readonly section: number;
  readonly a?: DiffRowSide;
  readonly b?: DiffRowSide;
  readonly fields: readonly FieldChange[];
}

export interface DiffRows {
  readonly length: number;
  /** Cheap: nothing is read for it. */
  mark(row: number): RowMark;
  section(row: number): number;
  row(row: number): DiffRow;
}

/** A stretch of rows: the start, a turn, a restore, a session's state. */
export interface DiffSection {
  /** `Start`, `Turn 2`, `Restore 1`. */
  readonly name: string;
  /** What began it: the prompt, the request. */
  readonly words: string;
}

export interface LeftOutByRule {
  readonly rule: string;
  /** How many differences there would be more without it. */
  readonly differences: number;
  /** Values and whole frames that it left out, on each side; also those that are alike. */
  readonly a: number;
  readonly b: number;
}

/** Chunks of one message that say the same text on both sides, and are cut elsewhere: no difference. */
export interface SameText {
  /** `agent_message_chunk`. */
  readonly of: string;
  readonly a: ChunkRange;
  readonly b: ChunkRange;
  readonly row: number;
}

interface ChunkRange {
  readonly seq: Seq;
  readonly last: Seq;
  readonly frames: number;
}

export interface TraceDiffReport {
  readonly view: DiffView;
  readonly equal: boolean;
  readonly differences: readonly TraceDifference[];
  readonly counts: Readonly<Record<RowMark, number>>;
  readonly rows: DiffRows;
  readonly sections: readonly DiffSection[];
  readonly aliases: readonly Alias[];
  /** View `frames` only. */
  readonly sameText: readonly SameText[];
  /** Rows in which the alias of this name stands, on either side; ascending. */
  readonly rowsWith: (name: string) => readonly number[];
  readonly leftOut: readonly LeftOutByRule[];
  /** Steps or frames that were compared, on each side. */
  readonly compared: { readonly a: number; readonly b: number };
  /** The two have next to nothing in common: differences are whole frames, and say little. */
  readonly unrelated: boolean;
  /** Sentences about the comparison itself: what was given up, what is missing in a trace. */
  readonly notices: readonly string[];
  /** Both whole: this side replays a session that the other lived (`replayingSide`). */
  readonly replays?: 'a' | 'b';
}
