import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccessKeys } from './keys.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('T-17: twenty wrong keys within ten seconds shut all out for ten, and as many over longer do not', () => {
  const keys = new AccessKeys();
  const fail = (times: number) => Array.from({ length: times }, () => keys.noteFailure());
  fail(19);
  expect(keys.lockedFor()).toBeUndefined();
  vi.advanceTimersByTime(10_001);
  fail(19);
  expect(keys.lockedFor()).toBeUndefined();
  fail(1);
  expect(keys.lockedFor()).toBe(10);
  vi.advanceTimersByTime(9_500);
  expect(keys.lockedFor()).toBe(1);
  vi.advanceTimersByTime(500);
  expect(keys.lockedFor()).toBeUndefined();
});
