import { expect, test } from 'vitest';
import type { Drift } from '../../model/sessions/config-drift.ts';
import type { SessionEvent } from '../../model/sessions/session-history.ts';
import type { Millis } from '../../lib/time.ts';
import { CONNECTION, connectionFacts, runningApp, sessionFacts } from '../../test/running-app.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { RestoreDrift } from './conversation-drift.svelte.ts';

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
  const it = new RestoreDrift(app);
  expect(it.before('mode', seq(9))).toBeUndefined();
  await it.read('s1');
  expect(it.before('mode', seq(9))).toEqual(drift.before);
  expect(it.before('mode', seq(12))).toBeUndefined();
  expect(it.before('title', seq(9))).toBeUndefined();
  await it.read(undefined);
  expect(it.before('mode', seq(9))).toBeUndefined();
});
