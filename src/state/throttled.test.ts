import { expect, test, vi } from 'vitest';
import { Throttled } from './throttled.ts';

test('a job asked for often is done at once, and once more after the pause', async () => {
  vi.useFakeTimers();
  let done = 0;
  const throttled = new Throttled(() => Promise.resolve(void done++), 250);
  for (let i = 0; i < 100; i++) throttled.poke();
  await vi.advanceTimersByTimeAsync(249);
  expect(done).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toBe(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toBe(2);
  throttled.poke();
  expect(done).toBe(3);
  vi.useRealTimers();
});
