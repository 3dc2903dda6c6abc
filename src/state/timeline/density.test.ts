import { expect, test } from 'vitest';
import type { DensityView } from '../../model/timeline/density.ts';
import type { Millis } from '../../lib/time.ts';
import { bucketAt, Density, momentAt } from './density.svelte.ts';
import type { App } from '../app.svelte.ts';

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
  findings: [],
  sleeps: [],
  marks: [],
  lanes: { client: [], agent: [], ends: [] },
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

test('zooming keeps the moment at its place, ends at the whole, and is forgotten with the trace', async () => {
  const asked: unknown[] = [];
  const state = { connection: 'c', last: 9 };
  const app = {
    findings: { state: undefined },
    marks: { version: 0 },
    timeline: { state },
    engine: {
      timeline: {
        density: (_: unknown, __: number, span = { from: 0, to: 1000 }) => {
          asked.push(span);
          const starts = Float64Array.from(
            [0, 1, 2, 3],
            (i) => span.from + ((span.to - span.from) * i) / 4,
          );
          return Promise.resolve({ ...facts, ...span, starts, silences: [] });
        },
      },
    },
  };
  const density = new Density(app as unknown as App);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300));
  density.watch(4);
  await settle();
  density.zoom(1, 0.5);
  await settle();
  expect(asked.at(-1)).toEqual({ from: 125, to: 625 });
  density.pan(10);
  await settle();
  expect(asked.at(-1)).toEqual({ from: 500, to: 1000 });
  density.zoom(2, 9);
  await settle();
  expect(density.isZoomed).toBe(false);
  density.zoom(2, 0.5);
  expect(density.isZoomed).toBe(true);
  app.timeline.state = { connection: 'd', last: 9 };
  density.watch(4);
  expect(density.isZoomed).toBe(false);
});
