import { expect, test } from 'vitest';
import type { HandshakeView } from '../../model/facts/facts-view.ts';
import { seq } from '../../trace/event.ts';
import { axesOf, catalogueOf, labPrice, offeredIn, probePrice } from './run-plans.ts';

const HANDSHAKE: HandshakeView = {
  ...{ request: seq(1), answer: seq(2), version: 1, clientCapabilities: {}, authMethods: [] },
  agentCapabilities: { loadSession: true },
};
const order = {
  ...({
    version: 1,
    repeat: 1,
    cursors: false,
    most: Infinity,
    cursor: undefined,
    texts: {},
  } as const),
  only: undefined,
};

test('what the handshake does not offer is said to be skipped, and costs nothing', () => {
  const offered = offeredIn(HANDSHAKE, 1);
  const fork = catalogueOf(1, offered).find(({ id }) => id === 'fork/basic');
  expect(fork?.shut).toMatch(/does not advertise/);
  expect(catalogueOf(1, offered).find(({ id }) => id === 'load/roundtrip')?.shut).toBeUndefined();
  expect(probePrice(1, offered, ['fork/basic'])).toMatchObject({ probes: 1, prompts: 0 });
  expect(probePrice(1, offered, ['load/roundtrip'])).toMatchObject({ probes: 1, prompts: 1 });
});

test('of a version that was not spoken, anything may be offered', () => {
  for (const offered of [offeredIn(HANDSHAKE, 2), offeredIn(undefined, 2)])
    for (const { shut } of catalogueOf(2, offered))
      if (shut !== undefined) expect(shut).not.toMatch(/does not advertise/);
});

test('the lab is every combination of what is chosen, without what cannot be asked', () => {
  const values = { variant: ['load', 'resume'], stop: ['stdin', 'kill'], id: ['good'] };
  const price = labPrice(1, offeredIn(HANDSHAKE, 1), { ...order, values });
  expect(price.cells).toBe(2);
  expect(price.planned.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['load', undefined],
    ['resume', 'skip'],
    ['load stop=kill', undefined],
    ['resume stop=kill', 'skip'],
  ]);
  expect(price.cost.most).toBeGreaterThan(price.cost.expected);
  const twice = labPrice(1, offeredIn(HANDSHAKE, 1), { ...order, values, repeat: 2 });
  expect(twice.cost.expected).toBe(2 * price.cost.expected);
});

test('of the cells of the lab only those that are chosen are tried and paid for', () => {
  const values = { variant: ['load'], stop: ['stdin', 'kill'], id: ['good'] };
  const offered = offeredIn(HANDSHAKE, 1);
  const all = labPrice(1, offered, { ...order, values });
  const one = labPrice(1, offered, { ...order, values, only: ['load stop=kill'] });
  expect([all.cells, one.cells]).toEqual([2, 1]);
  expect(one.planned).toHaveLength(all.planned.length);
  expect(one.cost.most).toBeLessThan(all.cost.most);
});

test('every axis of a version has values with words', () => {
  for (const version of [1, 2] as const)
    for (const { values } of axesOf(version))
      for (const { value, words } of values) expect([value, words]).not.toContain('');
});
