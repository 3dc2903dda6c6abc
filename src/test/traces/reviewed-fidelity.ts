// What replays of real agents get wrong, each read in both frames and held for right, in
// fixtures/reviewed-fidelity.json. A new difference is read first; then either the comparison is
// mended, or the difference is added there with the reason why it is one.
import { readFileSync } from 'node:fs';
import type { FidelityVerdict } from '../../model/fidelity/report/report.ts';

export interface ReviewedWindow {
  /** `c2#6 v1 load`: the trace of the set, by its place in it, and the request. */
  readonly window: string;
  readonly verdict: FidelityVerdict;
  /** All but cosmetic ones, by the reason why they are right. */
  readonly because: Readonly<Record<string, readonly string[]>>;
}

/** By the name of a set of recordings in reviewed.ts. */
export const REVIEWED_FIDELITY = JSON.parse(
  readFileSync(new URL('../fixtures/reviewed-fidelity.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly ReviewedWindow[]>>;
