// Reports of runs: there at once, there after a reload, deleted and brought back.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryStore } from '../../storage/memory-store.ts';
import type { StoredRun } from '../../storage/schema.ts';
import { connectionId } from '../../trace/event.ts';
import { KeptRuns, type KeptRun } from './kept-runs.ts';
import type { KnownProbes } from './probe-run.ts';

let store: MemoryStore;
const problems: string[] = [];
const open = () => new KeptRuns(store, ({ message }) => problems.push(message));
beforeEach(() => {
  store = new MemoryStore(undefined);
  problems.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const RUN: StoredRun = {
  id: 'r1',
  kind: 'probes',
  command: '["agent"]',
  argv: ['agent'],
  at: '2026-11-21T10:00:00.000Z',
  agent: 'Agent 1',
  protocol: 2,
  counts: { pass: 1 },
};

function report(more: Partial<StoredRun> = {}, prompts = 0): KeptRun<'probes'> {
  const agent = {
    version: 2,
    name: 'a',
    title: undefined,
    release: '1',
    capabilities: {},
  } as const;
  const known: KnownProbes = {
    report: {
      ...{ agent, probes: [], leftOut: [], rules: [], prompts, connections: 0, stopped: false },
    },
    waiting: ['list/plain'],
  };
  return { run: { ...RUN, ...more }, known };
}

const ids = async (kept: KeptRuns) => (await kept.list()).map(({ id }) => id);

test('a report is there at once, and in the next page as it was at last', async () => {
  const kept = open();
  kept.keep(report());
  kept.keep(report({ counts: { pass: 2 } }, 3));
  expect((await kept.get('probes', 'r1'))?.known.report.prompts).toBe(3);
  await vi.runAllTimersAsync();
  const again = open();
  expect(await again.list()).toMatchObject([{ id: 'r1', counts: { pass: 2 } }]);
  const found = await again.get('probes', 'r1');
  expect(found?.known).toMatchObject({ waiting: ['list/plain'], report: { prompts: 3 } });
  expect(await again.get('lab', 'r1')).toBeUndefined();
});

test('the newest of a command is shown, and of a run’s own connection that run', async () => {
  const kept = open();
  kept.keep(report());
  kept.keep(report({ id: 'r2', at: '2026-11-21T11:00:00.000Z' }));
  kept.keep(report({ id: 'r3', at: '2026-11-21T12:00:00.000Z', command: '["other"]' }));
  const of = async (group: string | undefined) =>
    (await kept.of('probes', { group, of: connectionId('c'), command: RUN.command }))?.run.id;
  expect(await of(undefined)).toBe('r2');
  expect(await of('r1')).toBe('r1');
  expect(await ids(kept)).toEqual(['r3', 'r2', 'r1']);
});

test('a report made from a trace is shown with that trace', async () => {
  const kept = open();
  kept.keep(report({ of: connectionId('recording') }));
  kept.keep(report({ id: 'r2', at: '2026-11-21T11:00:00.000Z', of: connectionId('other') }));
  const of = async (name: string) =>
    (await kept.of('probes', { group: undefined, of: connectionId(name), command: undefined }))?.run
      .id;
  expect(await of('recording')).toBe('r1');
  expect(await of('neither')).toBeUndefined();
});

test('a deleted report can be had back for ten seconds, and is gone then', async () => {
  const kept = open();
  kept.keep(report());
  await vi.advanceTimersByTimeAsync(0);
  await kept.remove('r1');
  expect(await ids(kept)).toEqual([]);
  await vi.advanceTimersByTimeAsync(9_000);
  await kept.restore('r1');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await ids(kept)).toEqual(['r1']);
  await kept.remove('r1');
  await vi.advanceTimersByTimeAsync(11_000);
  expect(await ids(kept)).toEqual([]);
  expect(await store.report('r1')).toEqual({ ok: true, value: undefined });
});

test('one that was deleted as the page went is purged by the next', async () => {
  const kept = open();
  kept.keep(report());
  await vi.advanceTimersByTimeAsync(0);
  await store.hideRun('r1', Date.now() - 60_000);
  expect(await ids(open())).toEqual([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(await store.runs()).toEqual({ ok: true, value: [] });
});

test('R-33: what cannot be stored is shown all the same, and the trouble is told', async () => {
  store.putRun = () => Promise.resolve({ ok: false, problem: { kind: 'quota', message: 'Full.' } });
  const kept = open();
  kept.keep(report());
  await vi.advanceTimersByTimeAsync(0);
  expect(await ids(kept)).toEqual(['r1']);
  expect(problems).toEqual(['Full.']);
});
