// Lanes of a session on one clock: order is kept, silence folds, nothing leaves the scale.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HubRestore, SessionHub } from '../../engine/messages.ts';
import { connectionFacts, sessionFacts, traceSummary } from '../../test/programs/running-app.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { clockOf, lanesOf, type Lane } from './lanes.ts';

const MINUTE = 60_000;
const trace = (id: string, number: number, more = {}) => ({
  ...traceSummary(connectionFacts({ connection: connectionId(id) })),
  ...{ number, ...more },
});
const window = { id: 0, request: seq(3), took: 1000, messages: 2, tools: 0, updates: 4, late: 0 };
const restore = (id: string, at: number, more = {}): HubRestore =>
  ({ connection: connectionId(id), at, window, ...more }) as HubRestore;

const HUB: SessionHub = {
  connections: [
    {
      ...{ connection: connectionId('a'), first: seq(1), last: seq(9), from: 0, to: MINUTE },
      ...{ began: 0, ended: MINUTE, prompts: [10, 20_000] },
      stretches: [{ items: [seq(2)], kinds: ['user'], turns: [], last: seq(9), at: 10 }],
    },
    {
      ...{ connection: connectionId('b'), first: seq(1), last: seq(9), prompts: [] },
      ...{ began: 70 * MINUTE, from: 70 * MINUTE, to: 71 * MINUTE, stretches: [] },
    },
  ],
  events: [],
  restores: [
    restore('b', 70 * MINUTE, { window: { ...window, late: 2 } }),
    restore('c', 75 * MINUTE, { run: { id: 'r', title: 'Restore variants' } }),
    restore('d', 75 * MINUTE + 2000, {
      run: { id: 'r', title: 'Restore variants' },
      window: { ...window, outcome: 'rejected' },
    }),
  ],
  notRead: 0,
};

test('each connection has a lane, a run of variants has one, in the order they began', () => {
  const exit = { seq: seq(9), signal: 'SIGKILL' };
  const group = { id: 'r', title: 'Restore variants', label: 'x' };
  const lanes = lanesOf(HUB, [
    trace('a', 2, { state: 'ended', facts: { ...connectionFacts(), exit } }),
    trace('b', 3),
    trace('c', 4, { group }),
    trace('d', 5, { group }),
  ]);
  expect(lanes.map(({ numbers, title }) => [numbers, title])).toEqual([
    [[2], 'lived'],
    [[3], 'restored'],
    [[4, 5], '2 variants'],
  ]);
  expect(lanes.map(({ bars }) => bars.map(({ is }) => is))).toEqual([
    ['lived'],
    ['replayed', 'late'],
    ['replayed', 'empty'],
  ]);
  expect(lanes[0]?.stop?.at).toBe(MINUTE);
  expect(lanes[0]?.ticks).toEqual([10, 20_000]);
});

test('a child has a lane under the connection that it worked on', () => {
  const [lived, ...rest] = HUB.connections;
  if (!lived) throw new Error('no connection');
  const child = { depth: 1, items: 3, from: 100, to: 100 };
  const children = [
    { ...child, sessionId: 'k1' },
    { ...child, sessionId: 'k2', depth: 2 },
  ];
  const hub = { ...HUB, connections: [{ ...lived, children }, ...rest], restores: [] };
  const sessions = [sessionFacts('k1', { chip: 'S1.1', title: 'Find uses' })];
  const lanes = lanesOf(hub, [
    trace('a', 2, { facts: { ...connectionFacts(), sessions } }),
    trace('b', 3),
  ]);
  expect(lanes.map(({ child, title }) => [child?.chip, title])).toEqual([
    [undefined, 'lived'],
    ['S1.1', 'Find uses'],
    ['', '3 items'],
  ]);
  expect(lanes[1]?.bars).toEqual([{ is: 'lived', from: 100, to: 101 }]);
});

test('silence folds to a narrow place that says how long it was', () => {
  const { gaps, marks, place } = clockOf(lanesOf(HUB, [trace('a', 2), trace('b', 3)]));
  expect(gaps.map(({ ms }) => Math.round(ms / MINUTE))).toEqual([69, 5]);
  expect(marks).toHaveLength(3);
  expect(place(MINUTE)).toBeGreaterThan(0.7);
  expect(place(70 * MINUTE + 1)).toBeGreaterThan(place(MINUTE));
});

test('property: later is never further left, and all lies within the scale', () => {
  const bar = fc.record({ from: fc.nat(1e9), length: fc.nat(1e6) });
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1, maxLength: 20 }), (bars) => {
      const lane = {
        ...{ key: 'l', connection: connectionId('a'), numbers: [1], title: '', version: 1 },
        ticks: [],
        bars: bars.map(({ from, length }) => ({ is: 'lived' as const, from, to: from + length })),
      } satisfies Lane;
      const { place } = clockOf([lane]);
      const times = lane.bars.flatMap(({ from, to }) => [from, to]).toSorted((a, b) => a - b);
      const places = times.map(place);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...places)).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});
