import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccessKeys } from './keys.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A connection: how many of its answers were let go, and whether it was closed. */
function connection(keys: AccessKeys) {
  const state = { answered: 0, closed: false };
  const socket = { destroy: () => void (state.closed = true) };
  const fail = (times: number) => {
    for (let count = 0; count < times; count++)
      void keys.noteFailure(socket).then(() => state.answered++);
    return vi.advanceTimersByTimeAsync(0);
  };
  return { state, fail };
}

test('T-17: the answer to the sixth wrong key of a connection waits, and that of another one does not', async () => {
  const keys = new AccessKeys();
  const [one, other] = [connection(keys), connection(keys)];
  await one.fail(6);
  expect(one.state.answered).toBe(5);
  await other.fail(5);
  expect(other.state.answered).toBe(5);
  await vi.advanceTimersByTimeAsync(999);
  expect(one.state.answered).toBe(5);
  await vi.advanceTimersByTimeAsync(1);
  expect(one.state).toEqual({ answered: 6, closed: false });
  // It is not forgotten while the connection is open.
  await vi.advanceTimersByTimeAsync(3_600_000);
  await one.fail(1);
  expect(one.state.answered).toBe(6);
});

test('T-17: sixteen answers wait at once, and a connection that would hold one more is closed', async () => {
  const keys = new AccessKeys();
  const many = Array.from({ length: 4 }, () => connection(keys));
  for (const { fail } of many) await fail(9);
  const [late, few] = [connection(keys), connection(keys)];
  await few.fail(5);
  await late.fail(6);
  expect(many.map(({ state }) => state)).toEqual(Array(4).fill({ answered: 5, closed: false }));
  expect([few.state.closed, late.state.closed]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(many.map(({ state }) => state.answered)).toEqual([9, 9, 9, 9]);
  const next = connection(keys);
  await next.fail(6);
  expect(next.state).toEqual({ answered: 5, closed: false });
});

test('T-17 P-05: a wall clock that is set back or forward shortens and lengthens nothing', async () => {
  for (const hours of [-1, 1]) {
    const keys = new AccessKeys();
    const { state, fail } = connection(keys);
    await fail(6);
    const [code, late] = [keys.issueCode(60_000), keys.issueCode(60_000)];
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.answered).toBe(6);
    expect(keys.trade(code).ok).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(keys.trade(late)).toEqual({ ok: false, error: 'code_expired' });
  }
});
