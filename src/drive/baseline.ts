// What makes a run of probes, or of the lab, fail: a broken MUST, and warnings where a person says so;
// but nothing that is no worse than in an earlier run, the baseline.
import { str, objects, parseJson } from '../acp/json.ts';
import type { Json } from '../acp/message.ts';

export type FailOn = 'fail' | 'warn';

/** Ids with the verdict they had, where it was a bad one. */
export type Baseline = ReadonlyMap<string, FailOn>;

export interface Judging {
  readonly baseline?: Baseline | undefined;
  /** As is: `fail`. */
  readonly failOn?: FailOn | undefined;
}

interface Judged {
  readonly id: string;
  readonly verdict: string;
}

/** Of what a report in JSON lists: objects with an `id` and a `verdict`. */
export function baselineOf(results: readonly Json[]): Baseline {
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

// A baseline of probes: an earlier run in JSON.

/** Undefined: the text is no run of probes in JSON. */
export function readBaseline(text: string): Baseline | undefined {
  const probes = objects(parseJson(text), 'probes');
  return probes.length === 0 ? undefined : baselineOf(probes);
}
