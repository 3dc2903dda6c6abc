// What the page asks the worker about two traces, and what comes back: figures at once, rows by the
// screen. A comparison stays in the worker under its number until it is dropped or cancelled.
import type {
  Alias,
  AliasKind,
  DiffRow,
  DiffSection,
  DiffView,
  LeftOut,
  RowMark,
  Slice,
} from '../diff/traces/report.ts';
import type { TimingTable } from '../diff/traces/timing.ts';
import type { ConnectionId } from '../trace/event.ts';

/** What to compare; the page keeps it with the pair. */
export interface DiffAsk {
  readonly left: ConnectionId;
  readonly right: ConnectionId;
  readonly view: DiffView;
  readonly ignore: readonly string[];
  readonly raw: readonly AliasKind[];
  readonly rawValues: readonly string[];
  readonly leftSlice?: Slice;
  readonly rightSlice?: Slice;
}

/** Names a comparison in the worker. */
export type DiffNumber = number;

/** All but the rows. */
export interface DiffLook {
  readonly diff: DiffNumber;
  readonly equal: boolean;
  readonly counts: Readonly<Record<RowMark, number>>;
  readonly compared: { readonly a: number; readonly b: number };
  readonly sections: readonly DiffSection[];
  readonly aliases: readonly Alias[];
  readonly leftOut: readonly LeftOut[];
  readonly unrelated: boolean;
  readonly notices: readonly string[];
  /** Marks and sections of all rows, a byte and four: for the map, and for folding what is equal. */
  readonly marks: Uint8Array;
  readonly rowSections: Uint32Array;
  /** How long it took, in ms. */
  readonly took: number;
  readonly timing?: TimingTable;
}

/** The worker's side; each call may be overtaken by `cancelDiff`. */
export interface DiffApi {
  /** A sentence: why they cannot be compared (a rule, a slice). Undefined: it was cancelled. */
  diff(ask: DiffAsk): Promise<DiffLook | { readonly problem: string } | undefined>;
  diffRows(diff: DiffNumber, from: number, to: number): Promise<readonly DiffRow[]>;
  cancelDiff(): Promise<void>;
  dropDiff(diff: DiffNumber): Promise<void>;
}
