// The calls the page makes of its worker, an object a feature. Each is answered once (rpc.ts).
import type { Json } from '../acp/message.ts';
import type { Tried } from '../drive/restore-try.ts';
import type { ClientSettings } from '../drive/settings.ts';
import type { InterceptPreset } from '../drive/intercept/table.ts';
import type { InterceptCall, Launch, Looked, AgentPreset, Problem } from '../link/messages.ts';
import type { CapabilityUse } from '../model/facts/capability-use.ts';
import type { RedactionLevel } from '../model/redact/levels.ts';
import type { TerminalView } from '../model/sessions/conversation-view.ts';
import type { CursorCandidate } from '../model/restore/cursor-candidates.ts';
import type { DensityView } from '../model/timeline/density.ts';
import type { StateAsk, StateView } from '../model/fold/look.ts';
import type { Moment, PlayheadMove } from '../model/fold/moments.ts';
import type { TextOrigin } from '../model/fold/patch.ts';
import type { DiffPart, LongDiff } from '../model/sessions/line-diff.ts';
import type { FrameDetail, SelectionSum } from '../model/timeline/frame-detail.ts';
import type { TimeSpan } from '../model/query/numbers.ts';
import type { ShownWindow } from '../model/timeline/row-view.ts';
import type { QueryMatch } from '../model/timeline/timeline-view.ts';
import type { SessionEvent } from '../model/sessions/session-history.ts';
import type { FieldWithValue, Vocabulary } from '../model/query/vocabulary.ts';
import type { WaitingView } from '../model/facts/waiting.ts';
import type { Annotation } from '../trace/annotation.ts';
import type { ConnectionId, LeftProgram, Seq } from '../trace/event.ts';
import type { Diffs } from './diff/diffs.ts';
import type { Fidelities } from './fidelity/fidelities.ts';
import type { EvidenceFile, EvidenceOf } from './library/evidence.ts';
import type { Plain, Shared, SharedPart } from './library/share.ts';
import type { TraceFinds } from './library/trace-finds.ts';
import type { FindingsApi } from './findings/finding-messages.ts';
import type { Performance } from './performance/performance.ts';
import type { Minimiser } from './runs/minimiser.ts';
import type { Runs } from './runs/runs.ts';
import type {
  SessionRestore,
  SessionBackground,
  SessionHub,
  RestoreAsk,
  WindowDetail,
  TimelineRows,
  TimelineState,
  SentRecord,
  KnownLaunch,
  RecentCommand,
  StartAnswer,
  RequestAnswer,
  HandAnswer,
} from './messages.ts';
import type { Imported } from './library/import-file.ts';

/** The link, and agents that run. */
export interface ConnectionsApi {
  /** Starts the link. `code` is the one-time code of the address, if there was one. */
  enter(code: string | undefined, token: string | undefined): Promise<void>;
  /** The tab or the machine woke up, or the network is back: look at the link at once. */
  wake(): Promise<void>;
  presets(): Promise<readonly AgentPreset[]>;
  /** Whether there is a folder where the relay runs. */
  look(path: string): Promise<Looked>;
  /** What an ended agent left running, and runs now; undefined: it is not known. `end`: ends it first. */
  left(connection: ConnectionId, end?: true): Promise<readonly LeftProgram[] | undefined>;
  start(launch: KnownLaunch, settings: ClientSettings): Promise<StartAnswer>;
  stop(connection: ConnectionId, how: 'end' | 'kill' | 'SIGKILL'): Promise<void>;
  /** The same command and settings again, as a new connection. */
  restart(
    connection: ConnectionId,
    change?: Partial<ClientSettings>,
    /** The text of rules, in force before anything is sent. */
    rules?: string,
  ): Promise<StartAnswer>;
  /** Exactly this line (no 0x0A in it), `origin` composer. */
  sendLine(connection: ConnectionId, text: string): Promise<Problem | undefined>;
  /** A request with the next free id, `origin` script. Resolves with its answer. */
  request(connection: ConnectionId, method: string, params: Json): Promise<RequestAnswer>;
  notify(connection: ConnectionId, method: string, params: Json): Promise<void>;
  /** The id the next request of ours should carry, as JSON. */
  nextId(connection: ConnectionId): Promise<string>;
  answer(connection: ConnectionId, request: Seq, answer: HandAnswer): Promise<Problem | undefined>;
  /** Why nothing of it was done, where the page knows already; the relay tells the rest as a problem. */
  intercept(connection: ConnectionId, call: InterceptCall): Promise<Problem | undefined>;
  /** What is wrong with rules as they are written, as sentences. */
  checkRules(text: string): Promise<readonly string[]>;
  /** Rules that are ready made. */
  interceptPresets(): Promise<readonly InterceptPreset[]>;
  setSettings(connection: ConnectionId, settings: ClientSettings): Promise<void>;
  settings(connection: ConnectionId): Promise<ClientSettings | undefined>;
}

