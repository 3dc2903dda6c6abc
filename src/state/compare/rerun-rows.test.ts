import { expect, test } from 'vitest';
import type { RerunRow, RerunState } from '../../engine/runs/rerun-messages.ts';
import { CompareLines } from './compare-lines.ts';
import { rerunCompareRows } from './rerun-rows.ts';

function lines(states: readonly (RerunState | number)[], isOver = true): CompareLines {
  const rows = states.flatMap((one): RerunRow[] =>
    typeof one === 'number'
      ? Array.from({ length: one }, () => ({ state: 'matched', of: '', fields: [] }))
      : [{ state: one, of: '', fields: [] }],
  );
  return new CompareLines(rerunCompareRows(rows, isOver), { opened: [], toggled: [], whole: [] });
}

test('nothing folds where nothing differs, nor while the rerun goes on', () => {
  expect(lines([30]).length).toBe(30);
  expect(lines([30, 'waiting'], false).length).toBe(31);
  expect(lines([30, 'missing']).length).toBe(1 + 2 + 1);
});

test('what is let pass or still to come is no difference to stop at', () => {
  expect(lines(['waiting', 'passed', 'different', 'coming', 'extra']).faults).toEqual([2, 4]);
});
