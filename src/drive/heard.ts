// What is heard on a connection under a script's hand, what became of a request there, and why it brought no
// result: told in the same words by probes, the lab, scenarios and restores.
import type { Failure, Json, Message, Success } from '../acp/message.ts';
import { withoutEnd } from '../lib/sentence.ts';
import type { HandshakeView } from '../model/facts/facts-view.ts';
import { membersIn } from '../model/timeline/digest.ts';
import { errorWords } from '../model/words.ts';
import { agentEnd } from '../trace/agent-end.ts';
import type { Frame, Seq } from '../trace/event.ts';
import { endWords, type Ended } from './peer.ts';

export interface Heard {
  readonly frame: Frame;
  readonly message: Message;
}

/** The messages heard, one by one: each message of an array is a frame with the number of the array. */
export function* eachHeard(heard: Heard): Generator<Heard> {
  const { frame, message } = heard;
  if (message.kind === 'invalid' && message.reason === 'batch') yield* membersIn(frame, message);
  else yield heard;
}

export function asksPermission({ frame, message }: Heard): boolean {
  const isAsked = frame.from === 'agent' && message.kind === 'request';
  return isAsked && message.method === 'session/request_permission';
}

/** What became of a request. */
export interface Answered {
  /** The record it lies in. */
  readonly trace: string;
  readonly method: string;
  /** Undefined: it was never sent, the agent had ended. */
  readonly requestSeq: Seq | undefined;
  /** The first answer. Undefined: none came before the agent ended, or in time. */
  readonly answer: Success | Failure | undefined;
  readonly answerSeq: Seq | undefined;
  readonly answerFrame: Frame | undefined;
  /** Undefined: an error, or no answer. */
  readonly result: Json | undefined;
  /** Undefined: a result, or no answer. */
  readonly error: Failure['error'] | undefined;
  /** Why no answer will come, as a sentence of the transport. */
  readonly refusal?: string;
  /** What the agent sent between the two, as far as it is kept; where no answer came, all since the request. */
  readonly window: readonly Heard[];
  /**
   * The place behind the answer, where what comes after it begins. Who awaits an answer
   * goes on later than that: one read may bring the answer and more. Without an answer: behind all.
   */
  readonly after: number;
}

/** Why there is no result, as a clause. `exit`: how the agent ended, if it did. */
export function whyNoResult({ error, refusal }: Answered, exit: Ended | undefined): string {
  if (error) return errorWords(error);
  if (refusal !== undefined) return withoutEnd(refusal, '.');
  return exit ? `the agent ended (${endWords(exit)})` : 'no answer came in time';
}

/** How a connection stands after its handshake. */
interface Greeted {
  readonly exit: Ended | undefined;
  readonly handshake: HandshakeView | undefined;
}

/** True if the agent ended, and neither as agents do whose work is done nor because it was told to. */
function didEndItself(exit: Ended): boolean {
  const { by, asked, isOrderly } = agentEnd(exit);
  return by !== 'unknown' && asked === undefined && !isOrderly;
}

/** Why no version that we speak came of a handshake, as a sentence: what the transport says, where it knows. */
export function handshakeFault(answered: Answered, { exit, handshake }: Greeted): string {
  const { error, refusal, answer } = answered;
  if (error !== undefined) return `initialize was refused: ${errorWords(error)}.`;
  if (handshake?.version !== undefined)
    return `The agent settles on version ${handshake.version}, which nobody knows.`;
  if (answer) return 'The agent answered initialize without a protocol version.';
  const problem = refusal ?? exit?.problem;
  if (problem !== undefined) return `${withoutEnd(problem, '.')}.`;
  if (exit && didEndItself(exit))
    return `The agent ended with ${endWords(exit)} before it answered initialize.`;
  return 'The agent did not answer initialize. Is it an ACP agent, and started in that mode?';
}
