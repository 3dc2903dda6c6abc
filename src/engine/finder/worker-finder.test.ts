import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findIn, type FindAsk } from '../../model/query/find.ts';
import { WorkerFinder, type FindReport, type FindTask, type FindWorker } from './worker-finder.ts';

interface Told {
  readonly data: FindReport;
}

/** A worker that answers as ours does, but for one pattern that it never comes to an end with. */
class FakeWorker implements FindWorker {
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

  postMessage({ at, ...ask }: FindTask): void {
    const isEndless = ask.sought.kind === 'pattern' && ask.sought.pattern.source === 'endless';
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

const ask = (pattern: RegExp): FindAsk => ({
  ...{ sought: { kind: 'pattern', pattern }, texts: ['one', 'two'], most: 100 },
});
const loaded = () => new WorkerFinder(() => new FakeWorker(true));

beforeEach(() => {
  vi.useFakeTimers();
  FakeWorker.started = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test('attack row 7 (S-08): what does not end is ended with its worker, and the next search has another', async () => {
  const finder = loaded();
  const endless = finder.find(ask(/endless/));
  const next = finder.find(ask(/tw/));
  await vi.advanceTimersByTimeAsync(2000);
  expect(await endless).toEqual({
    ...{ kind: 'stopped', at: 1, found: new Uint8Array(), took: 600 },
  });
  expect(await next).toMatchObject({ kind: 'found', found: new Uint8Array([0, 1]) });
  expect(FakeWorker.started.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

test('one worker serves search after search', async () => {
  const finder = loaded();
  const answers = [finder.find(ask(/o/)), finder.find(ask(/n/))];
  await vi.advanceTimersByTimeAsync(100);
  expect((await Promise.all(answers)).map(({ kind }) => kind)).toEqual(['found', 'found']);
  expect(FakeWorker.started).toHaveLength(1);
});

test('what nobody waits for any more holds nobody up, also while the worker is loading', async () => {
  const finder = loaded();
  for (const after of [5, 50]) {
    const stop = new AbortController();
    const endless = finder.find(ask(/endless/), stop.signal);
    const next = finder.find(ask(/one/));
    await vi.advanceTimersByTimeAsync(after);
    stop.abort();
    await vi.advanceTimersByTimeAsync(50);
    expect((await endless).kind).toBe('aborted');
    expect((await next).kind).toBe('found');
  }
});

test('a worker that cannot be loaded, or fails, is told with what to do', async () => {
  const never = new WorkerFinder(() => new FakeWorker(false));
  const unloaded = never.find(ask(/o/));
  await vi.advanceTimersByTimeAsync(50);
  expect(await unloaded).toMatchObject({ kind: 'failed' });
  const refused = new WorkerFinder(() => {
    throw new TypeError('not a worker of this page');
  });
  const answer = await refused.find(ask(/o/));
  expect(answer.kind === 'failed' && answer.message).toContain('reload the page');

  const finder = loaded();
  const endless = finder.find(ask(/endless/));
  await vi.advanceTimersByTimeAsync(50);
  FakeWorker.started.at(-1)?.fail();
  expect(await endless).toMatchObject({ kind: 'failed' });
});
