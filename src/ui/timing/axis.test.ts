import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeAxis } from './axis.ts';

test('work is drawn by its length, and a long stretch in which nobody waits at a fixed width', () => {
  const { x, gaps } = timeAxis(0, 101_000, [{ from: 500, to: 100_500 }], 528);
  expect([x(0), x(500), x(100_500), x(101_000)]).toEqual([0, 250, 278, 528]);
  expect(gaps).toEqual([{ x: 250, width: 28, length: 100_000 }]);
});

test('a stretch that would be drawn shorter than a gap is not folded', () => {
  const { x, gaps } = timeAxis(0, 10_000, [{ from: 5000, to: 5100 }], 1000);
  expect(gaps).toEqual([]);
  expect(x(5000)).toBe(500);
});

test('places and times are one to one, in order, and ticks stand inside', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 40 }),
      fc.integer({ min: 60, max: 2000 }),
      (lengths, width) => {
        const bounds = lengths.reduce((all, length) => [...all, (all.at(-1) ?? 0) + length], [0]);
        const idle = bounds.flatMap((from, at) => {
          const to = bounds[at + 1];
          return at % 2 === 1 && to !== undefined ? [{ from, to }] : [];
        });
        const end = bounds.at(-1) ?? 0;
        const { x, timeAt, ticks } = timeAxis(0, end, idle, width);
        let before = -1;
        for (const time of bounds) {
          expect(x(time)).toBeGreaterThan(before - 1e-6);
          expect(timeAt(x(time))).toBeCloseTo(time, 2);
          before = x(time);
        }
        expect(x(end)).toBeCloseTo(width, 3);
        for (const tick of ticks) expect(tick.x).toBeLessThanOrEqual(width + 1e-6);
      },
    ),
  );
});

test('a trace of one moment has an axis too', () => {
  const { x, ticks } = timeAxis(5, 5, [], 300);
  expect(x(5)).toBeGreaterThanOrEqual(0);
  expect(ticks).toEqual([]);
});
