// What a trace is made of. The same shapes stand in memory and, one JSON object a line, in a
// trace file (see format.ts). Nothing here knows ACP: a frame is a line of bytes.
import { NO_TIME, type Brand, type Millis } from '../lib/time.ts';

/** Who sent a frame. */
export type Side = 'client' | 'agent';

export function otherSide(side: Side): Side {
  return side === 'client' ? 'agent' : 'client';
}

/** An event's number in its trace: given once by the recorder, from 1, without holes. */
export type Seq = Brand<number, 'Seq'>;

/** Names one recording of one client–agent transport, everywhere. Made by the recorder or importer. */
export type ConnectionId = Brand<string, 'ConnectionId'>;

/** A frame named across traces. */
export interface FrameRef {
  readonly connection: ConnectionId;
  readonly seq: Seq;
}

export function seq(value: number): Seq {
  return value as Seq;
}

export function connectionId(value: string): ConnectionId {
  return value as ConnectionId;
}

/** The exact bytes between two 0x0A. A CR stays. `base64` only where the bytes are not UTF-8. */
export type Line = { readonly text: string } | { readonly base64: string };

/** Who wrote a frame: the peer itself, or one of ours in its place. */
export type Origin = 'peer' | 'composer' | 'script' | 'rerun' | 'intercept';

interface Stamped {
  readonly seq: Seq;
  /** Absent where what was imported had no times. Read it through `timeOf`. */
  readonly at?: Millis;
}

/** The process (or transport) came up. `argv` is the URL where it is reached by one. `env` holds names only, never values. */
export interface Start extends Stamped {
  readonly type: 'start';
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: readonly string[];
  readonly pid?: number;
  /** Of a URL: the names of the headers that were given. */
  readonly headers?: readonly string[];
}

export interface Frame extends Stamped {
  readonly type: 'frame';
  readonly from: Side;
  readonly line: Line;
  readonly origin: Origin;
  /** The stream ended before this line's 0x0A. */
  readonly cut?: true;
  /** What the tool it was imported from did not write down, so that we had to conclude it. */
  readonly inferred?: readonly Inferred[];
  /** The line was longer than the recorder keeps: `line` is only its beginning. */
  readonly oversize?: Oversize;
  /** Where it crossed, of an agent reached by URL. */
  readonly via?: Via;
  /** The event `intercept` that says what was done to it on its way, with the line as it was written. */
  readonly of?: Seq;
  /** Only in memory: `line` is one message of a line that holds an array, and this its place there, from 0. */
  readonly member?: number;
}

/** True if the event is one message of an array, whose line is an event of its own. */
export function isMember(event: TraceEvent): boolean {
  return event.type === 'frame' && event.member !== undefined;
}

/** Returns the sender of a request, and the frame whose array has it; undefined: it is a line of its own. */
export function requestedIn({ seq, from, member }: Frame) {
  return { from, array: member === undefined ? undefined : seq };
}

/** The ways frames go to and from an agent that is reached by URL. */
type Stream = 'socket' | 'post' | 'connection' | 'session';

/** Which of several streams brought a frame: they have no order among themselves. Undefined: there is one. */
export function streamOf({ via }: Frame): string | undefined {
  return via && `${via.stream} ${via.session ?? ''}`;
}

/** Where a frame crossed. Over such a transport a frame is one message, which may hold line breaks. */
export interface Via {
  /** `post`: as the body of a request, or of its answer. */
  readonly stream: Stream;
  /** Whose stream it is; of a request, the session that its header names. */
  readonly session?: string;
  /** What an event stream says of it. */
  readonly id?: string;
  readonly event?: string;
  /** Which read of its stream completed it, from 1: frames of one read came together. */
  readonly read?: number;
  /** A binary message of a WebSocket, which carries no ACP. */
  readonly binary?: true;
}

/** `line`: its bytes, made again from what the tool kept parsed. `from`: who sent it. */
export type Inferred = 'line' | 'from';

/** What a recorder says of a line it could not keep whole. */
export interface Oversize {
  /** Of the whole line, without its 0x0A. */
  readonly bytes: number;
  /** Of the same bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its end. */
  readonly tail: Line;
}

/** One line the agent wrote to stderr. `cut`: shown before its 0x0A came. */
interface Stderr extends Stamped {
  readonly type: 'stderr';
  readonly line: Line;
  readonly cut?: true;
}

/**
 * A request that an agent end: a signal; `stdin`, the end of its input; `cut`, its pipes were dropped. Of several
 * the strongest counts, of signals the last.
 */
export type EndRequest = 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGHUP' | 'stdin' | 'cut';

/** The end of the process. Exactly one of `code`, `signal`, `problem` is set where the cause is known. */
export interface Exit extends Stamped {
  readonly type: 'exit';
  readonly code?: number;
  readonly signal?: string;
  /** One sentence: why it could not start, or why the recording ends without an exit. */
  readonly problem?: string;
  /** Beside a code or a signal: the request to end that came before. Read all of these through agent-end.ts. */
  readonly sent?: EndRequest;
  /** The sender of that request: the client, through a tap; absent: ACP Scope. */
  readonly by?: 'client';
  /** What it had started and was still running then, if not about to end; never empty. */
  readonly left?: readonly LeftProgram[];
}

