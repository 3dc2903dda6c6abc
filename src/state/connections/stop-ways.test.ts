import { expect, test, vi } from 'vitest';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  traceSummary,
} from '../../test/programs/running-app.ts';
import { stopWays } from './stop-ways.ts';

const started = (argv: readonly string[]) =>
  connectionFacts({ started: { seq: 1, argv, cwd: '/' } as never });

test('an agent of a system with signals is stopped in three ways', async () => {
  const stop = vi.fn(() => Promise.resolve());
  const app = await runningApp({ connections: { stop } }, started(['agent']));
  const ways = stopWays(app, app.current);
  expect(ways.map(({ label }) => label)).toEqual(['Close stdin', 'SIGTERM', 'SIGKILL']);
  for (const way of ways) way.run();
  expect(stop.mock.calls).toEqual([
    [CONNECTION, 'end'],
    [CONNECTION, 'kill'],
    [CONNECTION, 'SIGKILL'],
  ]);
});

test('on Windows, which has no signals, the process is ended', async () => {
  const app = await runningApp({}, started(['agent']));
  const state = {
    status: 'open',
    version: '0',
    home: 'C:\\Users\\m',
    cwd: 'C:\\',
    command: [],
  } as const;
  app.receive({ type: 'link', state });
  expect(stopWays(app, app.current).map(({ label }) => label)).toEqual([
    'Close stdin',
    'End process',
  ]);
});

test('a URL has a connection to close, and no process', async () => {
  const app = await runningApp({}, started(['ws://localhost:1/acp']));
  expect(stopWays(app, app.current).map(({ label }) => label)).toEqual([
    'Close the connection',
    'Drop the connection',
  ]);
});

test('nothing is stopped that has ended, that a tap records, or without the relay', async () => {
  const app = await runningApp({});
  const trace = traceSummary(connectionFacts());
  expect(stopWays(app, { ...trace, state: 'ended' })).toEqual([]);
  expect(stopWays(app, { ...trace, mode: 'tap' })).toEqual([]);
  expect(stopWays(app, undefined)).toEqual([]);
  app.receive({ type: 'link', state: { status: 'lost', since: 0, retryAt: 1 } as never });
  expect(stopWays(app, trace)).toEqual([]);
});
