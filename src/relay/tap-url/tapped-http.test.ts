import { expect, test } from 'vitest';
import { Body } from './tapped-http.ts';

test('of a body that has no end nothing is kept, however it is cut', () => {
  const body = new Body(10);
  for (let i = 0; i < 10; i++) body.push(new Uint8Array(1));
  expect(body.isTooLong).toBe(false);
  body.push(new Uint8Array(1));
  expect([body.isTooLong, body.take()]).toEqual([true, []]);
  body.push(new Uint8Array(3));
  expect([body.isTooLong, body.take().length]).toEqual([false, 1]);
});
