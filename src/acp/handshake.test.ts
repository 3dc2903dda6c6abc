import { expect, test } from 'vitest';
import { knownVersion, nearestVersion, offeredVersion, offersIn } from './handshake.ts';

test('an unknown version is nearest to the newest known one, and none to the older', () => {
  expect([undefined, -1, 0, 1, 1.5, 2, 3, 99].map(nearestVersion)).toEqual([
    1, 1, 1, 1, 1, 2, 2, 2,
  ]);
  expect([undefined, 0, 1, 2, 3].map(knownVersion)).toEqual([
    undefined,
    undefined,
    1,
    2,
    undefined,
  ]);
});

test('an `initialize` is written in the version that it offers, and version 0 in v1', () => {
  const written = (protocolVersion: number | string) => offeredVersion({ protocolVersion });
  expect([0, 1, 2, 3, '2024-11-05'].map(written)).toEqual([1, 1, 2, undefined, undefined]);
});

test('what stands in the fields of another version counts for nothing', () => {
  const params = { capabilities: { elicitation: {} } };
  const result = { agentCapabilities: { loadSession: true }, authMethods: [{ id: 'a' }, 1] };
  expect(offersIn(params, result, 1)).toEqual({
    clientCapabilities: {},
    agentCapabilities: { loadSession: true },
    authMethods: [{ id: 'a' }],
  });
  expect(offersIn(params, result, 2)).toMatchObject({
    clientCapabilities: { elicitation: {} },
    agentCapabilities: {},
  });
});
