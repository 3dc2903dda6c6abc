import { expect, test } from 'vitest';
import { cellLayout } from './cells.ts';

const scale = (room: number, turns: readonly number[] = [0]) => ({ items: room, room, turns });

test('few items have cells of the greatest width, and a gap before each turn', () => {
  const { cell, left, itemAt } = cellLayout(scale(4, [0, 2]), 1000);
  expect(cell).toBe(26);
  expect([0, 1, 2, 3].map(left)).toEqual([0, 26, 62, 88]);
  expect([0, 25, 26, 61, 62, 999].map(itemAt)).toEqual([0, 0, 1, 1, 2, 3]);
});

test('all of many items and turns fit into the width', () => {
  const turns = Array.from({ length: 100 }, (_, i) => i * 5);
  const { cell, left } = cellLayout(scale(500, turns), 600);
  expect(cell).toBeGreaterThan(0.8);
  expect(left(499) + cell).toBeLessThanOrEqual(600);
});

test('a session without an item has a layout', () => {
  expect(cellLayout(scale(0, []), 300).itemAt(50)).toBe(0);
});
