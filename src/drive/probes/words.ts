// What an agent answered, in the words of a verdict; and the verdict on what it had to refuse.
import { CODE } from '../../acp/errors.ts';
import { str } from '../../acp/json.ts';
import type { Failure } from '../../acp/message.ts';
import { errorOf, resultOf } from '../answered.ts';
import type { Answered, ScriptedConnection } from '../scripted.ts';
import { at, say, skip, type ProbeVerdict, type ProbeWord } from './probe.ts';

const LONGEST = 160;

/** `−32602`: with the minus sign that the rest of the product writes. */
function codeWords(code: number): string {
  return String(code).replace('-', '−');
}

export function quoted(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return `“${plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1)}…` : plain}”`;
}

/** `was refused with −32602 “Invalid params”`, `got a result`, `got no answer`. */
export function answerWords(answered: Answered): string {
  const error = errorOf(answered);
  if (error) return `was refused with ${codeWords(error.code)} ${quoted(errorWords(error))}`;
  if (answered.answer) return 'got a result';
  return answered.requestSeq === undefined ? 'could not be sent' : 'got no answer';
}

/** Behind a general message many agents say in the data what was wrong. */
function errorWords({ message, data }: Failure['error']): string {
  const detail = typeof data === 'string' ? data : (str(data, 'details') ?? str(data, 'message'));
  return detail === undefined || message.includes(detail) ? message : `${message}: ${detail}`;
}

/** The agent wants a sign-in first, so nothing about sessions can be asked. */
export function wantsSignIn(answered: Answered): boolean {
  return errorOf(answered)?.code === CODE.authRequired;
}

interface Refusal {
  /** Subject of the sentence: `session/load of an id that nobody made`. */
  readonly what: string;
  /** The codes that are as due. The first one is named. */
  readonly due: readonly number[];
  /** The verdict where it got a result; and where it got another code. */
  readonly accepted: ProbeWord;
  readonly other: ProbeWord;
}

/** The verdict on a request that an agent must, or should, refuse. No answer at all is a failure. */
export function refused(
  connection: ScriptedConnection,
  answered: Answered,
  { what, due, accepted, other }: Refusal,
): ProbeVerdict {
  const spot = at(connection, answered);
  const words = answerWords(answered);
  const wanted = `${codeWords(due[0] ?? 0)} is due`;
  if (wantsSignIn(answered))
    return skip(`${what} ${words}: the agent wants a sign-in first.`, spot);
  const error = errorOf(answered);
  if (error && due.includes(error.code)) return say('pass', `${what} ${words}, as due.`, spot);
  if (error) return say(other, `${what} ${words}; ${wanted}.`, spot);
  if (resultOf(answered) !== undefined) return say(accepted, `${what} ${words}; ${wanted}.`, spot);
  return say('fail', `${what} ${words}; ${wanted}.`, spot);
}

/** −32002, in v2 with the session it is about. */
export function refusedSession(
  connection: ScriptedConnection,
  answered: Answered,
  refusal: Omit<Refusal, 'due'> & { readonly sessionId: string },
): ProbeVerdict {
  const verdict = refused(connection, answered, { ...refusal, due: [CODE.notFound] });
  const error = errorOf(answered);
  if (verdict.verdict !== 'pass' || str(error?.data, 'sessionId') === refusal.sessionId)
    return verdict;
  const why = `${refusal.what} ${answerWords(answered)}, as due, but without data.sessionId.`;
  return say(connection.version === 2 ? 'warn' : 'pass', why, at(connection, answered));
}
