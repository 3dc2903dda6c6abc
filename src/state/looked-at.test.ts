import { expect, test } from 'vitest';
import type { Drift, SessionEvent } from '../model/sessions/session-history.ts';
import type { Millis } from '../lib/time.ts';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  sessionFacts,
} from '../test/programs/running-app.ts';
import { until } from '../test/programs/until.ts';
import { connectionId, seq } from '../trace/event.ts';
import { beforeRestore, lastDrift } from './looked-at.ts';

test('a value that a restore brought back otherwise knows what it was, until it is set again', async () => {
  const drift: Drift = {
    path: 'mode',
    name: 'mode',
    before: { connection: connectionId('before'), seq: seq(4), value: 'Code' },
    after: { connection: CONNECTION, seq: seq(9), value: 'Ask' },
  };
  const event: SessionEvent = {
    connection: CONNECTION,
    seq: seq(8),
    answer: seq(9),
    at: 0 as Millis,
    kind: 'load',
    outcome: 'answered',
    drift: [drift],
  };
  const elsewhere = { ...event, connection: connectionId('other') };
  const app = await runningApp(
    { sessions: { history: () => Promise.resolve([event, elsewhere]) } },
    connectionFacts({ sessions: [sessionFacts('s1')] }),
  );
  let session: string | undefined = 's1';
  const it = lastDrift(app, () => session);
  const before = (path: string, at: number) => beforeRestore(it.told, path, seq(at));
  expect(before('mode', 9)).toBeUndefined();
  it.watch();
  await until(() => expect(it.told).toHaveLength(1));
  expect(before('mode', 9)).toEqual(drift.before);
  expect(before('mode', 12)).toBeUndefined();
  expect(before('title', 9)).toBeUndefined();
  session = undefined;
  expect(before('mode', 9)).toBeUndefined();
});
