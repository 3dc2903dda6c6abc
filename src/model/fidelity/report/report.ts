// What a fidelity report says of each replay window: how far a client that trusts the replay knows
// what was said live. Command line, page and lab show the same report.
import type { Cause } from '../../restore/restore-causes.ts';
import type { RestoreResult } from '../../restore/restore-results.ts';
import type { RestoreVerdict, Shortfall } from '../../restore/restore-verdict.ts';
import type { OpenThing } from '../../restore/reconnect.ts';
import type { Answer, HistoryAnswer } from './answer.ts';
import type { ConnectionId, Seq, FrameRef } from '../../../trace/event.ts';
import type { JsonObject } from '../../../acp/message.ts';
import type { ReplayFault, ReplayRule } from '../../replay/faults.ts';
import type { FactKind, FieldValue, NormalItemKind } from '../../replay/normal-form.ts';
import type { ChangePiece } from '../../text-change.ts';

/**
 * equal: the same. cosmetic: chunks, white space, times or the order of unrelated updates differ.
 * lossy: something is missing, or a field emptied. corrupt: it says what was never so live.
 * undecidable: the traces do not hold what would decide it.
 */
export type FidelityVerdict = 'equal' | 'cosmetic' | 'lossy' | 'corrupt' | 'undecidable';

/** `nothing due`: no history is due of it, as of a fork; what differs is told, and counts for nothing. */
export type WindowVerdict = FidelityVerdict | 'nothing due';

/** Of a child session: nothing came back, and an agent need not keep it. */
export type ChildVerdict = WindowVerdict | 'not kept';

export type ItemMark =
  | 'equal'
  | 'cosmetic'
  | 'changed'
  | 'missing'
  | 'extra'
  | 'moved'
  /** One item came as several, or several as one. */
  | 'split'
  | 'merged'
  /** After the end of its history, the marker or the answer: a client takes it for new. */
  | 'late'
  /** Its id is absent, or another one. */
  | 'lost id'
  /** A `tool_call_update` without its `tool_call`. */
  | 'orphan'
  /** v2: chunks without the empty upsert that must come first. */
  | 'no baseline'
  /** History that was not asked for. */
  | 'unasked'
  /** Text that the agent adds by itself. */
  | 'synthetic'
  /** The version that the replay speaks, or that was spoken live, has no word for it. */
  | 'cannot say'
  /** Whether it was said live cannot be known. */
  | 'unknown';

export type FidelityKind = NormalItemKind | FactKind;

/** One difference; `before` and `after` are as people read them, cut around what differs. */
export interface ItemDifference {
  readonly kind: Exclude<ItemMark, 'equal'>;
  readonly verdict: Exclude<FidelityVerdict, 'equal'>;
  readonly of: FidelityKind;
  /** `tool call call_1 “Read notes.txt”`, `agent message “The tool said…”`, `mode`. */
  readonly item: string;
  /** `status`, `rawInput.command`; absent: the whole item. */
  readonly field: string | undefined;
  readonly live: FrameRef | undefined;
  readonly replayed: FrameRef | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Where both say much the same: what is gone and what is new, with some of what stands beside it. */
  readonly change?: readonly ChangePiece[] | undefined;
  /** The values themselves, where it is a field that differs. They do not leave the thread. */
  readonly values?:
    readonly [live: FieldValue | undefined, replayed: FieldValue | undefined] | undefined;
  /** One clause: `was failed, is completed`. */
  readonly why: string;
}

export interface RowSide {
  readonly frame: FrameRef;
  readonly last: FrameRef;
  readonly frames: number;
  /** What it says, in one line. */
  readonly words: string;
  /** Messages that were one on the other side. */
  readonly pieces?: number | undefined;
  /** Of a tool call. */
  readonly tool?: { readonly kind: string; readonly status: string } | undefined;
}

/** Aligned: at least one side is there. */
export interface Row {
  readonly of: FidelityKind;
  readonly mark: ItemMark;
  readonly verdict: FidelityVerdict;
  readonly live: RowSide | undefined;
  readonly replayed: RowSide | undefined;
  /** Places in `differences` of the window. */
  readonly differences: readonly number[];
}

export interface RowGroup {
  /** `before`: what stands before the first prompt. `end`: what the session is left with. */
  readonly at: 'before' | 'turn' | 'end';
  /** From 1; 0: no turn. */
  readonly turn: number;
  /** The prompt, in one line. */
  readonly title: string;
  readonly rows: readonly (Row | { readonly of: 'aside'; readonly live: RowSide })[];
}

