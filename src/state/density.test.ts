import { expect, test } from 'vitest';
import type { DensityView } from '../model/density.ts';
import type { Millis } from '../lib/time.ts';
import { bucketAt, momentAt } from './density.svelte.ts';

const facts: DensityView = {
  from: 0 as Millis,
  to: 30_300 as Millis,
  agent: new Uint32Array(5),
  client: new Uint32Array(5),
  stderr: new Uint32Array(5),
  starts: Float64Array.from([0, 100, 200, 30_100, 30_200]),
  silences: [{ bucket: 2, buckets: 1, length: 29_900 as Millis }],
  windows: [],
  pins: [],
};

test('a moment has its place, also inside a folded silence', () => {
  expect(bucketAt(facts, 0)).toBe(0);
  expect(bucketAt(facts, 150)).toBe(1.5);
  expect(bucketAt(facts, 15_150)).toBe(2.5);
  expect(bucketAt(facts, 30_250)).toBe(4.5);
  expect(bucketAt(facts, 99_999)).toBe(5);
});

test('a place has its moment, and both ways agree', () => {
  for (const at of [0, 50, 150, 200, 15_150, 30_120, 30_300])
    expect(momentAt(facts, bucketAt(facts, at))).toBeCloseTo(at, 6);
  expect(momentAt(facts, -3)).toBe(0);
});
