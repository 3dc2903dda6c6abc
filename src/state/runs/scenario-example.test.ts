import { expect, test } from 'vitest';
import { scenarioPlan } from '../../engine/runs/scenario-run.ts';
import { EXAMPLE } from './scenario.svelte.ts';

test('the scenario one begins with can be run, and sends one prompt', () => {
  expect(scenarioPlan(EXAMPLE)).toMatchObject({ ok: true, prompts: 1, asserts: 2 });
});
