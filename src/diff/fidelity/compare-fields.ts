// What the fields of an item are worth, as a report shows them.
import { differencesOf, whyWords } from '../../model/replay/compare-fields.ts';
import { JUDGED, type Ending } from '../../model/replay/judge.ts';
import type { NormalItem } from '../../model/replay/normal-form.ts';
import type { Difference } from './report/report.ts';
import type { Said } from '../../model/replay/said.ts';
import { shownChange, shownValue } from './report/describe.ts';

/** `field`: `status`, `rawInput.command`. */
export type FieldDifference = Pick<
  Difference,
  'verdict' | 'before' | 'after' | 'change' | 'values' | 'why'
> & { readonly field: string };

/** `versions`: those that they were said in; where these differ, both as v1 says them. */
export function fieldDifferences(
  live: NormalItem,
  replayed: NormalItem,
  ending: Ending,
  saidOf: () => Said,
  versions: readonly [from: 1 | 2, to: 1 | 2],
): FieldDifference[] {
  const found = differencesOf(live.fields, replayed.fields, ending, saidOf, versions);
  return found.map((one) => {
    const { field, code, before, after } = one;
    const change = shownChange(before, after);
    const words = change ?? { before: shownValue(before), after: shownValue(after) };
    return { field, ...words, values: [before, after], verdict: JUDGED[code], why: whyWords(one) };
  });
}
