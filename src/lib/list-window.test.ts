import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  heightOf,
  isStuck,
  lastY,
  offsetOf,
  reveal,
  rowAt,
  rowsIn,
  scrolled,
  SPACER_LIMIT,
  spacerHeight,
  third,
  topFor,
  type ScrollPlace,
  type Rows,
} from './list-window.ts';

const plain = (count: number): Rows => ({ count, height: 24, tall: [], tallHeight: 28 });

const anyRows = fc
  .record({
    count: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_000_000 })),
    height: fc.constantFrom(24, 40),
    tallHeight: fc.constantFrom(28, 40),
    picks: fc.array(fc.nat(1_000_000), { maxLength: 50 }),
  })
  .map(({ picks, ...rows }): Rows => {
    const tall = [...new Set(picks.map((pick) => pick % rows.count))].sort((a, b) => a - b);
    return { ...rows, tall };
  });

test('rows stand one under another, tall ones push the rest down', () => {
  const rows: Rows = { count: 5, height: 24, tall: [1, 3], tallHeight: 28 };
  expect([0, 1, 2, 3, 4, 5].map((i) => offsetOf(rows, i))).toEqual([0, 24, 52, 76, 104, 128]);
  expect([0, 23, 24, 51, 52, 127, 900, -3].map((y) => rowAt(rows, y))).toEqual([
    0, 0, 1, 1, 2, 4, 4, 0,
  ]);
});

test('every row covers exactly the places between its offset and the next', () => {
  fc.assert(
    fc.property(anyRows, fc.nat(), (rows, pick) => {
      const index = pick % rows.count;
      expect(rowAt(rows, offsetOf(rows, index))).toBe(index);
      expect(rowAt(rows, offsetOf(rows, index + 1) - 1)).toBe(index);
      expect(offsetOf(rows, index + 1)).toBeGreaterThan(offsetOf(rows, index));
    }),
  );
});

test('the rows in a view cover it, and no more than asked for beside it', () => {
  fc.assert(
    fc.property(anyRows, fc.double({ min: 0, max: 1, noNaN: true }), (rows, part) => {
      const extent = { content: heightOf(rows), view: 700 };
      const y = part * lastY(extent);
      const { from, to } = rowsIn(rows, y, extent.view, 0);
      expect(offsetOf(rows, from)).toBeLessThanOrEqual(y);
      expect(offsetOf(rows, to)).toBeGreaterThanOrEqual(Math.min(y + 700, extent.content) - 1);
      expect(to - from).toBeLessThanOrEqual(32);
    }),
  );
  expect(rowsIn(plain(0), 0, 700, 5)).toEqual({ from: 0, to: 0 });
});

test('a million rows scroll under a spacer that every browser can hold', () => {
  const extent = { content: heightOf(plain(1_000_000)), view: 700 };
  expect(extent.content).toBe(24_000_000);
  expect(spacerHeight(extent)).toBe(SPACER_LIMIT);
  expect(SPACER_LIMIT * 2).toBeLessThan(16_777_214);
});

test('every row of a million is reached: by the thumb, and by going on row by row', () => {
  fc.assert(
    fc.property(anyRows, fc.nat(), (rows, pick) => {
      const extent = { content: heightOf(rows), view: 700 };
      const index = pick % rows.count;
      const y = third(rows, extent, index);
      // The thumb dragged to the place that belongs to the row, from the other end of the list.
      const from: ScrollPlace =
        y < lastY(extent) / 2
          ? { y: lastY(extent), top: topFor(extent, lastY(extent)) }
          : { y: 0, top: 0 };
      const place = scrolled(extent, from, topFor(extent, y));
      const { from: first, to } = rowsIn(rows, place.y, extent.view, 0);
      expect(index).toBeGreaterThanOrEqual(first);
      expect(index).toBeLessThan(to);
    }),
  );
});

