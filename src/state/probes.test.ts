// What is chosen in the form of probes, whenever the catalogue comes.
import { expect, test } from 'vitest';
import type { ProbeEntry } from '../engine/run-messages.ts';
import { connectionFacts, runningApp } from '../test/running-app.ts';
import { Probes } from './probes.svelte.ts';

const entry = (id: string): ProbeEntry => ({
  ...{ id, family: id.split('/')[0] ?? '', sentence: '', prompts: 0, connections: 1 },
  ...{ shares: false, needs: [], shut: undefined, optIn: undefined },
});

async function form() {
  const app = await runningApp(
    {
      probeCatalogue: () => Promise.resolve(['list/plain', 'ver/v1'].map(entry)),
      probePrice: (_connection, _version, ids) =>
        Promise.resolve({ probes: ids.length, prompts: 0, connections: 1 }),
      keptRuns: () => Promise.resolve([]),
    },
    connectionFacts({}),
  );
  return new Probes(app);
}

test('what is chosen before the catalogue is there stays chosen when it comes', async () => {
  const probes = await form();
  await probes.clear();
  await probes.setVersion(2);
  expect([...probes.chosen]).toEqual([]);
});

test('where nothing was chosen by hand, those about sessions are', async () => {
  const probes = await form();
  await probes.setVersion(2);
  expect([...probes.chosen]).toEqual(['list/plain']);
});
