// What the page asks the worker about two traces, and what comes back: figures at once, rows by the
// screen. A comparison stays in the worker under its number until others have taken its place.
import type { ChangePiece } from '../../model/text-change.ts';
import type {
  Alias,
  DiffRowSide,
  DiffSection,
  DiffView,
  FieldChange,
  LeftOutByRule,
  RowMark,
  Slice,
  TraceDiffReport,
} from '../../diff/traces/report/report.ts';
import type { AliasKind } from '../../model/sessions/compare-terms.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

/** What to compare. */
export interface DiffAsk {
  readonly left: ConnectionId;
  readonly right: ConnectionId;
  readonly view: DiffView;
  readonly ignore: readonly string[];
  readonly raw: readonly AliasKind[];
  readonly rawValues: readonly string[];
  /** View `frames`: what says the same text in other chunks differs. */
  readonly eachChunk?: boolean;
  readonly leftSlice?: Slice;
  readonly rightSlice?: Slice;
}

/** Names a comparison in the worker. */
export type DiffNumber = number;

/** In the order of the bytes of `DiffLook.marks`. */
export type MarkCode = 0 | 1 | 2 | 3 | 4;

/** The aliases of one kind: the first two, and figures of all. */
export interface AliasGroup {
  readonly kind: AliasKind;
  readonly total: number;
  /** Those whose real values differ, or that one side lacks. */
  readonly differing: number;
  /** How often they stand in what is compared, on both sides. */
  readonly uses: number;
  readonly aliases: readonly Alias[];
}

/** All but the rows. */
export interface DiffLook {
  readonly diff: DiffNumber;
  readonly ask: DiffAsk;
  readonly equal: boolean;
  readonly counts: Readonly<Record<RowMark, number>>;
  readonly compared: { readonly a: number; readonly b: number };
  /** Events of each trace when they were compared. */
  readonly events: { readonly a: number; readonly b: number };
  readonly sections: readonly DiffSection[];
  readonly aliases: readonly AliasGroup[];
  readonly leftOut: readonly LeftOutByRule[];
  /** So many messages say the same text in other chunks. */
  readonly sameText: number;
  readonly unrelated: boolean;
  readonly notices: readonly string[];
  readonly replays?: TraceDiffReport['replays'];
  /** Of each row: equal 0, changed 1, missing 2, extra 3, moved 4. */
  readonly marks: Uint8Array;
  /** Of each row: its place in `sections`. */
  readonly rowSections: Uint32Array;
  /** Of each row: how many fields of it differ, those that are alike told as one. */
  readonly fields: Uint16Array;
  /** Of each row: 1 where its one difference stands in its words already. */
  readonly told: Uint8Array;
  /** How long it took, in ms. */
  readonly took: number;
}

/** A field of a row, short enough for a line. */
export interface ShownField extends Pick<FieldChange, 'path' | 'kind' | 'before' | 'after'> {
  /** Both values as one text; absent: they have little in common, or one is absent. */
  readonly change?: readonly ChangePiece[];
}

export interface ShownRow {
  readonly mark: RowMark;
  readonly of: string;
  readonly a?: DiffRowSide;
  readonly b?: DiffRowSide;
  /** The words of both sides as one text, where they differ. */
  readonly change?: readonly ChangePiece[];
  readonly fields: readonly ShownField[];
  /** Those that stand in what is shown of it. */
  readonly aliases: readonly Alias[];
}

/** A turn of a trace, to compare with another one. */
export interface TurnName {
  readonly turn: number;
  readonly begin: Seq;
  /** `Turn 2`: turns of child sessions are counted apart, as `Child turn 1`. */
  readonly name: string;
  /** Of its prompt. */
  readonly words: string;
}