/** The frames of a trace. */
export interface TimelineApi {
  /** Shows this trace in the timeline: loads it if stored; notices of it begin. */
  /** `lights`: what the query does not match is shown too. */
  open(
    connection: ConnectionId,
    query: string,
    lights?: boolean,
  ): Promise<TimelineState | undefined>;
  setQuery(connection: ConnectionId, query: string, lights?: boolean): Promise<TimelineState>;
  /** The next event that the query matches, around the ends; undefined: it matches none. */
  nextMatch(
    connection: ConnectionId,
    seq: Seq | undefined,
    direction: 1 | -1,
  ): Promise<QueryMatch | undefined>;
  /** By which fields and values a query finds this event. */
  valuesOf(connection: ConnectionId, seq: Seq): Promise<readonly FieldWithValue[]>;
  rows(connection: ConnectionId, from: number, to: number): Promise<TimelineRows>;
  /** Opens or closes a run, fold or window by its row key. */
  toggle(connection: ConnectionId, key: string): Promise<TimelineState>;
  /** Row index of the event, -1 if the query hides it (the terms that do are named). */
  locate(
    connection: ConnectionId,
    seq: Seq,
  ): Promise<{ readonly row: number; readonly hiddenBy: readonly string[] }>;
  /** Seq of the next row that holds a window head, before or after. */
  nextWindow(connection: ConnectionId, seq: Seq, direction: 1 | -1): Promise<Seq | undefined>;
  /** `isBrief`: without its line, and what that says. */
  frame(connection: ConnectionId, seq: Seq, isBrief?: boolean): Promise<FrameDetail | undefined>;
  /** Of its line, in hex. */
  sha256(connection: ConnectionId, seq: Seq): Promise<string>;
  /** Everything that rows from `from` up to, not with, `to` stand for. */
  framesIn(connection: ConnectionId, from: number, to: number): Promise<readonly Seq[]>;
  sum(connection: ConnectionId, seqs: readonly Seq[]): Promise<SelectionSum>;
  /** The lines of these frames, one below the other; `lossy`: not all of them are UTF-8. */
  lines(
    connection: ConnectionId,
    seqs: readonly Seq[],
  ): Promise<{ readonly text: string; readonly lossy: boolean }>;
  /** The last `most` replay windows among the rows. */
  windows(connection: ConnectionId, most: number): Promise<readonly ShownWindow[]>;
  /** `span`: of this part of the time only. */
  density(connection: ConnectionId, buckets: number, span?: TimeSpan): Promise<DensityView>;
  /** Values and their counts for query completion: `method` → [['session/prompt', 3], …]. */
  vocabulary(connection: ConnectionId): Promise<Vocabulary>;
  stderr(
    connection: ConnectionId,
    after: Seq,
  ): Promise<readonly { readonly seq: Seq; readonly text: string }[]>;
}

/** What the frames of a session amount to. */
export interface SessionsApi {
  /** A session as a correct client believes it at a frame, or at the live end. */
  conversation(connection: ConnectionId, sessionId: string, ask: StateAsk): Promise<StateView>;
  /** Who waits for whom, after this event or at the live end. */
  waiting(connection: ConnectionId, at: Seq | undefined): Promise<WaitingView>;
  /** A frame of the session to stop at; undefined: it has none. */
  moment(
    connection: ConnectionId,
    sessionId: string,
    walk: PlayheadMove,
  ): Promise<Moment | undefined>;
  /** Which frame brought which part of the text of an item, told by its first and last frame. */
  provenance(
    connection: ConnectionId,
    sessionId: string,
    key: string,
    first: Seq,
    last: Seq,
  ): Promise<readonly TextOrigin[]>;
  terminals(connection: ConnectionId): Promise<readonly TerminalView[]>;
  /** The replay window of the restore request at `request`. */
  replayWindow(connection: ConnectionId, request: Seq): Promise<WindowDetail | undefined>;
  /** The lines of a diff that would hold up the page. */
  longDiff(part: DiffPart): Promise<LongDiff>;
  /** Which capabilities were made use of, and how often that was refused. */
  capabilityUse(connection: ConnectionId): Promise<readonly CapabilityUse[]>;
  /** What happened to a session on every connection in memory, in the order of time. */
  history(sessionId: string): Promise<readonly SessionEvent[]>;
  /** All of it: what it lived on each connection, what happened to it, and every restore. */
  hub(sessionId: string): Promise<SessionHub>;
}

