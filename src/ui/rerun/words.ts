// What came of a recorded step in a rerun, in words and by its sign.
import type { RerunState } from '../../engine/runs/rerun-messages.ts';

export const STATE_WORDS: Readonly<Record<RerunState, string>> = {
  matched: 'matched',
  waiting: 'waiting',
  coming: 'coming',
  passed: 'let pass',
  different: 'different',
  missing: 'missing',
  extra: 'extra',
  moved: 'moved',
};

/** As it stands in the row; the word says it to who hears. */
export const STATE_SIGNS: Readonly<Record<RerunState, string>> = {
  matched: '=',
  waiting: '…',
  coming: '»',
  passed: '≈',
  different: '≠',
  missing: '−',
  extra: '+',
  moved: '⇅',
};
