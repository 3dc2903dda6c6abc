import { expect, test } from 'vitest';
import { scenarioPlan } from '../../engine/runs/scenario-run.ts';
import { runningApp } from '../../test/programs/running-app.ts';
import { EXAMPLE, ScenarioForm } from './scenario.svelte.ts';

test('the scenario one begins with can be run, and sends one prompt', () => {
  expect(scenarioPlan(EXAMPLE)).toMatchObject({ ok: true, prompts: 1, asserts: 2 });
});

test('the scenario of the last time is put in its place, unless a person has typed before it came', async () => {
  const kept = '{"steps":[]}';
  const app = await runningApp({
    library: { draft: () => Promise.resolve(kept), recents: () => Promise.resolve([]) },
    connections: { presets: () => Promise.resolve([]) },
    runs: {
      scenarioPlan: (text) => Promise.resolve(scenarioPlan(text)),
      keptRuns: () => Promise.resolve([]),
      runTarget: () => Promise.resolve({ agent: 'Ant', version: 1 as const }),
    },
  });
  const form = new ScenarioForm(app);
  await form.look();
  expect(form.source).toBe(kept);
  const busy = new ScenarioForm(app);
  const looked = busy.look();
  busy.edit('{"name":"typed"}');
  await looked;
  expect(busy.source).toBe('{"name":"typed"}');
});
