// The contract between the page and its worker. Calls are answered once (rpc.ts); notices come
// by themselves, at most one of a kind per 16 ms, and carry whole small facts, never deltas.
import type { Json } from '../acp/message.ts';
import type { RestoreTry } from '../drive/restore-try.ts';
import type { ClientSettings } from '../drive/settings.ts';
import type { CellKind } from './fidelity/strip.ts';
import type { Launch, Problem } from '../link/messages.ts';
import type { CursorCandidate } from '../model/restore/cursor-candidates.ts';
import type { ConnectionFacts } from '../model/facts/facts-view.ts';
import type { FrameDetail } from '../model/timeline/frame-detail.ts';
import type { Knowledge } from '../model/restore/knows-it.ts';
import type { RestoreResult } from '../model/restore/restore-results.ts';
import type { SessionEvent } from '../model/sessions/session-history.ts';
import type { ReplayWindowView, RowView, ShownHead } from '../model/timeline/row-view.ts';
import type { TimelineFacts } from '../model/timeline/timeline-facts.ts';
import type { SessionRuns } from '../model/sessions/session-runs.ts';
import type { StoredTrace } from '../storage/schema.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { Trouble } from '../trace/trouble.ts';
import type { FindingsState } from './findings/finding-messages.ts';
import type { RunState } from './runs/run-messages.ts';
import type { LinkStatus } from '../link/client.ts';

export type { CursorCandidate, FrameDetail };

/** A restore of a session on any connection, with what was asked after it. */
export interface SessionRestore extends RestoreResult {
  /** The run of ours it was sent by. */
  readonly run?: TraceGroup;
  readonly then?: AskedAfter & { readonly knows: Knowledge };
}

/** The prompt that followed a restore. */
export interface AskedAfter {
  readonly request: Seq;
  readonly answer?: Seq;
  readonly prompt: string;
  readonly said: string;
  /** The error's words, where the prompt was refused. */
  readonly refusal?: string;
}

/** What a session lived on one connection between two restores: the first frames of its items, and of those that begin a turn. */
export interface HubStretch {
  readonly items: readonly Seq[];
  /** The kind of each item. */
  readonly kinds: readonly CellKind[];
  readonly turns: readonly Seq[];
  /** Its last frame. */
  readonly last: Seq;
  /** When it began, and when its last frame came: epoch milliseconds. */
  readonly at?: number;
  readonly to?: number;
}

/** What a child of the session lived there, drawn under it: times are epoch milliseconds. */
export interface HubChild {
  readonly sessionId: string;
  /** 1: its own child; 2: a child of that. */
  readonly depth: number;
  readonly items: number;
  readonly from: number;
  readonly to: number;
}

/** A session on one connection. Times are epoch milliseconds, absent where the trace has none. */
export interface HubConnection {
  readonly connection: ConnectionId;
  /** Epoch ms, or where the trace does not know, behind the one before it. */
  readonly began: number;
  /** The trace does not know. */
  readonly isClockless?: true;
  /** Its first and last frame that names the session. */
  readonly first: Seq;
  readonly last: Seq;
  readonly from?: number;
  readonly to?: number;
  /** The last event of the connection. */
  readonly ended?: number;
  /** When it was prompted. */
  readonly prompts: readonly number[];
  readonly stretches: readonly HubStretch[];
  /** Those of its children that lived something there, each below the one it is of. */
  readonly children?: readonly HubChild[];
}

/** A restore, and when it was asked for: epoch milliseconds. */
export interface HubRestore extends SessionRestore {
  readonly at?: number;
  /** Of a copy of the session, made to test what is known after it. */
  readonly ofCopy?: true;
}

/** One session on every connection of this browser, by the clock. */
export interface SessionHub {
  readonly connections: readonly HubConnection[];
  readonly events: readonly SessionEvent[];
  readonly restores: readonly HubRestore[];
  /** Stored traces too large to be looked through for it. */
  readonly notRead: number;
}

/** A restore to send on a fresh connection. */
export interface RestoreAsk extends RestoreTry {
  /** The connection whose launch and settings are used. */
  readonly like: ConnectionId;
  readonly run: Omit<TraceGroup, 'label'>;
}

export interface WindowDetail {
  readonly result: RestoreResult;
  /** Other windows that were open meanwhile. */
  readonly overlaps: readonly ReplayWindowView[];
}

/** A run of ours that made several connections for one purpose; the rail shows them as one. */
export type TraceGroup = NonNullable<StoredTrace['group']>;

/** A session in one trace, with its chip. */
export type TraceSession = SessionRuns & { readonly chip: string };

/** One trace the page can show: live, stored, or both. */
export interface TraceSummary extends Omit<
  StoredTrace,
  'header' | 'bytes' | 'last' | 'unterminated' | 'chips' | 'sessions' | 'deletedAt'
