import { expect, test } from 'vitest';
import { withhold } from './withhold.ts';

test('of the headers of a URL only harmless ones are kept, the others by their names', () => {
  const launch = {
    env: {},
    headers: { 'User-Agent': 'x', 'X-Anything': 'geheim', Authorization: 'Bearer geheim' },
  };
  expect(withhold(launch)).toEqual({
    env: {},
    headers: { 'User-Agent': 'x' },
    withheld: ['X-Anything', 'Authorization'],
  });
});

test('a launch without secrets is kept as it is', () => {
  const launch = { env: { MODE: 'x' } };
  expect(withhold(launch)).toBe(launch);
});
