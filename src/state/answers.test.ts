import { expect, test } from 'vitest';
import type { RestoreResult } from '../model/restore/restore-results.ts';
import { restored } from '../test/traces/restored.ts';
import { CONNECTION, runningApp } from '../test/programs/running-app.ts';
import { seq } from '../trace/event.ts';
import { Answers } from './answers.svelte.ts';

test('each restore is compared once, and has no answer before', async () => {
  const app = await runningApp({});
  const asked: number[] = [];
  Object.assign(app.engine.fidelity, {
    of(_: unknown, request: number) {
      asked.push(request);
      return Promise.resolve({
        report: { answer: { history: request === 12 ? 'late' : 'wrong' } },
      });
    },
  });
  const result = (request: number): RestoreResult => ({
    ...{ connection: CONNECTION, verdict: 'replayed-from-start', evidence: [] },
    ...{ seen: [], due: true, window: restored({ request: seq(request) }) },
  });
  const all = [result(12), result(40)];
  const answers = new Answers(app);
  expect(all.map((one) => answers.of(one))).toEqual([undefined, undefined]);
  await Promise.all([answers.ask(all), answers.ask(all)]);
  expect(asked).toEqual([12, 40]);
  expect(all.map((one) => answers.of(one)?.history)).toEqual(['late', 'wrong']);
});
