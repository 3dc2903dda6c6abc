import { expect, test } from 'vitest';
import type { TraceSummary } from '../../engine/messages.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { agentOfTrace, traceFits, libraryRows, runRows, sorted } from './library-rows.ts';

function summary(number: number, more: Partial<TraceSummary> = {}): TraceSummary {
  return {
    ...{ connection: connectionId(`c-${number}`), number, name: `trace ${number}`, mode: 'file' },
    ...{ state: 'ended', startedAt: '2026-11-20T10:00:00.000Z', events: 3, frames: 2, stored: 100 },
    ...more,
  };
}
const names = (traces: readonly TraceSummary[]) => traces.map(({ number }) => number);

test('every word of the filter must stand in name, agent, version, tags, note or file', () => {
  const trace = summary(7, {
    ...{ name: 'Retry live', agent: 'Claude Agent', agentVersion: '0.5.1' },
    ...{ tags: ['keep'], note: 'the cursor was\nignored', file: 'a.har' },
  });
  for (const words of ['', ' ', 'retry', 'CLAUDE 0.5', 'keep cursor', 'c7', 'a.har ignored'])
    expect(traceFits(trace, words), words).toBe(true);
  for (const words of ['retry dead', 'c8', 'opencode']) expect(traceFits(trace, words)).toBe(false);
});

test('traces are ordered by what is chosen, and equal ones by when they came here', () => {
  const a = summary(1, { name: 'run 10', frames: 5 });
  const b = summary(2, { name: 'run 9', frames: 5, startedAt: '2026-11-22T10:00:00.000Z' });
  const c = summary(3, { name: 'run 11', frames: 1 });
  expect(names(sorted([a, b, c], { by: 'name', down: false }))).toEqual([2, 1, 3]);
  expect(names(sorted([a, b, c], { by: 'frames', down: true }))).toEqual([2, 1, 3]);
  expect(names(sorted([a, b, c], { by: 'when', down: true }))).toEqual([2, 3, 1]);
  expect(names(sorted([a, b, c], { by: 'when', down: false }))).toEqual([3, 1, 2]);
});

test('an agent is named with its version, where it said one', () => {
  expect(agentOfTrace(summary(1, { agent: 'Codex', agentVersion: '2.0' }))).toBe('Codex 2.0');
  expect(agentOfTrace(summary(1))).toBe('');
});

test('under each trace stands what was found in it; traces without it are left out', () => {
  const frame = { seq: seq(4), kind: 'ntf' as const, method: 'm', summary: 's', bytes: 9 };
  const [a, b, c] = [summary(1), summary(2), summary(3)];
  const finds = new Map([
    [a.connection, { count: 3, first: [frame] }],
    [b.connection, { count: 0, first: [] }],
    [c.connection, { count: 0, first: [], problem: 'It takes too long.' }],
  ]);
  expect(libraryRows([a, b, c], finds)).toMatchObject([
    { type: 'trace', trace: a, found: 3 },
    { type: 'hit', trace: a, frame },
    { type: 'rest', words: '2 more frames', isWrong: false },
    { type: 'trace', trace: c, found: 0 },
    { type: 'rest', words: 'It takes too long.', isWrong: true },
  ]);
  const keys = libraryRows([a, b, c], finds).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test('the connections of a run are one row where the first of them would stand, opened to them', () => {
  const group = { id: 'lab', title: 'Resume lab', label: 'load after SIGKILL' };
  const traces = [summary(4), summary(3, { group }), summary(2), summary(1, { group })];
  expect(runRows(traces, () => false).map(({ type, trace }) => [type, trace.number])).toEqual([
    ['trace', 4],
    ['run', 3],
    ['trace', 2],
  ]);
  const open = runRows(traces, (key) => key === 'run lab');
  expect(open.map(({ type, trace }) => [type, trace.number])).toEqual([
    ['trace', 4],
    ['run', 3],
    ['trace', 3],
    ['trace', 1],
    ['trace', 2],
  ]);
  expect(new Set(open.map(({ key }) => key)).size).toBe(open.length);
});
