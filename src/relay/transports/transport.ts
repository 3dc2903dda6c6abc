// One way to an agent that is reached by URL. It carries lines and says what it did beside them; who
// holds it records both.
import { createHash } from 'node:crypto';
import { sizeOf } from '../../lib/bytes.ts';
import { cutDown, LINE_CAPS, type CappedLine } from '../../lib/capped-lines.ts';
import type { Problem } from '../../link/messages.ts';
import type { Seq, Transport as TransportEvent, Via } from '../../trace/event.ts';

/** What a transport did, before the recorder stamps it. */
export type TransportFact = Omit<TransportEvent, 'type' | 'seq' | 'at'>;

/** Whom a transport tells, in the order in which things happen. */
export interface Ears {
  /** A message of the agent. `cut`: its stream ended in the middle of it. */
  frame(line: CappedLine, via: Via, cut?: boolean): void;
  fact(fact: TransportFact): void;
  /** The last that is said, once. `problem`: why it ended, where nobody asked for it. */
  ended(problem?: string): void;
}

export interface AgentTransport {
  /** Begins to tell; nothing was told before. */
  start(ears: Ears): void;
  /** Why nothing can be sent now. */
  whyNot(): Problem | undefined;
  /** How a line goes out. */
  viaOf(line: Uint8Array): Via;
  /** Takes the line, which is recorded already, as `of`, with the `via` it was asked for. */
  send(line: Uint8Array, of: Seq, via: Via): void;
  pause(): void;
  resume(): void;
  /** Takes leave: nothing more is sent. `ended` follows. */
  end(): void;
  /** Drops everything at once. `ended` follows. */
  drop(): void;
}

export type Opened =
  | { readonly ok: true; readonly transport: AgentTransport }
  | { readonly ok: false; readonly problem: Problem };

/** A message in its pieces; one that is too long to keep as what is kept of it. */
export function cappedLine(pieces: readonly Uint8Array[]): CappedLine {
  if (sizeOf(pieces) <= LINE_CAPS.whole) return { kind: 'whole', pieces };
  return cutDown(pieces, () => createHash('sha256'));
}

/** Bytes of a message that is still being read; of a longer one nothing is kept. */
export const MOST_MESSAGE = 2 * LINE_CAPS.whole;

/** So much may wait to go out: more is refused. */
export const MOST_UNSENT = 64 * 1024 * 1024;
