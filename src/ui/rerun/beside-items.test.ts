import { expect, test } from 'vitest';
import type { RerunRow, RerunState } from '../../engine/runs/rerun-messages.ts';
import { besideItems } from './beside-items.ts';

const NONE: ReadonlySet<number> = new Set();

function rows(...states: readonly (RerunState | number)[]): RerunRow[] {
  return states.flatMap((one) =>
    typeof one === 'number'
      ? Array.from({ length: one }, (): RerunRow => ({ state: 'matched', of: '', fields: [] }))
      : [{ state: one, of: '', fields: [] }],
  );
}

const drawn = (all: readonly RerunRow[], opened = NONE, isOver = true) =>
  besideItems(all, opened, isOver).map((item) =>
    item.type === 'fold' ? `fold ${item.from}+${item.size}` : item.row.state,
  );

test('a long stretch of the same folds, and what is near a difference stays', () => {
  expect(drawn(rows(20, 'different', 20))).toEqual([
    'fold 0+18',
    ...['matched', 'matched', 'different', 'matched', 'matched'],
    'fold 23+18',
  ]);
});

test('a short stretch stays as it is', () => {
  expect(drawn(rows(5, 'extra', 6)).filter((word) => word.startsWith('fold'))).toEqual([]);
});

test('nothing folds where nothing differs, nor while the rerun goes on', () => {
  expect(drawn(rows(30))).toHaveLength(30);
  expect(drawn(rows(30, 'waiting'), NONE, false)).toHaveLength(31);
});

test('an opened fold shows its rows, all of them once', () => {
  const all = rows(20, 'missing', 20);
  expect(drawn(all, new Set([0, 23]))).toHaveLength(41);
});
