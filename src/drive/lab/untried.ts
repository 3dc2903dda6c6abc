// Why a run of the lab tried no cell: a run that tried nothing must not look like one that found
// nothing.
import { isForeign, type LabPlan } from './plan.ts';

/** A sentence. */
export function untriedWhy({ version, cells }: LabPlan): string {
  const variants = [...new Set(cells.map(({ axes }) => axes.variant))];
  if (variants.every((variant) => isForeign(version, variant))) {
    const other = version === 1 ? 2 : 1;
    const named = variants.join(', ');
    return `Nothing was tried: --variant ${named} is of v${other}, and this run speaks v${version}. Run again with --protocol ${other}.`;
  }
  const reasons = cells.flatMap(({ skip }) => (skip === undefined ? [] : [skip]));
  if (reasons.length === cells.length)
    return `Nothing was tried: ${[...new Set(reasons)].join('; ')}.`;
  return 'Nothing was tried: a cell takes more prompts than may be sent.';
}