/** Of one kind. Every live item that is due is counted once, and every extra one. */
export interface KindScore {
  readonly live: number;
  readonly replayed: number;
  readonly equal: number;
  readonly cosmetic: number;
  readonly lossy: number;
  readonly corrupt: number;
  readonly undecidable: number;
  /** Of all that could be decided: the part that is equal or cosmetic, 0 to 1. Undefined: nothing could. */
  readonly score: number | undefined;
}

/** The stretch of one trace that the live part comes from. */
export interface LiveSource {
  readonly connection: ConnectionId;
  readonly from: Seq;
  readonly to: Seq;
}

/** One child session of the tree that was restored. */
export interface ChildFidelity extends Pick<
  FidelityWindow,
  | 'notes'
  | 'session'
  | 'historyComplete'
  | 'refused'
  | 'sentence'
  | 'kinds'
  | 'differences'
  | 'live'
  | 'partly'
> {
  /** The session that owns it. */
  readonly parent: string;
  readonly verdict: ChildVerdict;
  readonly answer: HistoryAnswer;
}

/**
 * `nothing known`: history came, or was due, and no trace holds any of the live part. `other children`:
 * lived with child sessions and restored without them, or the other way round; or frames were lost on the way.
 */
export type WhyUndecidable = 'nothing known' | 'other children' | 'frames missing';

/** A restore request, and what the client that sends it has to offer in its `initialize`. */
export interface DecidingRestore {
  readonly protocolVersion: 1 | 2;
  readonly method: string;
  readonly params: JsonObject;
  readonly clientCapabilities: JsonObject;
}

export interface FidelityWindow {
  /** The trace that the window lies in, and its number there. */
  readonly connection: ConnectionId;
  readonly window: number;
  readonly session: string;
  /** `v1 load`, `v1 resume`, `v1 fork`, `v2 omitted`, `v2 null`, `v2 start`, `v2 custom`, … */
  readonly variant: string;
  /** v2: `replayFrom` as compact JSON, or `omitted`. */
  readonly cursor: string | undefined;
  readonly requestSeq: Seq;
  readonly answerSeq: Seq | undefined;
  /** `replay_complete` came: its history is whole, whatever became of the request. */
  readonly historyComplete: boolean;
  /** The agent refused the restore, before it said that its history is complete: no replay is due. */
  readonly refused: boolean;
  /** No history was asked for, and none came: only what the session is set to is compared. */
  readonly unasked: boolean;
  /** What became of the restore, as the restore form says it. */
  readonly restored: RestoreVerdict;
  /** Whether that is as due, before its history is held against what was said live. */
  readonly due: boolean | undefined;
  /** The same with the frames behind it. */
  readonly result: RestoreResult;
  /** Why it may have been refused, the likeliest first. */
  readonly causes: readonly Cause[];
  /** The restore that would decide what child sessions leave open; undefined: they leave nothing open. */
  readonly decidedBy: DecidingRestore | undefined;
  /** Work that was open when the connection before ended, and what became of it. */
  readonly leftOpen: readonly OpenThing[];
  /** An intercept changed lines of the agent on their way; what the agent wrote is compared. */
  readonly intercepted: boolean;
  /** As due so far, and yet not all came back. */
  readonly shortfall: Shortfall | undefined;
  readonly verdict: WindowVerdict;
  /** What a client that trusts it would get wrong; what would decide it, where nothing does. */
  readonly sentence: string;
  /** Sentences on what no row of the comparison shows; often empty. */
  readonly notes: string;
  /** The two words, the headline and the counts that every view and report shows. */
  readonly answer: Answer;
  /** Why nothing of it can be judged, where it was answered. */
  readonly unjudged: WhyUndecidable | undefined;
  readonly kinds: Readonly<Partial<Record<FidelityKind, KindScore>>>;
  readonly differences: readonly ItemDifference[];
  readonly groups: readonly RowGroup[];
  readonly live: readonly LiveSource[];
  /** Why the live part is only partly known, one clause each. */
  readonly partly: readonly string[];
  /** What the replay of the whole tree violates; `judged`: the rules that had something to judge. */
  readonly faults: readonly ReplayFault[];
  readonly judged: ReadonlySet<ReplayRule>;
  /** Every child session that was live before or came back, in the order of their announcements. */
  readonly children: readonly ChildFidelity[];
}

export interface FidelityReport {
  readonly windows: readonly FidelityWindow[];
}

/** Absent: all. */
export interface FidelityWish {
  readonly session?: string;
  /** Only this window: its trace, and its number there. */
  readonly window?: { readonly connection: ConnectionId; readonly id: number };
}
