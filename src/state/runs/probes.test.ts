// What is chosen in the form of probes, whenever the catalogue comes.
import { expect, test } from 'vitest';
import type { ProbeEntry } from '../../engine/runs/run-messages.ts';
import { connectionFacts, runningApp, traceSummary } from '../../test/programs/running-app.ts';
import { connectionId } from '../../trace/event.ts';
import { Probes } from './probes.svelte.ts';

const entry = (id: string): ProbeEntry => ({
  ...{ id, family: id.split('/')[0] ?? '', sentence: '', prompts: 0, connections: 1 },
  ...{ shares: false, needs: [], shut: undefined, optIn: undefined },
});

async function form(agents: Readonly<Record<string, string>> = {}) {
  const app = await runningApp(
    {
      runs: {
        probeCatalogue: (_, version) => {
          const family = version === 1 ? 'load' : 'resume2';
          const tools = { ...entry(`${family}/tools`), optIn: 'lets it' };
          const plain = ['list/plain', 'ver/v1', `${family}/fold`].map(entry);
          return Promise.resolve([...plain, tools]);
        },
        probePrice: (_connection, _version, ids) =>
          Promise.resolve({ probes: ids.length, prompts: 0, connections: 1 }),
        keptRuns: () => Promise.resolve([]),
        runTarget: (connection) =>
          Promise.resolve({ agent: agents[connection] ?? 'Ant', version: 2 as const }),
      },
    },
    connectionFacts({}),
  );
  return { app, probes: new Probes(app) };
}

test('what was typed for one agent is not asked of another, and stays for the same one', async () => {
  const { app, probes } = await form({ c: 'Ant', d: 'Ant', e: 'Bee' });
  const look = async (id: string) => {
    const connection = connectionId(id);
    const more = traceSummary(connectionFacts({ connection }));
    app.receive({ type: 'traces', traces: [...app.traces, more] });
    await app.show(connection);
    await probes.look();
  };
  await probes.look();
  probes.cursorText = '{"type":"_at","id":"$ID"}';
  await look('d');
  expect(probes.cursor).toBeDefined();
  await look('e');
  expect(probes.cursorText).toBe('');
});

test('what is chosen before the catalogue is there stays chosen when it comes', async () => {
  const { probes } = await form();
  await probes.choose([]);
  await probes.setVersion(2);
  expect([...probes.chosen]).toEqual([]);
});

test('where nothing was chosen by hand, those about sessions are', async () => {
  const { probes } = await form();
  await probes.setVersion(2);
  expect([...probes.chosen]).toEqual(['list/plain', 'resume2/fold']);
});

test('what becomes of tool calls is asked of the other version too, until it is unticked', async () => {
  const { probes } = await form();
  await probes.setVersion(2);
  expect(probes.asksTools).toBe(false);
  await probes.toggleTools();
  expect(probes.asksTools).toBe(true);
  await probes.setVersion(1);
  expect([...probes.chosen]).toEqual(['list/plain', 'load/fold', 'load/tools']);
  expect(probes.preset).toBe('sessions');
  await probes.toggleTools();
  expect(probes.asksTools).toBe(false);
});
