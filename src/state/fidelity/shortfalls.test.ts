import { expect, test } from 'vitest';
import type { RestoreResult } from '../../model/restore/restore-results.ts';
import { restored } from '../../test/traces/restored.ts';
import { CONNECTION, runningApp } from '../../test/programs/running-app.ts';
import { seq } from '../../trace/event.ts';
import { Shortfalls } from './shortfalls.svelte.ts';

test('what is as due so far is so once it was compared, and each restore is compared once', async () => {
  const app = await runningApp({});
  const asked: number[] = [];
  const shortfall = { weight: 'error', words: '1 item did not come back' };
  Object.assign(app.engine.fidelity, {
    of(_: unknown, request: number) {
      asked.push(request);
      const report = request === 12 ? { shortfall } : {};
      return Promise.resolve({ report: { verdict: 'lossy', ...report } });
    },
  });
  const result = (more: Parameters<typeof restored>[0], due: boolean): RestoreResult => ({
    ...{ connection: CONNECTION, verdict: 'replayed-from-start', evidence: [] },
    ...{
      seen: [{ clause: 'whole', code: 'whole' }],
      due,
      window: restored({ method: 'session/load', ...more }),
    },
  });
  const short = result({ version: 1, updates: 3 }, true);
  const whole = result({ version: 1, updates: 3, request: seq(40) }, true);
  const all = [short, whole, result({ version: 1, outcome: 'rejected' }, true)];
  const shortfalls = new Shortfalls(app);
  expect(all.map((one) => shortfalls.heldOf(one).mark)).toEqual(['dim', 'dim', 'ok']);
  await Promise.all([shortfalls.ask(all), shortfalls.ask(all)]);
  expect(asked).toEqual([12, 40]);
  expect(all.map((one) => shortfalls.heldOf(one).mark)).toEqual(['err', 'ok', 'ok']);
});
