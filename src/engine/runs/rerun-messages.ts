// A trace replay as the client, as the page asks for it and hears of it: what it would send, and the
// recording beside what came.
import type { DiffRowSide, FieldChange, LeftOutByRule } from '../../diff/traces/report/report.ts';
import type { Diverging } from '../../drive/replay/divergence.ts';
import type { ReplaySpeed } from '../../drive/replay/strictness.ts';
import type { PlayedNote } from '../../drive/replay/played.ts';
import type { Launch } from '../../link/messages.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { AliasKind } from '../../model/sessions/compare-terms.ts';

/** What a recording would send; nothing is sent for it. */
export interface RerunPlan {
  /** Frames of the recorded client. */
  readonly frames: number;
  /** Frames of the recorded agent. */
  readonly says: number;
  readonly prompts: number;
  /** The folder that its first session named. */
  readonly cwd: string | undefined;
  /** How its agent was started, where the recording says it. */
  readonly started: { readonly argv: readonly string[]; readonly cwd: string } | undefined;
  /** Sessions of an earlier process that it restores. */
  readonly restored: readonly string[];
  /** What its client asked for; undefined: it is not recorded. */
  readonly asked: 1 | 2 | undefined;
  /** Connections on which it is played as the agent, or was, the newest first. */
  readonly plays: readonly ConnectionId[];
  /** What of it cannot be sent, sentences. */
  readonly problems: readonly string[];
}

export interface RerunOrder {
  readonly recording: ConnectionId;
  readonly launch: Launch;
  /** The folder that stands for the recorded one; the agent is started there. */
  readonly cwd: string;
  readonly speed: ReplaySpeed;
  /** Prompts that were agreed to. */
  readonly most: number;
  /** Recorded sessions that have another id now. */
  readonly sessions: readonly (readonly [recorded: string, live: string])[];
}

/**
 * `matched`: both say the same. `waiting`: recorded, and still to come. `coming`: begun, and so far the
 * same. `passed`: different, and let pass. `missing`: recorded, and did not come. `extra`: came, and is
 * not recorded.
 */
export type RerunState =
  'matched' | 'waiting' | 'coming' | 'passed' | 'different' | 'missing' | 'extra' | 'moved';

/** `words`: ids as `S1`. */
export type RerunSide = Pick<DiffRowSide, 'seq' | 'last' | 'words'>;

export type RerunField = Pick<FieldChange, 'path' | 'before' | 'after'>;

/** A step of the story: recorded, live, or both. */
export interface RerunRow {
  readonly state: RerunState;
  /** `tool`, `agent`, `session/new`. */
  readonly of: string;
  readonly recorded?: RerunSide;
  readonly live?: RerunSide;
  readonly fields: readonly RerunField[];
}

export type RerunDifference = Pick<Diverging, 'kind' | 'of' | 'path' | 'before' | 'after'> & {
  readonly a?: Seq;
  readonly b?: Seq;
};

export interface RerunReportView {
  /** Of its run; where it was played as the agent, of its connection. */
  readonly id: string;
  /** It was played as the agent; absent: as the client. */
  readonly role?: 'agent';
  /** The live side. */
  readonly agent: string;
  readonly version: 1 | 2;
  /** ISO 8601, when it began. */
  readonly at: string;
  readonly recording: ConnectionId;
  /** As it was called then. */
  readonly name: string;
  readonly rerun: ConnectionId | undefined;
  readonly phase: 'running' | 'over' | 'stopped';
  /** The words of it all, once it is over. */
  readonly verdict: string | undefined;
  readonly isAsRecorded: boolean;
  /** How the agent ended, where nobody asked it to: `code 137`. */
  readonly ended: string | undefined;
  readonly rows: readonly RerunRow[];
  /** Rows that were too many to keep. */
  readonly rowsLeftOut: number;
  readonly counts: Readonly<Partial<Record<RerunState, number>>>;
  /** In the state of the sessions at the end. */
  readonly state: readonly RerunDifference[];
  readonly notes: readonly PlayedNote[];
  readonly problems: readonly string[];
  /** Kinds of names that stand for others in it. */
  readonly aliased?: readonly AliasKind[];
  /** How often each rule to leave something out applied. */
  readonly leftOut?: readonly LeftOutByRule[];
  /** Played as the agent: its recorded frames that were said, and that were not. */
  readonly said?: number;
  readonly unsaid?: number;
  /** Played as the agent: the client's recorded frame that may come next. */
  readonly next?: { readonly seq: Seq; readonly method: string };
}
