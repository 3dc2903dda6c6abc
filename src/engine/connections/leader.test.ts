import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Leadership } from './leader.ts';

/** One lock at a time, as a browser gives it: in the order of asking, until it is let go. */
class FakeLocks {
  #last: Promise<unknown> = Promise.resolve();

  request(_name: string, { signal }: LockOptions, held: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(() => {
      signal?.throwIfAborted();
      return held();
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => void vi.stubGlobal('navigator', { locks: new FakeLocks() }));
afterEach(() => void vi.unstubAllGlobals());

test('R-32 one tab leads, and the next does when it yields', async () => {
  const leading: string[] = [];
  const [a, b] = ['a', 'b'].map((name) => new Leadership(() => leading.push(name)));
  a?.seek();
  a?.seek();
  b?.seek();
  await settle();
  expect(leading).toEqual(['a']);
  a?.yield();
  await settle();
  expect(leading).toEqual(['a', 'b']);
});

test('R-32 a tab that lost its link while it waited is passed over, and can come back', async () => {
  const leading: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => new Leadership(() => leading.push(name)));
  for (const tab of [a, b, c]) tab?.seek();
  b?.yield();
  await settle();
  a?.yield();
  await settle();
  expect(leading).toEqual(['a', 'c']);
  b?.seek();
  c?.yield();
  await settle();
  expect(leading).toEqual(['a', 'c', 'b']);
});

test('without locks every tab leads', () => {
  vi.stubGlobal('navigator', {});
  const led = vi.fn();
  new Leadership(led).seek();
  expect(led).toHaveBeenCalledOnce();
});
