// What was approved, and nobody wants any more when it is to start.
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ECHO, RelayTest } from '../test/programs/relay-fixture.ts';
import { until } from '../test/programs/until.ts';
import { groupLives } from './agents/kill-tree.ts';
import * as target from './agents/target.ts';
import { Approvals } from './approval/approvals.ts';
import type { RunningRelay } from './start-relay.ts';

vi.mock('./agents/target.ts', { spy: true });
const starts = vi.mocked(target.startTarget);

let here: RelayTest;
beforeEach(() => void (here = new RelayTest()));
afterEach(async () => {
  vi.restoreAllMocks();
  await here.close();
});

/** Starts one that the terminal says yes to, doing `before` that; resolves when it would be started. */
async function approvedAfter(before: (of: RunningRelay, signal: AbortSignal) => void) {
  const check = vi.spyOn(Approvals.prototype, 'check');
  const confirm = (_: string, signal: AbortSignal) => {
    before(running, signal);
    return delay(50, true);
  };
  const running = await here.relay({ trustPage: false, terminal: { confirm } });
  const page = await here.page(running);
  page.command({ type: 'start', request: 1, launch: here.launch(ECHO) });
  await until(() => expect(check).toHaveBeenCalledTimes(1));
  return { page, checked: () => check.mock.results[0]?.value as Promise<{ ok: boolean }> };
}

test('P-01: nothing starts for a page that left between the yes and the start', async () => {
  let left: Promise<void> | undefined;
  const { page, checked } = await approvedAfter((_, signal) => {
    left = new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  });
  await until(() => expect(left).toBeDefined());
  page.client.close();
  await left;
  expect(await checked()).toMatchObject({ ok: true });
  await setImmediate();
  expect(starts).not.toHaveBeenCalled();
  expect(here.spooled()).toEqual([]);
});

test('R-45: nothing starts once the relay closes, between the yes and the start', async () => {
  let closed: Promise<unknown> | undefined;
  const { page, checked } = await approvedAfter((running) => (closed = running.close()));
  // It does not answer that it is told to close: to the relay it is still there.
  page.stall();
  expect(await checked()).toMatchObject({ ok: true });
  await setImmediate();
  expect(starts).not.toHaveBeenCalled();
  await closed;
  expect(here.spooled()).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'R-45: closing waits for a program that is just being started, and ends it',
  async () => {
    const running = await here.relay();
    const page = await here.page(running);
    const { startTarget } = await vi.importActual<typeof target>('./agents/target.ts');
    let go = (): void => undefined;
    starts.mockImplementationOnce(async (...given) => {
      const started = await startTarget(...given);
      await new Promise<void>((resolve) => (go = resolve));
      return started;
    });
    page.command({ type: 'start', request: 1, launch: here.launch(ECHO) });
    await until(() => expect(here.spooled()).toHaveLength(1));
    const closed = running.close();
    // Longer than saying goodbye to the pages takes.
    await delay(500);
    go();
    await closed;
    const started = await starts.mock.results[0]?.value;
    expect(started?.ok && groupLives(started.agent.pid ?? 0)).toBe(false);
    expect(page.told.some(({ type }) => type === 'started')).toBe(false);
  },
);
