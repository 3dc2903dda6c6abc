// The rows of a rerun as a comparison lists them, and what came of each in a word.
import type { RerunRow, RerunState } from '../../engine/runs/rerun-messages.ts';
import type { CompareRows } from './compare-lines.ts';

/** Fewer steps as recorded are shown as they are. */
const LONG = 8;
/** Shown before and after a difference. */
const NEAR = 2;
const NOTED: ReadonlySet<RerunState> = new Set(['waiting', 'coming', 'passed']);

export function stateWord(state: RerunState): string {
  return state === 'passed' ? 'let pass' : state;
}

/** While it goes on nothing folds: one watches it come; nor where nothing differs. */
export function rerunCompareRows(rows: readonly RerunRow[], isOver: boolean): CompareRows {
  const folds = isOver && rows.some(({ state }) => state !== 'matched');
  return {
    count: rows.length,
    stateOf(row) {
      const state = rows[row]?.state ?? 'matched';
      if (state === 'matched') return 'quiet';
      return NOTED.has(state) ? 'noted' : 'fault';
    },
    isHidden: () => false,
    fieldsOf: (row) => rows[row]?.fields.length ?? 0,
    opensItself: () => true,
    folded: folds ? LONG : Infinity,
    near: NEAR,
  };
}
