import { expect, test } from 'vitest';
import type { DensityView } from '../../model/timeline/density.ts';
import type { Millis } from '../../lib/time.ts';
import { findingMarks, bars, ticks, timeTicks } from './strip-shapes.ts';

const rows = { base: 32, bar: 18, tick: 6 };

test('bars grow with the logarithm of the count, and an empty bucket has none', () => {
  const path = bars(Uint32Array.from([0, 1, 1000]), rows, 1000, () => true);
  expect(path).toBe('M6 32v-3.6M10 32v-18.0');
  expect(bars(Uint32Array.from([5, 5]), rows, 5, (bucket) => bucket === 1)).toBe('M6 32v-18.0');
  expect(ticks(Uint32Array.from([0, 7]), rows)).toBe('M6 33v6');
});

function density(
  starts: number[],
  to: number,
  silences: DensityView['silences'] = [],
): DensityView {
  return {
    from: 0 as Millis,
    to: to as Millis,
    agent: new Uint32Array(starts.length),
    client: new Uint32Array(starts.length),
    stderr: new Uint32Array(starts.length),
    starts: Float64Array.from(starts),
    silences,
    windows: [],
    pins: [],
    findings: [],
    sleeps: [],
    marks: [],
  };
}

test('times stand at round moments, with room for their labels', () => {
  const even = density(
    Array.from({ length: 200 }, (_, i) => i * 20),
    4000,
  );
  const found = timeTicks(even);
  expect(found.filter((tick) => tick.label).map((tick) => tick.label)).toEqual([
    '0 s',
    '0.5 s',
    '1 s',
    '1.5 s',
    '2 s',
    '2.5 s',
    '3 s',
    '3.5 s',
  ]);
  expect(found[1]?.x).toBe(100);
});

test('folded silence has no times', () => {
  const starts = Array.from({ length: 100 }, (_, i) => (i < 50 ? i * 20 : 60_000 + i * 20));
  const found = timeTicks(
    density(starts, 62_000, [{ bucket: 49, buckets: 1, length: 60_000 as Millis }]),
  );
  expect(found.every(({ x }) => x < 196 || x >= 200)).toBe(true);
});

test('no label of a time runs into folded silence, or out of sight', () => {
  // A label for 500 ms would begin at bucket 25, and end within the silence at bucket 28.
  const starts = Array.from({ length: 100 }, (_, i) => (i < 28 ? i * 20 : 60_000 + i * 20));
  const silence = { bucket: 28, buckets: 10, length: 60_000 as Millis };
  const found = timeTicks(density(starts, 62_000, [silence]));
  expect(found.find(({ x }) => x === 100)).toEqual({ x: 100 });
  expect(timeTicks(density(starts.slice(0, 28), 560)).find(({ x }) => x === 100)).toEqual({
    x: 100,
  });
  const wider = density(
    Array.from({ length: 40 }, (_, i) => i * 20),
    800,
  );
  expect(timeTicks(wider).find(({ x }) => x === 100)?.label).toBe('0.5 s');
});

test('any span has a step: a millisecond, a day, none at all', () => {
  for (const to of [0, 1, 100, 60_000, 3_600_000, 86_400_000, 9e9]) {
    const starts = Array.from({ length: 200 }, (_, i) => (i * to) / 200);
    expect(timeTicks(density(starts, to)).length).toBeLessThan(40);
  }
});

test('findings of one severity are one path, each mark in its bucket', () => {
  const findings = [
    { bucket: 1, worst: 'error' },
    { bucket: 2, worst: 'hint' },
    { bucket: 5, worst: 'error' },
  ] as const;
  expect(findingMarks(findings, 'error', 10).match(/M\d+ 10/g)).toEqual(['M5 10', 'M21 10']);
  expect(findingMarks(findings, 'warning', 10)).toBe('');
});

test('findings in every bucket are one mark and a line, not a solid band', () => {
  const findings = [3, 4, 5, 8].map((bucket) => ({ bucket, worst: 'error' }) as const);
  expect(findingMarks(findings, 'error', 10)).toBe(
    'M13 10h2l2 2v2l-2 2h-2l-2-2v-2zM14 12h4v2h-4zM18 12h4v2h-4zM33 10h2l2 2v2l-2 2h-2l-2-2v-2z',
  );
});
