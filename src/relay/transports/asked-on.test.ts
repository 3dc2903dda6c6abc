import { expect, test } from 'vitest';
import { heapUsed } from '../../test/traces/cost.ts';
import { AskedOn } from './asked-on.ts';

test('N5: of an agent that asks without end, under long ids, the newest are remembered and no more than that is held', () => {
  const asked = new AskedOn();
  const id = (n: number) => `${n}${'x'.repeat(20_000)}`;
  const before = heapUsed();
  for (let n = 0; n < 30_000; n++) asked.note(id(n), 's1');
  expect(heapUsed() - before).toBeLessThan(20e6);
  expect(asked.sessionOf(id(29_999))).toBe('s1');
  expect(asked.sessionOf(id(0))).toBeUndefined();
});
