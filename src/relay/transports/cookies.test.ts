import { expect, test } from 'vitest';
import { CookieJar } from './cookies.ts';

const AT = new URL('http://127.0.0.1:9000/app/acp');

function after(set: readonly string[], url = AT, now = 0): string | undefined {
  const jar = new CookieJar();
  jar.take(set, AT, 0);
  return jar.header(url, now);
}

test('what a server sets is given back to it, until it expires or is taken away', () => {
  expect(after(['a=1', 'b="x y"; Path=/; HttpOnly'])).toBe('a=1; b="x y"');
  expect(after(['a=1', 'a=2'])).toBe('a=2');
  expect(after(['a=1', 'a=; Max-Age=0'])).toBeUndefined();
  expect(after(['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'])).toBeUndefined();
  expect(after(['a=1; Max-Age=5'], AT, 4999)).toBe('a=1');
  expect(after(['a=1; Max-Age=5'], AT, 5000)).toBeUndefined();
});

test('a cookie keeps to its path, and a secure one to https', () => {
  expect(after(['a=1; Path=/app'])).toBe('a=1');
  expect(after(['a=1; Path=/ap'])).toBeUndefined();
  expect(after(['a=1; Path=/other'])).toBeUndefined();
  expect(after(['a=1; Secure'])).toBeUndefined();
  expect(after(['a=1; Secure'], new URL('https://127.0.0.1:9000/app/acp'))).toBe('a=1');
});

test('junk sets nothing, and there is an end to how much is kept', () => {
  expect(after(['', '=x', 'no', 'a=\r\nInjected: 1', `big=${'x'.repeat(5000)}`])).toBeUndefined();
  const many = after(Array.from({ length: 500 }, (_, i) => `c${i}=1`));
  expect(many?.split('; ')).toHaveLength(64);
});
