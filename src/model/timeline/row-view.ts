// What the timeline shows, one flat record a row, made from facts by the engine for the rows on
// screen. Components draw these and compute nothing.
import type { Millis } from '../../lib/time.ts';
import type { Origin, Seq, Side } from '../../trace/event.ts';
import type { RowFindings } from './finding-marks.ts';
import type { ReplayFigures } from '../replay/replay-tally.ts';
import type { ItemKind } from '../facts/variants.ts';
import type { RowKind } from '../columns.ts';
import type { Restore, RestoreOutcome } from '../facts/restore.ts';

/** How the tape runs through a row. `gapless` is the plain middle. */
export type TapePart = 'begin' | 'middle' | 'end' | 'open' | 'torn' | 'folded';

/** One tape lane in the gutter of a row. */
export interface Tape {
  readonly part: TapePart;
  readonly lane: 0 | 1;
  /** History where none was allowed: red edge. */
  readonly forbidden: boolean;
}

/** A replay cursor's letter on a row, and what became of it. */
export interface Pin {
  readonly letter: string;
  readonly fate: 'accepted' | 'rejected' | 'ignored' | 'open';
  /** The cursor value, as compact JSON. */
  readonly value: string;
  /** The request it was sent with last, and the updates that came. Absent: no answer yet. */
  readonly brought?: { readonly request: Seq; readonly updates: number } | undefined;
}

interface RowBase {
  /** Stable through filters and live growth; the key of {#each}. */
  readonly key: string;
  readonly seq: Seq;
  readonly tapes: readonly Tape[];
  /** History that came after the answer of its window. */
  readonly late: boolean;
  readonly pins: readonly Pin[];
  /** It stands under the head of a turn. */
  readonly inTurn?: true;
  /** Its bar over time. Absent: it has no time, or stands for frames at several. */
  readonly bar?: { readonly from: Millis; readonly to: Millis };
  /** A pin's dotted leader passes through the gutter of this row. */
  readonly leader?: 'begin' | 'middle' | 'end';
  /** On its frame; on any frame of a collapsed run, or of a closed window. */
  readonly findings?: RowFindings;
  /**
   * Whether the query matches it, or one of those it stands for. Absent: only what the query matches
   * is shown, or there is no query.
   */
  readonly isMatch?: boolean;
}

/** What a frame is about: an item of the conversation, or a question to the person. */
export type RowSubject = ItemKind | 'ask';

export interface FrameRow extends RowBase {
  readonly type: 'frame';
  readonly subject?: RowSubject;
  /** ACP's kind of the tool call. */
  readonly tool?: string;
  /** The status or state that an update reports. */
  readonly status?: string;
  /** The tool call, replayed as completed, failed live: the frame that reported the failure. */
  readonly failedAt?: Seq;
  /** The agent crashed, or was killed by neither side. */
  readonly crash?: true;
  readonly at: Millis;
  /** Milliseconds that the clock on the wall is ahead of `at`, because the machine slept; absent: none. */
  readonly stood?: Millis;
  /** Milliseconds since the row above; undefined on the first. */
  readonly delta?: Millis;
  /** Absent for stderr and events. */
  readonly from?: Side;
  readonly kind: RowKind;
  readonly origin: Origin;
  /** Column *method*: the method, or the session/update variant. */
  readonly method: string;
  readonly isUpdate: boolean;
  /** One human line; never cut JSON. */
  readonly summary: string;
  /** More than one frame collapsed here, or an opened run's head. */
  readonly run?: { readonly count: number; readonly last: Seq; readonly open: boolean };
  /** A member of an opened run (hairline at the left). */
  readonly inRun: boolean;
  /** The place, from 0, of a message in the array that is the frame's line; absent: the row is of the line. */
  readonly member?: number;
  readonly replay: boolean;
  /** `S1`; the session is inferred from context where `inferredSession`. */
  readonly session?: string;
  readonly inferredSession?: boolean;
  /** Asking side and exact token: `→2`, `←"a"`. */
  readonly id?: string;
  /** Bytes of the line without its end; of all frames of a run. */
  readonly size: number;
  /** On both frames of an exchange. */
  readonly latency?: Millis;
  /** A request without an answer so far. */
  readonly waits?: boolean;
  readonly cut?: true;
  /** The label of its mark, which may be empty; of a run: of the first marked frame in it. */
  readonly mark?: string;
}

/** Head of a replay window (28 px high, as that of a turn; all others 24). */
export interface WindowRow extends RowBase {
  readonly type: 'window';
  readonly window: ReplayWindowView;
  readonly open: boolean;
}

/** Head of a turn, of the same height. */
export interface TurnRow extends RowBase {
  readonly type: 'turn';
  readonly turn: TurnView;
  readonly open: boolean;
  /** How many of its frames the query matches; absent: there is no query. */
  readonly matches?: number;
}

/** A turn in the words of its head row. */
export interface TurnView {
  /** As in `turn:2`. */
  readonly number: number;
  /** What the prompt says; absent: the agent began it. */
  readonly prompt?: string;
  /** `S1`. */
  readonly session?: string;
  readonly frames: number;
  /** From its first frame to its last. Absent: the trace has no times. */
  readonly took?: Millis;
  readonly tools: number;
  /** Tool calls that failed. */
  readonly failed: number;
  /** Questions to the person. */
  readonly asks: number;
  /** How it ended: `end_turn`, or the error. */
  readonly end?: string;
  /** `running`: it may still end; `interrupted`: it never will. Absent: it has ended. */
  readonly left?: 'running' | 'interrupted';
  /** It ended with an error. */
  readonly isError?: true;
}

/** A head among the rows, and the last row under it. */
export interface ShownHead {
  readonly row: WindowRow | TurnRow;
  readonly from: number;
  readonly to: number;
}

/** A quiet stretch inside a long window. */
export interface FoldRow extends RowBase {
  readonly type: 'fold';
  readonly last: Seq;
  readonly frames: number;
  readonly messages: number;
  readonly tools: number;
}

export type RowView = FrameRow | WindowRow | TurnRow | FoldRow;

/** A replay window in the words of its head row. */
export interface ReplayWindowView {
  readonly id: number;
  readonly method: Restore['method'];
  readonly version: 1 | 2;
  readonly sessionId: string;
  readonly session: string;
  /** `replayFrom` as sent: `omitted`, or compact JSON. Absent in v1. */
  readonly cursor?: string;
  readonly pin?: Pin;
  readonly request: Seq;
  readonly answer?: Seq;
  readonly outcome: RestoreOutcome;
  /** `replay_complete` came: the history is whole, whatever became of the request. */
  readonly complete?: true;
  /** `-32602 Invalid params`, or `agent exited with 137`. */
  readonly problem?: string;
  readonly updates: number;
  readonly bytes: number;
  readonly took: Millis;
  readonly messages: number;
  readonly tools: number;
  readonly late: number;
  /** The protocol allowed no history here, and some came. */
  readonly forbidden: boolean;
  readonly figures: ReplayFigures;
}
