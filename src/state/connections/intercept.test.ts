import { expect, test } from 'vitest';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  traceSummary,
} from '../../test/programs/running-app.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import { interceptOf } from './intercept.svelte.ts';

test('rules are for the connection that was shown when they were switched on', async () => {
  const asked: ConnectionId[] = [];
  let checked: (problems: string[]) => void = () => undefined;
  const app = await runningApp({
    connections: {
      checkRules: () => new Promise((resolve) => (checked = resolve)),
      intercept: (connection) => Promise.resolve(void asked.push(connection)),
    },
  });
  const other = connectionId('other');
  const summaries = [CONNECTION, other].map((connection) =>
    traceSummary(connectionFacts({ connection })),
  );
  app.receive({ type: 'traces', traces: summaries });
  const rules = interceptOf(app);

  const late = rules.on();
  await app.show(other, 'trace');
  checked([]);
  await late;
  expect(asked).toEqual([]);

  const now = rules.on();
  checked([]);
  await now;
  expect(asked).toEqual([other]);
});
