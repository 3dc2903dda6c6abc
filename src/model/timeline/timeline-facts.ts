// What the timeline of a trace shows, beside its rows.
import type { Millis } from '../../lib/time.ts';
import type { Seq } from '../../trace/event.ts';
import type { ChipCounts } from '../query/chips.ts';
import type { QueryProblem } from '../query/query.ts';
import type { FrameCounts } from '../query/verdicts.ts';
import type { NothingFound } from '../query/vocabulary.ts';
import type { SortKey } from './row-order.ts';

/** What the timeline shows now, but for its rows. Lines of stderr are no frames, and counted apart. */
export interface TimelineFacts {
  readonly rows: number;
  /** Indexes of the 28 px rows, ascending. */
  readonly tall: readonly number[];
  readonly counts: FrameCounts;
  /** Of each part of the query, in order: what it matches, and what it hides alone. */
  readonly parts: readonly {
    readonly source: string;
    readonly matches: number;
    readonly hides: number;
    /** Lines of stderr that it hides alone. */
    readonly stderr: number;
  }[];
  /** Every turn and replay window is closed. */
  readonly isFolded: boolean;
  /** The rest is shown too, and what the query matches is lit. */
  readonly lights: boolean;
  /** The sort key of the rows, greatest value first; absent: the rows are in the order of the trace. */
  readonly sorted?: SortKey;
  /** Frames and lines of stderr hidden by a session term only because they name no session. */
  readonly sessionless: number;
  readonly query: string;
  /** Frames, lines of stderr and other events of each chip in the whole trace, and of all. */
  readonly chips: ChipCounts & { readonly all: number };
  /** The query is broken, and the last good one holds. */
  readonly queryProblem?: QueryProblem;
  /** The first term of the query that finds nothing, and a value that is written nearly the same. */
  readonly nothing?: NothingFound;
  /** Lines are being searched: so much of the trace was, from 0 to 1. */
  readonly searching?: number;
  readonly last: Seq;
  readonly duration: Millis;
  /** The longest of each in the trace, so far as its column may grow. */
  readonly widest: { readonly method: string; readonly id: string };
}
