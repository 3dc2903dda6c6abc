import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DensityView } from '../../../model/timeline/density.ts';
import type { Millis } from '../../../lib/time.ts';
import { seq } from '../../../trace/event.ts';
import {
  barIn,
  bars,
  BUCKET_PX,
  findingMarks,
  textLines,
  placedBlocks,
  ticks,
  timeTicks,
} from './strip-shapes.ts';

const rows = { base: 32, bar: 18, tick: 6 };

test('bars grow with the logarithm of the count, and an empty bucket has none', () => {
  const path = bars(Uint32Array.from([0, 1, 1000]), rows, 1000);
  expect(path).toBe('M6 32v-3.6M10 32v-18.0');
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
    lanes: { client: [], agent: [], ends: [] },
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

test('no label of a block is over another label, over a later block or over the edge', () => {
  const one = fc.record({
    kind: fc.constantFrom('prompt', 'tool', 'ask'),
    after: fc.integer({ min: 0, max: 40 }),
    wide: fc.integer({ min: 0, max: 60 }),
    words: fc.string({ maxLength: 40 }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 40 }), (all) => {
      let from = 0;
      const blocks = all.map(({ kind, after, wide, words }, i) => {
        from += after;
        return { kind, from, to: from + wide, seq: seq(i + 1), last: seq(i + 1), count: 1, words };
      });
      const buckets = Math.max(1, ...blocks.map(({ to }) => to + 1));
      const placed = placedBlocks(blocks, buckets);
      expect(placed.map(({ block }) => block)).toEqual(blocks);
      const labels = placed.flatMap(({ block, label }) => (label ? [{ block, ...label }] : []));
      labels.sort((a, b) => a.x - b.x);
      for (const [i, { block, x, room }] of labels.entries()) {
        const next = labels[i + 1]?.x ?? buckets * BUCKET_PX;
        expect(x + room).toBeLessThanOrEqual(next);
        const asks = placed.filter((one) => one.block.kind === 'ask' && one.block !== block);
        if (block.kind !== 'ask')
          for (const ask of asks) expect(x >= ask.x + ask.width || x + room <= ask.x).toBe(true);
      }
    }),
  );
});

test('a short block has its label after it, a prompt without room for words has none', () => {
  const block = { from: 0, to: 1, seq: seq(1), last: seq(2), count: 1, words: 'read' } as const;
  const [tool] = placedBlocks([{ kind: 'tool', ...block }], 40);
  expect(tool).toMatchObject({ x: 0, width: 7, label: { x: 10, hasWords: true } });
  const next = { kind: 'tool', ...block, from: 8, to: 9 } as const;
  expect(placedBlocks([{ kind: 'tool', ...block }, next], 40)[0]?.label?.hasWords).toBe(false);
  expect(placedBlocks([{ kind: 'prompt', ...block }, next], 40)[0]?.label).toBeUndefined();
});

test('a tool call that asks has its label beside the question', () => {
  const of = { seq: seq(1), last: seq(2), count: 1 } as const;
  const [tool, ask] = placedBlocks(
    [
      { kind: 'tool', ...of, from: 0, to: 29, words: 'execute' },
      { kind: 'ask', ...of, from: 2, to: 3 },
    ],
    60,
  );
  expect(ask).toMatchObject({ x: 8, width: 16, label: { x: 9, hasWords: false } });
  expect(tool?.label).toEqual({ x: 25, room: 91, hasWords: true });
});

test('text of the agent is a line as long as it takes', () => {
  const counts = Uint32Array.from([1, 2, 0, 1, 1]);
  expect(textLines(counts, 9, () => true)).toBe('M0 9h7M12 9h7');
  expect(textLines(counts, 9, (bucket) => bucket !== 3)).toBe('M0 9h7M16 9h3');
});

test('a bar of the waterfall is where the strip has its time, and never outside', () => {
  const even = density(
    Array.from({ length: 100 }, (_, i) => i * 10),
    1000,
  );
  expect(barIn(even, { from: 250, to: 500 }, 180)).toEqual({ x: 45, width: 45 });
  expect(barIn(even, { from: 1000, to: 1000 }, 180)).toEqual({ x: 178, width: 2 });
  expect(barIn(even, { from: -100, to: 100 }, 180)).toEqual({ x: 0, width: 18 });
  expect(barIn(even, { from: 1001, to: 2000 }, 180)).toBeUndefined();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), fc.nat(1000), (from, took) => {
      const { x, width } = barIn(even, { from, to: from + took }, 180) ?? { x: -1, width: 0 };
      expect(x).toBeGreaterThanOrEqual(0);
      expect(width).toBeGreaterThanOrEqual(2);
      expect(x + width).toBeLessThanOrEqual(180 + 1e-9);
    }),
  );
});
