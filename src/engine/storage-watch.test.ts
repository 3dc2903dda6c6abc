import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StorageWatch } from './storage-watch.ts';

let usage = 0;
const estimate = vi.fn(() => Promise.resolve({ usage, quota: 1000 }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', {
    storage: { estimate },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  estimate.mockClear();
});

test('what was stored last is told too, however soon after the one before', async () => {
  const watch = new StorageWatch(() => undefined);
  usage = 10;
  watch.refresh();
  await vi.advanceTimersByTimeAsync(1000);
  expect(watch.state().used).toBe(10);
  usage = 30;
  watch.refresh();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(watch.state().used).toBe(30);
});

test('the browser is asked at most once in five seconds', async () => {
  const watch = new StorageWatch(() => undefined);
  for (let i = 0; i < 40; i++) {
    watch.refresh();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(estimate).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(estimate).toHaveBeenCalledTimes(2);
});
