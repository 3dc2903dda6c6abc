import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findIn, type PatternAsk } from '../../model/query/patterns.ts';
import {
  WorkerPatterns,
  type PatternReport,
  type PatternTask,
  type PatternWorker,
} from './worker-patterns.ts';

interface Told {
  readonly data: PatternReport;
}

/** A worker that answers as ours does, but for one pattern that it never comes to an end with. */
class FakeWorker implements PatternWorker {
  static started: FakeWorker[] = [];
  isEnded = false;
  #told: (event: Told) => void = () => undefined;
  #failed: () => void = () => undefined;

  constructor(loads: boolean) {
    FakeWorker.started.push(this);
    setTimeout(() => (loads ? this.#told({ data: { kind: 'ready' } }) : this.#failed()), 10);
  }

  addEventListener(type: 'message' | 'error', listener: (event: Told) => void): void {
    if (type === 'message') this.#told = listener;
    else this.#failed = () => listener({ data: { kind: 'ready' } });
  }

  postMessage({ at, ...ask }: PatternTask): void {
    const isEndless = ask.pattern.source === 'endless';
    if (isEndless && at) Atomics.store(at, 0, 1);
    else setTimeout(() => !this.isEnded && this.#told({ data: findIn(ask, () => undefined) }), 5);
  }

  terminate(): void {
    this.isEnded = true;
  }

  fail(): void {
    this.#failed();
  }
}

const ask = (pattern: RegExp): PatternAsk => ({ pattern, texts: ['one', 'two'], most: 100 });
const loaded = () => new WorkerPatterns(() => new FakeWorker(true));

beforeEach(() => {
  vi.useFakeTimers();
  FakeWorker.started = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test('attack row 7 (S-08): what does not end is ended with its worker, and the next search has another', async () => {
  const patterns = loaded();
  const endless = patterns.find(ask(/endless/));
  const next = patterns.find(ask(/tw/));
  await vi.advanceTimersByTimeAsync(2000);
  expect(await endless).toEqual({ kind: 'stopped', at: 1, took: 600 });
  expect(await next).toMatchObject({ kind: 'found', found: new Uint8Array([0, 1]) });
  expect(FakeWorker.started.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

test('one worker serves search after search', async () => {
  const patterns = loaded();
  const answers = [patterns.find(ask(/o/)), patterns.find(ask(/n/))];
  await vi.advanceTimersByTimeAsync(100);
  expect((await Promise.all(answers)).map(({ kind }) => kind)).toEqual(['found', 'found']);
  expect(FakeWorker.started).toHaveLength(1);
});

test('what nobody waits for any more holds nobody up, also while the worker is loading', async () => {
  const patterns = loaded();
  for (const after of [5, 50]) {
    const stop = new AbortController();
    const endless = patterns.find(ask(/endless/), stop.signal);
    const next = patterns.find(ask(/one/));
    await vi.advanceTimersByTimeAsync(after);
    stop.abort();
    await vi.advanceTimersByTimeAsync(50);
    expect((await endless).kind).toBe('aborted');
    expect((await next).kind).toBe('found');
  }
});

test('a worker that cannot be loaded, or fails, is told with what to do', async () => {
  const never = new WorkerPatterns(() => new FakeWorker(false));
  const unloaded = never.find(ask(/o/));
  await vi.advanceTimersByTimeAsync(50);
  expect(await unloaded).toMatchObject({ kind: 'failed' });
  const refused = new WorkerPatterns(() => {
    throw new TypeError('not a worker of this page');
  });
  const answer = await refused.find(ask(/o/));
  expect(answer.kind === 'failed' && answer.message).toContain('reload the page');

  const patterns = loaded();
  const endless = patterns.find(ask(/endless/));
  await vi.advanceTimersByTimeAsync(50);
  FakeWorker.started.at(-1)?.fail();
  expect(await endless).toMatchObject({ kind: 'failed' });
});