> {
  /** Shown as given by the person, else the agent's name. */
  readonly name: string;
  readonly state: 'running' | 'ended';
  /** It ran when the relay went away: nothing is known of it since. */
  readonly lost?: true;
  /** Bytes in this browser's database. */
  readonly stored: number;
  readonly facts?: ConnectionFacts;
  readonly sessions?: readonly TraceSession[];
  /** Why the relay can record nothing more of it now. */
  readonly trouble?: Trouble;
}

export type LinkState =
  | { readonly status: 'connecting' }
  | {
      readonly status: 'open';
      readonly version: string;
      readonly home: string;
      readonly cwd: string;
      readonly command: readonly string[];
    }
  | Extract<LinkStatus, { readonly status: 'lost' }>
  /** No token, or the relay was restarted: a new link is needed. `message` says how. */
  | { readonly status: 'refused'; readonly message: string };

export interface StorageState {
  readonly used: number;
  readonly quota: number;
  /** What is wrong and what to do; frames stay in the spool meanwhile. */
  readonly problem?: string;
  /** Events received and not yet in the database. */
  readonly behind: number;
}

/** What the timeline of one trace shows now. Rows are fetched by index. */
export interface TimelineState extends TimelineFacts {
  readonly connection: ConnectionId;
  /** Grows with every change of order or content; rows of an older version are stale. */
  readonly version: number;
}

/** Some of them, and the version that they are of. */
export interface TimelineRows {
  readonly version: number;
  readonly rows: readonly RowView[];
  /** The open turns and replay windows that these rows stand under. */
  readonly heads: readonly ShownHead[];
}

export interface SentRecord {
  readonly at: number;
  readonly connection: ConnectionId;
  readonly text: string;
}

/** A command as this browser knows it. */
export interface KnownLaunch extends Launch {
  /** Variables and headers whose values are not kept: they must be typed before it can be started. */
  readonly withheld?: readonly string[];
}

/** How an agent was started, or is to be. */
export interface KnownCommand {
  readonly launch: KnownLaunch;
  readonly settings: ClientSettings;
}

export type StartAnswer =
  | { readonly ok: true; readonly connection: ConnectionId }
  | {
      readonly ok: false;
      readonly problem: Problem;
      /** It was not tried: values are missing that a person can type. */
      readonly lacks?: KnownCommand;
    };

/** An answer as it came, or why none will. */
export type RequestAnswer =
  | { readonly kind: 'result'; readonly seq: Seq; readonly result: Json }
  | { readonly kind: 'error'; readonly seq: Seq; readonly code: number; readonly message: string }
  | { readonly kind: 'ended'; readonly message: string };

/** What a person decides about an open request of the agent. */
export type HandAnswer =
  | { readonly kind: 'option'; readonly optionId: string }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'elicitation';
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly content?: Json;
    }
  /** v1 terminal/create, fs/write: do it, or refuse. */
  | { readonly kind: 'host'; readonly allow: boolean }
  /** Leave it open, and do not ask again. */
  | { readonly kind: 'never' };

/** How far the reading of a file is. `read`: of the `size` bytes of the file. */
export interface ImportProgress {
  readonly name: string;
  readonly size: number;
  readonly read: number;
  readonly frames: number;
}

/** Whether to start this, or to let the page change the traffic of the tap of this name. */
export type TerminalQuestion =
  { readonly argv: readonly string[]; readonly cwd: string } | { readonly tap: string };

export type EngineNotice =
  | { readonly type: 'link'; readonly state: LinkState }
  | { readonly type: 'token'; readonly token: string | undefined }
  | { readonly type: 'traces'; readonly traces: readonly TraceSummary[] }
  | { readonly type: 'timeline'; readonly state: TimelineState }
  | { readonly type: 'storage'; readonly state: StorageState }
  /** Of the trace that is shown. */
  | { readonly type: 'findings'; readonly state: FindingsState }
  /** Of the run that is under way in this tab, or was the last. */
  | { readonly type: 'run'; readonly state: RunState }
  /** Marks or suppressions of a trace are others now, by whichever tab. */
  | { readonly type: 'annotated'; readonly connection: ConnectionId }
  /** What the relay's terminal asks about now, if anything. */
  | {
      readonly type: 'confirming';
      readonly asked: TerminalQuestion | undefined;
    }
  /** Caught up after a lost link, or a fact worth a line: `Caught up: 212 frames, none lost.` */
  | { readonly type: 'news'; readonly tone: 'info' | 'warn' | 'error'; readonly text: string }
  /** The file that is read now; undefined: none is. */
  | { readonly type: 'importing'; readonly progress: ImportProgress | undefined }
  /** A trace that was being read is given up: the page shows another. */
  | { readonly type: 'gone'; readonly connection: ConnectionId }
  /** Start this, named on the command line. */
  | { readonly type: 'start-now'; readonly connection: ConnectionId }
  /** A command gave this page a file to open, and a frame to show. */
  | { readonly type: 'given'; readonly file: File; readonly frame?: Seq }
  /** A trace began by itself, or is being read from a file: the page may show it. */
  | {
      readonly type: 'appeared';
      readonly connection: ConnectionId;
      readonly mode: 'tap' | 'file';
    };
