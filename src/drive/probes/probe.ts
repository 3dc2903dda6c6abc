// What a probe is: a question put to a live agent, and the verdict on what it did. Catalogue and
// verdicts follow the protocol's pages and schemas of SDK 2.4.0.
import { type VerdictWord, worstWord } from '../verdict.ts';
import { CODE, type Failure } from '../../acp/message.ts';
import { str } from '../../acp/json.ts';
import { type Answered, type ScriptedConnection, errorOf, resultOf } from '../scripted.ts';
import type { Seq } from '../../trace/event.ts';

/** Frames a verdict rests on, in one trace. */
export interface Evidence {
  readonly trace: string;
  readonly seqs: readonly Seq[];
}

export interface ProbeVerdict {
  readonly verdict: VerdictWord;
  /** A sentence: what was seen, and what was due. */
  readonly why: string;
  /** The trace that shows it best comes first. */
  readonly evidence: readonly Evidence[];
}

/** It cannot be asked here; the sentence says why. */
export class CannotAsk extends Error {
  readonly evidence: readonly Evidence[];
  constructor(message: string, ...evidence: readonly Evidence[]) {
    super(message);
    this.evidence = evidence;
  }
}

type Spot = Evidence | undefined;

/** The frames of a connection: answers stand for their request and themselves. */
export function at(
  { trace }: ScriptedConnection,
  ...spots: readonly (Seq | Answered | undefined)[]
): Evidence {
  const seqs = spots.flatMap((spot) => {
    if (spot === undefined) return [];
    return typeof spot === 'number' ? [spot] : [spot.requestSeq, spot.answerSeq];
  });
  return { trace, seqs: seqs.filter((seq) => seq !== undefined) };
}

function verdict(word: VerdictWord, why: string, evidence: readonly Spot[]): ProbeVerdict {
  return { verdict: word, why, evidence: evidence.filter((spot) => spot !== undefined) };
}

export const pass = (why: string, ...evidence: Spot[]) => verdict('pass', why, evidence);
export const fail = (why: string, ...evidence: Spot[]) => verdict('fail', why, evidence);
export const warn = (why: string, ...evidence: Spot[]) => verdict('warn', why, evidence);
export const info = (why: string, ...evidence: Spot[]) => verdict('info', why, evidence);
export const skip = (why: string, ...evidence: Spot[]) => verdict('skip', why, evidence);
/** With a word that was chosen elsewhere. */
export const say = (word: VerdictWord, why: string, ...evidence: Spot[]) =>
  verdict(word, why, evidence);

/** Of several questions the worst verdict, in the words of those that had it. */
export function worst(verdicts: readonly ProbeVerdict[]): ProbeVerdict {
  const word = worstWord(verdicts.map(({ verdict }) => verdict));
  const meant = verdicts.filter((one) => one.verdict === word);
  return {
    verdict: word,
    why: [...new Set(meant.map(({ why }) => why))].join(' '),
    evidence: merged(meant.flatMap(({ evidence }) => evidence)),
  };
}

/** The worst of what is asked one after the other. */
export async function worstOf<T>(
  all: Iterable<T>,
  ask: (one: T) => Promise<ProbeVerdict>,
): Promise<ProbeVerdict> {
  const verdicts: ProbeVerdict[] = [];
  for (const one of all) verdicts.push(await ask(one));
  return worst(verdicts);
}

function merged(evidence: readonly Evidence[]): Evidence[] {
  const byTrace = new Map<string, Set<Seq>>();
  for (const { trace, seqs } of evidence) {
    const known = byTrace.get(trace) ?? new Set();
    for (const seq of seqs) known.add(seq);
    byTrace.set(trace, known);
  }
  return [...byTrace].map(([trace, seqs]) => ({ trace, seqs: [...seqs] }));
}

// What an agent answered, in the words of a verdict; and the verdict on what it had to refuse.

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

/**
 * The verdict on a request that an agent must, or should, refuse; no answer at all is a failure. `what`:
 * subject of the sentence. `accepted`: where it got a result; `other`: where it got another code.
 */
export function refused(
  connection: ScriptedConnection,
  answered: Answered,
  what: string,
  due: number,
  accepted: VerdictWord = 'warn',
  other = accepted,
): ProbeVerdict {
  const spot = at(connection, answered);
  const words = `${what} ${answerWords(answered)}`;
  if (wantsSignIn(answered)) return skip(`${words}: the agent wants a sign-in first.`, spot);
  const error = errorOf(answered);
  if (error?.code === due) return pass(`${words}, as due.`, spot);
  const bad = error ? other : resultOf(answered) === undefined ? 'fail' : accepted;
  return say(bad, `${words}; ${codeWords(due)} is due.`, spot);
}

/** −32002, in v2 with the session it is about. */
export function refusedSession(
  connection: ScriptedConnection,
  answered: Answered,
  what: string,
  sessionId: string,
  accepted: VerdictWord = 'warn',
  other: VerdictWord = 'warn',
): ProbeVerdict {
  const verdict = refused(connection, answered, what, CODE.notFound, accepted, other);
  const isNamed = str(errorOf(answered)?.data, 'sessionId') === sessionId;
  if (verdict.verdict !== 'pass' || isNamed) return verdict;
  const why = `${what} ${answerWords(answered)}, as due, but without data.sessionId.`;
  return say(connection.version === 2 ? 'warn' : 'pass', why, at(connection, answered));
}
