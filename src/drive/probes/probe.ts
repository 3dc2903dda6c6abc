// What a probe is: a question put to a live agent, and the verdict on what it did. Catalogue and
// verdicts follow the protocol's pages and schemas of SDK 2.4.0.
import type { Seq } from '../../trace/event.ts';
import type { Answered, ScriptedConnection } from '../scripted.ts';

/**
 * pass: as due. fail: a MUST is broken. warn: a SHOULD is, or what only one edition of a draft asks.
 * info: told, not judged. skip: could not be asked, and why.
 */
export type ProbeWord = 'pass' | 'fail' | 'warn' | 'info' | 'skip';

/** Frames a verdict rests on, in one trace. */
export interface Evidence {
  readonly trace: string;
  readonly seqs: readonly Seq[];
}

export interface ProbeVerdict {
  readonly verdict: ProbeWord;
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

function verdict(word: ProbeWord, why: string, evidence: readonly Spot[]): ProbeVerdict {
  return { verdict: word, why, evidence: evidence.filter((spot) => spot !== undefined) };
}

export const pass = (why: string, ...evidence: Spot[]) => verdict('pass', why, evidence);
export const fail = (why: string, ...evidence: Spot[]) => verdict('fail', why, evidence);
export const warn = (why: string, ...evidence: Spot[]) => verdict('warn', why, evidence);
export const info = (why: string, ...evidence: Spot[]) => verdict('info', why, evidence);
export const skip = (why: string, ...evidence: Spot[]) => verdict('skip', why, evidence);
/** With a word that was chosen elsewhere. */
export const say = (word: ProbeWord, why: string, ...evidence: Spot[]) =>
  verdict(word, why, evidence);

const BAD_FIRST: readonly ProbeWord[] = ['fail', 'warn', 'info', 'pass', 'skip'];

/** Of several questions the worst verdict, in the words of those that had it. */
export function worst(verdicts: readonly ProbeVerdict[]): ProbeVerdict {
  const word = BAD_FIRST.find((one) => verdicts.some(({ verdict }) => verdict === one)) ?? 'skip';
  const meant = verdicts.filter((one) => one.verdict === word);
  return {
    verdict: word,
    why: [...new Set(meant.map(({ why }) => why))].join(' '),
    evidence: merged(meant.flatMap(({ evidence }) => evidence)),
  };
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
