// The verdicts of probes and of the lab, and what makes a run of probes, or of the lab, fail: a broken MUST, and warnings where a person says so;
// but nothing that is no worse than in an earlier run, the baseline.
import { str, objects, parseJson } from '../acp/json.ts';
import type { Json } from '../acp/message.ts';
import type { JUnitCase, Tone } from '../report/document.ts';

/**
 * pass: as due. fail: a MUST is broken, or what a client learns is not so. warn: a SHOULD is, or what the
 * protocol leaves open and clients stumble over. info: noted, not judged. skip: could not be asked, and why.
 */
export type VerdictWord = 'pass' | 'fail' | 'warn' | 'info' | 'skip';

export const WORST_FIRST: readonly VerdictWord[] = ['fail', 'warn', 'info', 'pass', 'skip'];

export const TONES: Readonly<Record<VerdictWord, Tone>> = {
  fail: 'bad',
  warn: 'warn',
  info: 'info',
  pass: 'good',
  skip: 'quiet',
};

export function worstWord(words: readonly VerdictWord[]): VerdictWord {
  return WORST_FIRST.find((word) => words.includes(word)) ?? 'skip';
}

export function countVerdicts(
  results: readonly { readonly verdict: VerdictWord }[],
): Readonly<Record<VerdictWord, number>> {
  const counts = { pass: 0, fail: 0, warn: 0, info: 0, skip: 0 };
  for (const { verdict } of results) counts[verdict]++;
  return counts;
}

/** How a frame of a trace is named in a report: `c2#12`. */
export type FrameWords = (trace: string, seq: number) => string;

type FailOn = 'fail' | 'warn';

/** Ids with the verdict they had, where it was a bad one. */
export type VerdictBaseline = ReadonlyMap<string, FailOn>;

export interface Judging {
  readonly baseline?: VerdictBaseline | undefined;
  /** As is: `fail`. */
  readonly failOn?: FailOn | undefined;
}

interface Judged {
  readonly id: string;
  readonly verdict: string;
}

/** Of what a report in JSON lists: objects with an `id` and a `verdict`. */
export function baselineOf(results: readonly Json[]): VerdictBaseline {
  return new Map(
    results.flatMap((result) => {
      const [id, verdict] = [str(result, 'id'), str(result, 'verdict')];
      const isBad = verdict === 'fail' || verdict === 'warn';
      return id !== undefined && isBad ? [[id, verdict] as const] : [];
    }),
  );
}

/** It is bad, and no worse than in the baseline. */
export function isKnown({ id, verdict }: Judged, { baseline }: Judging): boolean {
  const was = baseline?.get(id);
  return verdict === 'fail' ? was === 'fail' : verdict === 'warn' && was !== undefined;
}

/** Whether it makes the run fail. */
export function isFailure(judged: Judged, judging: Judging): boolean {
  const { verdict } = judged;
  const isBad = verdict === 'fail' || (verdict === 'warn' && judging.failOn === 'warn');
  return isBad && !isKnown(judged, judging);
}

// What has a verdict, as a case of JUnit.

/** What a run as a whole fell short by; undefined: nothing. */
export function runCases(type: string, message: string | undefined): readonly JUnitCase[] {
  return message === undefined ? [] : [{ name: 'the run', outcome: 'error', type, message }];
}

/** What fails no run is told in the output. `body`: all there is to say of it. */
export function verdictCase(
  judged: Judged & { readonly why: string },
  judging: Judging,
  body: string,
): JUnitCase {
  const { id: name, verdict, why } = judged;
  if (verdict === 'pass') return { name, outcome: 'pass' };
  if (verdict === 'skip') return { name, outcome: 'skip', message: why };
  return isFailure(judged, judging)
    ? { name, outcome: 'fail', type: verdict, message: why, body }
    : { name, outcome: 'told', body };
}

// A baseline of probes: an earlier run in JSON.

/** Undefined: the text is no run of probes in JSON. */
export function readBaseline(text: string): VerdictBaseline | undefined {
  const probes = objects(parseJson(text), 'probes');
  return probes.length === 0 ? undefined : baselineOf(probes);
}
