import { expect, test } from 'vitest';
import { parseEnv, printEnv } from './env-lines.ts';

test('a value is everything after the first equals sign', () => {
  expect(parseEnv('A=1\n\nURL=http://x/?a=b\nQ="x y" ')).toEqual({
    ok: true,
    env: { A: '1', URL: 'http://x/?a=b', Q: '"x y" ' },
  });
});

test.each(['A', '=1', 'A B=1'])('what is no assignment is named by its line: %j', (line) => {
  expect(parseEnv(`OK=1\n${line}`)).toMatchObject({
    ok: false,
    message: /^Line 2 of the environment/,
  });
});

test('what is printed reads back the same', () => {
  const env = { A: '1', B: 'x=y' };
  expect(parseEnv(printEnv(env))).toEqual({ ok: true, env });
});