/** A program by its process id, and the name of its file. */
export interface LeftProgram {
  readonly pid: number;
  readonly name: string;
}

/**
 * `count` events from `seq` on are missing here, and why. `omitted`: they were recorded and left out by
 * choice, and nothing that stays follows from them.
 */
export interface Gap extends Stamped {
  readonly type: 'gap';
  readonly count: number;
  readonly reason: string;
  readonly omitted?: true;
  readonly hole?: Hole;
}

/**
 * How a file of another tool falls short: `cut`, the log has only the beginning of a message; `several`, the lines after
 * this are of several connections and do not say which; `order`, which direction came first was concluded.
 */
type Hole = 'cut' | 'several' | 'order';

/**
 * Nothing ran here for `ms`: the machine slept, or what records was stopped. Times count `counted` of it;
 * for the rest their clock stood still.
 */
export interface Sleep extends Stamped {
  readonly type: 'sleep';
  readonly ms: Millis;
  readonly counted: Millis;
  /** Only the wall clock says so, which may have been set. */
  readonly unsure?: true;
}

/** A note a person put on an event. `removed`: taken off again. See annotation.ts. */
export interface Mark extends Stamped {
  readonly type: 'mark';
  readonly target: Seq;
  readonly label: string;
  readonly removed?: true;
}

/** Findings of a rule that a person set aside, and why. `removed`: no longer. See annotation.ts. */
export interface Suppress extends Stamped {
  readonly type: 'suppress';
  readonly rule: string;
  /** Only in this session; only about this method. */
  readonly session?: string;
  readonly method?: string;
  readonly reason: string;
  readonly removed?: true;
}

/** Names in small letters; what is or may be a secret is masked. */
export type Headers = Readonly<Record<string, string>>;

/** What a transport did beside its frames, of an agent that is reached by URL. */
export interface Transport extends Stamped {
  readonly type: 'transport';
  /**
   * `answered`: a request has its status; `closed`: a stream or socket ended; `failed`: a request or
   * stream broke; `repeated`: an event that was recorded came once more, byte for byte the same.
   */
  readonly step: 'answered' | 'closed' | 'failed' | 'repeated';
  readonly stream?: Stream;
  readonly session?: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** The frame that the request carried. */
  readonly of?: Seq;
  readonly status?: number;
  readonly request?: Headers;
  readonly response?: Headers;
  /** From the request to its status. */
  readonly ms?: Millis;
  /** The beginning of what an answer says that is no message. */
  readonly body?: string;
  /** Of a socket's close. */
  readonly code?: number;
  readonly reason?: string;
  /** Of the event that came again; of a stream that ended, of the event behind which it is opened again. */
  readonly id?: string;
  /** Why, as a sentence. */
  readonly problem?: string;
}

/** The line of ours that could not be handed over, and why: an answer to it comes no more. */
export function refusedBy(
  event: TraceEvent,
): { readonly of: Seq; readonly problem: string } | undefined {
  if (event.type !== 'transport' || event.stream !== 'post') return undefined;
  const { of, problem } = event;
  return of === undefined || problem === undefined ? undefined : { of, problem };
}

/** A stream of events ended too early, and what was on its way cannot be asked for. */
export function losesFrames(event: TraceEvent): event is Transport {
  if (event.type !== 'transport' || event.step === 'answered' || event.step === 'repeated')
    return false;
  const { stream, id, problem } = event;
  return (
    (stream === 'connection' || stream === 'session') && id === undefined && problem !== undefined
  );
}

/**
 * What the intercept did: `on`, `off`: it was switched so; `keep`: an answer to a request that it
 * injected was kept from the other side. All else: what was done to a line, in the words of its rules.
 */
export type InterceptDeed =
  | ('on' | 'off' | 'keep')
  | ('hold' | 'edit' | 'drop' | 'delay' | 'duplicate' | 'reorder' | 'truncate')
  | ('inject' | 'answer' | 'cut');

/** A line that did not cross as it was written, or not yet; and the intercept itself. */
export interface Intercept extends Stamped {
  readonly type: 'intercept';
  readonly did: InterceptDeed;
  /** The name of the rule, or its query. */
  readonly rule?: string;
  /** Of `on`: the names of all. */
  readonly rules?: readonly string[];
  readonly from?: Side;
  /** As `from` wrote it. */
  readonly line?: Line;
  /** What was done before to the same line, in whose event it stands. */
  readonly of?: Seq;
  /** Of `hold` and `reorder`: it goes on by itself after so many milliseconds. */
  readonly deadline?: number;
  /** Why it could not be done, or why it was switched off, as a sentence. */
  readonly problem?: string;
}

export type TraceEvent =
  Start | Frame | Stderr | Exit | Gap | Sleep | Mark | Suppress | Transport | Intercept;

/** When it came; `NO_TIME` where nobody wrote that down. */
export function timeOf({ at }: Pick<TraceEvent, 'at'>): Millis {
  return at ?? NO_TIME;
}
