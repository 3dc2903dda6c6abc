import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { timeOf } from '../../trace/event.ts';
import { densityOf } from './density.ts';

const sum = (bars: Uint32Array): number => bars.reduce((total, bar) => total + bar, 0);

test('frames stand in the bucket of their time, by side', () => {
  const trace = indexed(`
    client →0 session/list
    +100ms
    agent  ←0 result {}
    stderr words
    +899ms
    agent  raw x
  `);
  const { agent, client, stderr, from, to, starts } = densityOf(trace, 10);
  expect([...client]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect([...agent]).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect([...stderr]).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect([from, to]).toEqual([0, 1000]);
  expect([...starts]).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
});

test('a part of the time has the whole strip, and nothing of the rest', () => {
  const trace = indexed(`
    client →0 session/list
    +1000ms
    agent  raw a
    +28000ms
    agent  raw b
    +1000ms
    agent  raw c
  `);
  const part = densityOf(trace, 10, { from: 900, to: 1900 });
  expect([part.from, part.to, sum(part.agent), sum(part.client)]).toEqual([900, 1900, 1, 0]);
  expect(part.agent[1]).toBe(1);
  expect(part.silences).toEqual([]);
  expect(densityOf(trace, 110, { from: 500, to: 9000 }).silences).toMatchObject([{ length: 8000 }]);
  expect(densityOf(trace, 10, { from: 0, to: Infinity })).toEqual(densityOf(trace, 10));
});

test('silence over 5 s takes ten buckets, whatever its length', () => {
  const trace = indexed(`
    client →0 session/list
    +1000ms
    agent  raw a
    +28000ms
    agent  raw b
    +1000ms
    agent  raw c
  `);
  const { agent, silences, starts } = densityOf(trace, 110);
  expect(silences).toEqual([{ bucket: 50, buckets: 10, length: 28000 }]);
  expect([...agent].flatMap((bar, bucket) => (bar > 0 ? [bucket] : []))).toEqual([50, 60, 109]);
  expect(starts[50]).toBe(1000);
  expect(starts[60]).toBe(29000);
  expect(starts[85]).toBe(29500);
});

test('windows, late history and pins are in buckets', () => {
  const trace = indexed(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    +98ms
    client →1 session/resume {"sessionId":"s1","replayFrom":{"type":"start"}}
    +100ms
    agent  ←1 result {}
    +100ms
    agent  update s1 agent_message m1 "late"
    +101ms
    client →2 session/resume s2
    agent  ←2 result {}
  `);
  const { windows, pins } = densityOf(trace, 4);
  expect(windows).toEqual([{ from: 0, to: 1, seq: 3, late: 2, forbidden: false }]);
  expect(pins).toEqual([{ bucket: 0, letter: 'A', fate: 'accepted' }]);
});

test('an empty trace has empty buckets', () => {
  const { agent, from, to } = densityOf(indexed([]), 3);
  expect([...agent]).toEqual([0, 0, 0]);
  expect([from, to]).toEqual([0, 0]);
});

test('every frame is in one bucket, and buckets begin in ascending order', () => {
  const pause = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 4000, max: 90_000 }));
  fc.assert(
    fc.property(
      fc.array(pause, { maxLength: 40 }),
      fc.integer({ min: 1, max: 300 }),
      (pauses, n) => {
        const trace = indexed(pauses.map((ms) => `+${ms}ms\nagent raw x`).join('\n'));
        const { agent, starts, silences, to } = densityOf(trace, n);
        expect(sum(agent)).toBe(pauses.length);
        for (let i = 1; i < n; i++)
          expect(starts[i]).toBeGreaterThanOrEqual((starts[i - 1] ?? 0) - 1e-6);
        expect(starts[n - 1]).toBeLessThanOrEqual(to + 1e-6);
        for (const { bucket, buckets } of silences)
          expect(bucket + buckets).toBeLessThanOrEqual(n + 1);
      },
    ),
  );
});

test('imported times that run backwards are counted all the same', () => {
  const { events } = indexed('agent raw a\n+500ms\nagent raw b\nagent raw c');
  const shuffled = events.map((event, i) => ({ ...event, at: timeOf(events[2 - i] ?? event) }));
  expect(sum(densityOf(indexed(shuffled), 5).agent)).toBe(3);
});

test('marks are in the buckets of the frames they are on', () => {
  const trace = indexed(`
    client →0 session/list
    +1000ms
    agent  ←0 result {}
    mark 2 look here
    mark 9 nothing there
  `);
  expect(densityOf(trace, 10).marks).toEqual([9]);
});

test('R-30: where nothing ran there is a line, also where it took no time', () => {
  const trace = indexed(`
    agent  raw a
    +500ms
    sleep 3600000 0
    +500ms
    agent  raw b
  `);
  expect(densityOf(trace, 10).sleeps).toEqual([{ bucket: 5, ms: 3_600_000 }]);
  expect(densityOf(trace, 10, { from: 600, to: 1000 }).sleeps).toEqual([]);
});
