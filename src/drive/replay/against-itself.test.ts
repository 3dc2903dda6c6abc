// Each recording of a real agent, played as the agent to itself, played as the client.
import { expect, test } from 'vitest';
import { recordings } from '../../test/recordings.ts';
import { replayed } from '../../test/replayed.ts';

test.each(recordings())('$name replayed against itself is as it was', async ({ events }) => {
  const { client, agent } = await replayed(events, events);
  expect(agent.notes).toEqual([]);
  expect(client.notes).toEqual([]);
  expect(agent.neverCame).toEqual([]);
  expect(agent.unsaid).toBe(0);
});
