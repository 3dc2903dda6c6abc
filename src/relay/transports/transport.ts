// One way to an agent that is reached by URL. It carries lines and says what it did beside them; who
// holds it records both.
import type { CappedLine } from '../../lib/capped-lines.ts';
import type { Problem } from '../../link/messages.ts';
import type { Seq, Transport as TransportEvent, Via } from '../../trace/event.ts';

/** What a transport did, before the recorder stamps it. */
export type TransportFact = Omit<TransportEvent, 'type' | 'seq' | 'at'>;

/** Whom a transport tells, in the order in which things happen. */
export interface Ears {
  /** A message of the agent. */
  frame(line: CappedLine, via: Via): void;
  fact(fact: TransportFact): void;
  /** The last that is said, once. `problem`: why it ended, where nobody asked for it. */
  ended(problem?: string): void;
}

export interface Transport {
  /** Begins to tell; nothing was told before. */
  start(ears: Ears): void;
  /** Why nothing can be sent now. */
  whyNot(): Problem | undefined;
  /** The session that a line goes out under, where the transport says one. */
  readonly viaOf: (line: Uint8Array) => Via;
  /** Takes the line, which is recorded already, as `of`. */
  send(line: Uint8Array, of: Seq): void;
  pause(): void;
  resume(): void;
  /** Takes leave: nothing more is sent. `ended` follows. */
  end(): void;
  /** Drops everything at once. `ended` follows. */
  drop(): void;
}

export type Opened =
  | { readonly ok: true; readonly transport: Transport }
  | { readonly ok: false; readonly problem: Problem };

/** So much may wait to go out: more is refused. */
export const MOST_UNSENT = 64 * 1024 * 1024;