/** Restores of a session, on whichever connection. */
export interface RestoreApi {
  candidates(connection: ConnectionId, sessionId: string): Promise<readonly CursorCandidate[]>;
  restores(sessionId: string): Promise<readonly SessionRestore[]>;
  /** `asking`: the connection it is to be restored on. */
  background(sessionId: string, asking: ConnectionId): Promise<SessionBackground>;
  /** Resolves when its connection has ended. */
  tryRestore(ask: RestoreAsk): Promise<Tried>;
}

/** An empty note, or no tags, take away what was there. */
export interface TraceWords {
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly note?: string;
}

/** What is kept: traces as files, names, what was written and used. */
export interface LibraryApi {
  /** Imports a trace file; rows appear as they are read. */
  importFile(file: File): Promise<Imported>;
  /** The trace file, byte for byte what was imported or recorded; marks made here stand behind it. */
  exportFile(connection: ConnectionId): Promise<{ readonly name: string; readonly blob: Blob }>;
  /** The same, or a file of some events alone, as it may leave. It takes as long as reading all of it twice. Asked again, it rejects the call before. */
  share(connection: ConnectionId, level: RedactionLevel, what?: SharedPart): Promise<Shared>;
  /** Nobody waits for what `share` or `evidence` make. */
  unshare(): Promise<void>;
  /** What shows a finding, or these frames, to somebody else, as it may leave. */
  evidence(
    connection: ConnectionId,
    level: RedactionLevel,
    what: EvidenceOf,
  ): Promise<EvidenceFile>;
  /**
   * A text that is copied, without its secrets. `connection`: whose environment is known. `part`: only
   * [from, to) of it is wanted, the rest says what it is.
   */
  plain(
    connection: ConnectionId | undefined,
    text: string,
    part?: readonly [number, number],
  ): Promise<Plain>;
  /** What a person says of it, in place of what was said. */
  describe(connection: ConnectionId, words: TraceWords): Promise<boolean>;
  /**
   * Hidden at once, gone for good after 10 s unless they are put back. Those that are still being recorded
   * stay, and that is told.
   */
  remove(connections: readonly ConnectionId[]): Promise<void>;
  putBack(connections: readonly ConnectionId[]): Promise<void>;
  /** The traces that other tabs look at now. */
  openElsewhere(): Promise<readonly ConnectionId[]>;
  recents(): Promise<readonly RecentCommand[]>;
  forgetRecent(launch: Launch): Promise<void>;
  draft(key: string): Promise<string | undefined>;
  /** False: the database did not take it, which is told. */
  saveDraft(key: string, text: string): Promise<boolean>;
  sent(): Promise<readonly SentRecord[]>;
}

/** What people have noted in a trace. */
export interface TracesApi {
  /** Marks and suppressions of the trace, those of its file included. */
  annotations(connection: ConnectionId): Promise<readonly Annotation[]>;
  /** Sets it, in place of what was said of the same event, or rule in the same place. */
  annotate(connection: ConnectionId, annotation: Annotation): Promise<void>;
  unannotate(connection: ConnectionId, annotation: Annotation): Promise<void>;
}

/** What a class of the worker answers, called from the page. */
type Calls<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? [R] extends [Promise<unknown>]
      ? T[K]
      : (...args: A) => Promise<Awaited<R>>
    : never;
};

/**
 * Calls the page makes, by feature. Every one resolves, and failures a person can act on are values; it
 * rejects on what nobody foresaw.
 */
export interface EngineApi {
  readonly connections: ConnectionsApi;
  readonly timeline: TimelineApi;
  readonly sessions: SessionsApi;
  readonly restore: RestoreApi;
  readonly library: LibraryApi;
  readonly traces: TracesApi;
  readonly findings: FindingsApi;
  readonly fidelity: Calls<Fidelities>;
  readonly performance: Calls<Performance>;
  readonly diff: Calls<Diffs>;
  readonly runs: Calls<Runs>;
  readonly minimise: Calls<Minimiser>;
  readonly finds: Calls<TraceFinds>;
}
