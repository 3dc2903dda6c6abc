// What a probe is: a question put to a live agent, and the verdict on what it did. Catalogue and
// verdicts follow the protocol's pages and schemas of SDK 2.4.0.
import type { Pages } from './pages.ts';
import type { Seq } from '../../trace/event.ts';
import type { Answered, ScriptedConnection } from '../scripted.ts';
import type { ProbeWorld } from './world.ts';

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

export interface Probe {
  readonly id: string;
  readonly versions: readonly (1 | 2)[];
  /** What is asked, and what is due: one sentence. */
  readonly sentence: string;
  /** Where the protocol says so. */
  readonly source: Pages;
  /** Methods that must be open to us: what is not advertised is not asked. */
  readonly needs?: readonly string[];
  /** Prompts it sends at most, the shared session's not counted. */
  readonly prompts: number;
  /** Processes it starts at most, the shared ones not counted. */
  readonly connections: number;
  /**
   * Uses the session that the run makes and prompts once. `prompts`: adds to it, so it runs after
   * all that only read it. `ends`: takes it away, so it runs last.
   */
  readonly saved?: 'reads' | 'prompts' | 'ends';
  /** Left out unless it is asked for, because it would do this: a clause behind "it". */
  readonly optIn?: string;
  /** Cannot be asked over stdio, for this reason. */
  readonly elsewhere?: string;
  run(world: ProbeWorld): Promise<ProbeVerdict>;
}

/** It cannot be asked here; the sentence says why. */
export class CannotAsk extends Error {}

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