test('wheeling down from the start passes every row and ends at the last one', () => {
  const rows = plain(400_000);
  const extent = { content: heightOf(rows), view: 700 };
  const end = topFor(extent, lastY(extent));
  let place: ScrollPlace = {
    y: lastY(extent) - 60_000,
    top: topFor(extent, lastY(extent) - 60_000),
  };
  let shown = rowsIn(rows, place.y, extent.view, 0);
  for (let step = 0; step < 1000 && place.y < lastY(extent); step++) {
    place = scrolled(extent, place, Math.min(end, place.top + 120));
    if (isStuck(extent, place)) place = { ...place, top: topFor(extent, place.y) };
    const next = rowsIn(rows, place.y, extent.view, 0);
    expect(next.from).toBeLessThanOrEqual(shown.to);
    shown = next;
  }
  expect(shown.to).toBe(rows.count);
});

test('near both ends the scrollbar is as exact as that of a short list', () => {
  const extent = { content: 24_000_000, view: 700 };
  const endTop = topFor(extent, lastY(extent));
  expect(topFor(extent, 240)).toBe(240);
  expect(topFor(extent, lastY(extent) - 3)).toBe(endTop - 3);
  // Wheeling on from there never gets stuck a few pixels short, as rounding would make it.
  const place = scrolled(extent, { y: lastY(extent) - 483, top: endTop - 483 }, endTop);
  expect(place.y).toBe(lastY(extent));
  expect(isStuck(extent, place)).toBe(false);
});

test('small movements move the list by as much, in both directions', () => {
  const extent = { content: 24_000_000, view: 700 };
  const place = { y: 12_000_000, top: topFor(extent, 12_000_000) };
  expect(scrolled(extent, place, place.top + 120).y).toBe(12_000_120);
  expect(scrolled(extent, place, place.top - 24).y).toBe(11_999_976);
});

test('further down the scrollbar is never further up the list', () => {
  fc.assert(
    fc.property(
      anyRows,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 }),
      (rows, start, stops) => {
        const extent = { content: heightOf(rows), view: 700 };
        const end = topFor(extent, lastY(extent));
        let place: ScrollPlace = { y: start * lastY(extent), top: start * end };
        for (const stop of stops.map((part) => part * end)) {
          // Compare with movements of the same sort: the thumb of a resting scrollbar.
          const rest = { y: place.y, top: topFor(extent, place.y) };
          const next = scrolled(extent, rest, stop);
          if (stop >= rest.top) expect(next.y).toBeGreaterThanOrEqual(rest.y - 1e-3);
          else expect(next.y).toBeLessThanOrEqual(rest.y + 1e-3);
          expect(next.y).toBeGreaterThanOrEqual(0);
          expect(next.y).toBeLessThanOrEqual(lastY(extent));
          place = next;
        }
      },
    ),
  );
});

test('setting the resting scrollbar changes nothing that is shown', () => {
  fc.assert(
    fc.property(anyRows, fc.double({ min: 0, max: 1, noNaN: true }), (rows, part) => {
      const extent = { content: heightOf(rows), view: 700 };
      const y = part * lastY(extent);
      const rest = { y, top: topFor(extent, y) };
      expect(scrolled(extent, rest, rest.top).y).toBeCloseTo(y, 3);
    }),
  );
});

test('a list that fits does not scroll', () => {
  const extent = { content: 240, view: 700 };
  expect(lastY(extent)).toBe(0);
  expect(topFor(extent, 100)).toBe(0);
  expect(scrolled(extent, { y: 0, top: 0 }, 0)).toEqual({ y: 0, top: 0 });
});

test('a row on screen stays where it is, others come in at the nearer edge, under a sticky head', () => {
  const rows = plain(1000);
  const extent = { content: heightOf(rows), view: 240 };
  expect(reveal(rows, extent, 480, 21)).toBe(480);
  expect(reveal(rows, extent, 480, 40)).toBe(41 * 24 - 240);
  expect(reveal(rows, extent, 480, 19)).toBe(19 * 24);
  expect(reveal(rows, extent, 480, 20, 28)).toBe(20 * 24 - 28);
  expect(third(rows, extent, 500)).toBe(500 * 24 - 80);
  expect(third(rows, extent, 999)).toBe(lastY(extent));
});
