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

/** The process (or transport) came up. `env` holds names only, never values. */
export interface Start extends Stamped {
  readonly type: 'start';
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: readonly string[];
  readonly pid?: number;
}

export interface Frame extends Stamped {
  readonly type: 'frame';
  readonly from: Side;
  readonly line: Line;
  readonly origin: Origin;
  /** The stream ended before this line's 0x0A. */
  readonly cut?: true;
  /** The line was longer than the recorder keeps: `line` is only its beginning. */
  readonly oversize?: Oversize;
}

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
export interface Stderr extends Stamped {
  readonly type: 'stderr';
  readonly line: Line;
  readonly cut?: true;
}

/** The end of the process. Exactly one of `code`, `signal`, `problem` is set where the cause is known. */
export interface Exit extends Stamped {
  readonly type: 'exit';
  readonly code?: number;
  readonly signal?: string;
  /** One sentence: why it could not start, or why the recording ends without an exit. */
  readonly problem?: string;
}

/** `count` events from `seq` on are missing here, and why. */
export interface Gap extends Stamped {
  readonly type: 'gap';
  readonly count: number;
  readonly reason: string;
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

export type TraceEvent = Start | Frame | Stderr | Exit | Gap | Mark | Suppress;

/** When it came; `NO_TIME` where nobody wrote that down. */
export function timeOf({ at }: Pick<TraceEvent, 'at'>): Millis {
  return at ?? NO_TIME;
}
