import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MapPlaces } from './compare-map.ts';

test('each side is drawn on its own scale, and rows on both sides are linked', () => {
  // equal, only left, only left, equal
  const places = new MapPlaces(Uint8Array.from([0, 2, 2, 0]));
  expect(places.of(3)).toEqual([0.75, 0.5]);
  const { left, right, links } = places.map();
  expect(left.map(({ mark }) => mark)).toEqual(['missing', 'missing']);
  expect(left[0]?.from).toBe(0.25);
  expect(right).toEqual([]);
  expect(links).toEqual([
    [0, 0],
    [0.75, 0.5],
  ]);
});

test('what was changed stands on both sides; a step of many rows says how much of it differs', () => {
  const { left, right } = new MapPlaces(Uint8Array.from([1])).map();
  expect(left).toEqual([{ from: 0, to: 0.0025, mark: 'changed', share: 1 }]);
  expect(right).toEqual(left);
  const tenth = new MapPlaces(Uint8Array.from({ length: 40_000 }, (_, row) => (row % 10 ? 0 : 2)));
  expect(tenth.map().left).toEqual([{ from: 0, to: 1, mark: 'missing', share: 0.25 }]);
});

test('a place of the map leads to a row that stands there', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ min: 0, max: 4, maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (marks, place) => {
        const places = new MapPlaces(marks);
        const row = places.rowAt(place);
        expect(row).toBeGreaterThanOrEqual(0);
        expect(row).toBeLessThan(Math.max(1, marks.length));
        for (let at = 1; at <= marks.length; at++) {
          const [before, now] = [places.of(at - 1), places.of(at)];
          expect(now[0]).toBeGreaterThanOrEqual(before[0]);
          expect(now[1]).toBeGreaterThanOrEqual(before[1]);
        }
      },
    ),
  );
});
