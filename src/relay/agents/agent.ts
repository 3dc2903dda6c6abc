// What the relay and the command line have in their hands of a live agent, whether it is a process
// of ours or reached by URL.
import type { Problem } from '../../link/messages.ts';
import type { Exit, Origin } from '../../trace/event.ts';
import type { Interceptable } from '../intercept.ts';
import type { Recorder } from '../spool/recorder.ts';

export type AgentExit = Pick<Exit, 'code' | 'signal' | 'problem' | 'sent' | 'by' | 'left'>;

export interface Agent extends Interceptable {
  readonly recorder: Recorder;
  /** Of a process. */
  readonly pid: number | undefined;
  /** What all that the process started has in its environment; absent where there is none. */
  readonly mark?: string;
  /** Resolves when it has ended and all it said is recorded, if not in the file. */
  readonly exited: Promise<AgentExit>;
  /** Resolves when the recording is closed after that: with its exit, or given up. */
  readonly ended: Promise<AgentExit>;
  /** Hands the line to the agent and records it. Its end, where one is due, is not part of it. */
  send(line: Uint8Array, origin: Origin): Problem | undefined;
  /** The same in two writes, the first of so many bytes; absent where nobody can write so. */
  sendSplit?(
    line: Uint8Array,
    bytes: number,
    ms: number,
    origin: Origin,
  ): Promise<Problem | undefined>;
  /** Drops the transport, both directions at once: what it says from now on is lost. */
  cut(): void;
  /** No more will be sent: a well-behaved agent ends. */
  end(): void;
  /** Where there is no process, the first ends the connection and the other drops it. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /** Ends it with everything it started, politely for so long. */
  kill(graceMs?: number): Promise<void>;
}

export type Started<A extends Agent> =
  { readonly ok: true; readonly agent: A } | { readonly ok: false; readonly problem: Problem };
