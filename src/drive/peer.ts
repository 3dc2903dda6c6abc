// What drives an agent sees of it. The page gives it the link, the command line a process, a test
// an array: whoever drives cannot tell them apart.
import type { Message } from '../acp/message.ts';
import { withoutEnd } from '../lib/sentence.ts';
import type { ExitFacts } from '../trace/agent-end.ts';
import type { Frame, Origin, Seq, Transport } from '../trace/event.ts';
import { within, type Timers } from './timers.ts';

export interface Peer {
  /** Writes this line, exactly; it comes back as a frame when it was recorded. */
  send(line: string, origin: Origin): void;
  /** Every frame of both sides from now on, in the recorded order. Returns how to stop. */
  receive(listener: (frame: Frame, message: Message) => void): () => void;
  /** No more will be sent: the agent's stdin ends. */
  end(): void;
}

/** How an agent ended: a code, a signal, or a sentence; nothing where nobody knows. */
export interface Ended extends ExitFacts {
  /** The rule of an intercept that cut the stream before. */
  readonly cut?: string;
}

export function endWords({ code, signal, problem, cut }: Ended): string {
  const how =
    (problem && withoutEnd(problem, '.')) ??
    signal ??
    (code === undefined ? 'nobody knows how' : `code ${code}`);
  return cut === undefined
    ? how
    : `the intercept cut the stream, by the rule ${cut}, and then: ${how}`;
}

/** Milliseconds from the end of its stdin, and from SIGTERM, to the next step. */
export const LEAVE_MS = 2000;

/** Where it does not end by itself, now that its stdin has ended, it is told to, and then made to. */
export async function endedAtLast(agent: Driven, timers: Timers): Promise<Ended> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await within(timers, LEAVE_MS, agent.ended)) break;
    agent.signal(signal);
  }
  return agent.ended;
}

/** An agent that was started to be driven: its end can be brought about, and is heard of. */
export interface Driven extends Peer {
  /** Names its record for a person: a file, or a connection. */
  readonly trace: string;
  /** Resolves after its last frame. */
  readonly ended: Promise<Ended>;
  /** To it and all it started. Where there are no signals, both end it at once. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /**
   * Where the bytes are ours to write: the line in two writes, cut after `bytes`, with `ms` between
   * them. Nothing else may be sent before it resolves.
   */
  readonly split?: (line: string, bytes: number, ms: number, origin: Origin) => Promise<void>;
  /** Where the pipe is ours to drop: both directions at once. What it still says is lost. */
  readonly cut?: () => void;
  /**
   * Switches the intercept to these rules, the text of a file; undefined switches the intercept off. Absent where
   * nothing can change the messages. Resolves with a sentence if the rules are not in force; else with undefined.
   */
  readonly intercept?: (rules: string | undefined) => Promise<string | undefined>;
  /**
   * Hears of each line of ours that the transport could not hand over, so that no answer comes; says
   * whether somebody waits for one. `why`: a sentence.
   */
  readonly onRefused?: (listener: (of: Seq, why: string) => boolean) => void;
  /** Hears of each stream of the transport that broke, so that frames of the agent may be missing. */
  readonly onLost?: (listener: (event: Transport) => void) => void;
  /** Over streamable HTTP: its first line must be `initialize`, and is that once. */
  readonly isHttp?: boolean;
}

export interface LaunchWish {
  /** Names the record among others of the run: `resume2-start-b`. */
  readonly label: string;
  /** It only makes a copy of a session for another connection of the run. */
  readonly copy?: true;
  /** The folder the process starts in; without one, where the command was given. */
  readonly cwd?: string;
  /** The text of a file of rules, by which it is intercepted before anything is sent to it. */
  readonly rules?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Launched =
  | { readonly ok: true; readonly agent: Driven }
  /** `message`: a sentence that names cause and fix. */
  | { readonly ok: false; readonly message: string };

/** Of a launcher whose run was stopped. */
export const RUN_STOPPED = 'The run was stopped, so no further agent is started.';

/** Starts the agent of a run, as often as it is asked: each time a new connection, recorded. */
export interface Launcher {
  launch(wish: LaunchWish): Promise<Launched>;
  /** Of an agent that is reached by URL, where what carries its lines can be made by hand. */
  readonly byHand?: HttpByHand | SocketByHand;
}

/** One request of HTTP, beside all that is recorded. */
export interface RequestByHand {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpByHand {
  readonly transport: 'http';
  /** Resolves with the head of the answer; its body is let go at `end`. Rejects with a sentence. */
  ask(request: RequestByHand): Promise<AnswerByHand>;
}

export interface AnswerByHand {
  readonly status: number;
  header(name: string): string | undefined;
  /** Of an event stream. */
  next(ms: number): Promise<NewsByHand>;
  end(): void;
}

/**
 * What came on a socket or an event stream: a text, with the id that its event has; the end, with the code of
 * the socket or the status of the stream; or nothing in the given time.
 */
export type NewsByHand =
  | { readonly text: string; readonly id?: string }
  | { readonly closed: number }
  | { readonly silent: true };

export interface SocketByHand {
  readonly transport: 'socket';
  /** Rejects with a sentence. */
  open(): Promise<{
    /** Bytes are sent as a binary message. */
    send(data: string | Uint8Array): void;
    next(ms: number): Promise<NewsByHand>;
    end(): void;
  }>;
}
