import { expect, test, vi } from 'vitest';
import { Paced } from './paced.ts';

test('a job asked for often is done at once, and once more after the pause', async () => {
  vi.useFakeTimers();
  let done = 0;
  const paced = new Paced(() => Promise.resolve(void done++), 250);
  for (let i = 0; i < 100; i++) paced.poke();
  await vi.advanceTimersByTimeAsync(249);
  expect(done).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toBe(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toBe(2);
  paced.poke();
  expect(done).toBe(3);
  vi.useRealTimers();
});
