// Each recording of a real agent, played as the agent to itself, played as the client.
import { expect, test } from 'vitest';
import { recordings } from '../../test/traces/recordings.ts';
import { replayed, withMoreWords } from '../../test/traces/replayed.ts';
import { divergenceOf } from './divergence.ts';

test.each(recordings())('$name replayed against itself does not diverge', async ({ events }) => {
  const { client, agent, frames } = await replayed(events, events);
  expect(agent.notes).toEqual([]);
  expect(client.notes).toEqual([]);
  expect(agent.neverCame).toEqual([]);
  expect(agent.unsaid).toBe(0);
  const { differences } = await divergenceOf(events, frames);
  expect(differences).toEqual([]);
});

const talking = recordings().flatMap(({ name, events }) => {
  const other = withMoreWords(events);
  return other ? [{ name, events, other }] : [];
});

test.each(talking)('$name with one frame changed diverges in that alone', async (recording) => {
  const { events, other } = recording;
  const { frames, client } = await replayed(other, events);
  expect(client.notes).toEqual([]);
  const { differences } = await divergenceOf(events, frames);
  const change = { kind: 'changed', after: expect.stringContaining('And more.') as string };
  expect(differences).toMatchObject([
    { view: 'story', ...change },
    { view: 'state', ...change },
  ]);
});

test('most recordings hold words of their agent', () => {
  expect(talking.length).toBeGreaterThan(30);
});
