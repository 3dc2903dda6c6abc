// What became of what was compared, in every comparison of the page: signs first, colours repeat them.
import type { ItemWord } from '../../model/fidelity/report/answer.ts';
import type { ItemMark } from '../../model/fidelity/report/report.ts';
import type { RowMark } from '../../diff/traces/report/report.ts';
import type { RerunState } from '../../engine/runs/rerun-messages.ts';

/** How a mark looks: equal, not counted, cosmetic, changed, missing, extra, moved, late. */
export interface MarkSign {
  readonly sign: string;
  readonly look: 'eq' | 'no' | 'co' | 'ch' | 'mi' | 'ex' | 'mo' | 'la';
}

/** `not history`: shown among the rows, and not counted. */
export type AnyMark = ItemMark | ItemWord | RowMark | RerunState | 'not history';

/** In the order of their figures. */
export const MARK_SIGNS: Readonly<Record<AnyMark, MarkSign>> = {
  equal: { sign: '=', look: 'eq' },
  identical: { sign: '=', look: 'eq' },
  equivalent: { sign: '~', look: 'eq' },
  wrong: { sign: '✕', look: 'mi' },
  inconclusive: { sign: '?', look: 'no' },
  'not compared': { sign: '·', look: 'no' },
  cosmetic: { sign: '~', look: 'co' },
  changed: { sign: '≠', look: 'ch' },
  matched: { sign: '=', look: 'eq' },
  coming: { sign: '»', look: 'mo' },
  waiting: { sign: '…', look: 'no' },
  passed: { sign: '≈', look: 'co' },
  different: { sign: '≠', look: 'ch' },
  missing: { sign: '−', look: 'mi' },
  extra: { sign: '+', look: 'ex' },
  moved: { sign: '⇅', look: 'mo' },
  split: { sign: '÷', look: 'mo' },
  merged: { sign: '∪', look: 'mo' },
  late: { sign: '⇣', look: 'la' },
  'lost id': { sign: '#', look: 'ch' },
  orphan: { sign: '?', look: 'ch' },
  'no baseline': { sign: '2', look: 'mi' },
  unasked: { sign: '+', look: 'ex' },
  synthetic: { sign: '✎', look: 'ex' },
  'cannot say': { sign: '∅', look: 'co' },
  unknown: { sign: '·', look: 'no' },
  'not history': { sign: '·', look: 'no' },
};

/** Those of the numbers, in the order of the table. */
export function marksInOrder<M extends AnyMark>(
  counts: ReadonlyMap<M, number>,
): (readonly [M, number])[] {
  return (Object.keys(MARK_SIGNS) as M[]).flatMap((mark) => {
    const count = counts.get(mark) ?? 0;
    return count > 0 ? [[mark, count] as const] : [];
  });
}
