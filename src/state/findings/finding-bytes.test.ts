// What of a line a finding means: where its pointer leads, as far as the text has it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointerOf } from '../../acp/json-pointer.ts';
import { lineExcerpt, meantIn } from './finding-bytes.ts';

const meant = (text: string, pointer: string) => text.slice(...(meantIn(text, pointer) ?? [0]));

test('the value that a pointer leads to is meant', () => {
  const text = '{"method":"session/new", "params":{"cwd" : "x","a/b":[1,{"c":true}]}}';
  expect(meant(text, '/params/cwd')).toBe('"x"');
  expect(meant(text, '/params/a~1b/1/c')).toBe('true');
});

test('of what is missing the value is meant that lacks it', () => {
  expect(meant('{"params":{"a":1}}', '/params/cwd')).toBe('{"a":1}');
});

test('of what is no JSON all is meant from where it stops being it', () => {
  expect(meant('{"a":1} npm warn', '')).toBe('npm warn');
  expect(meant('npm warn', '')).toBe('npm warn');
  expect(meant('{"a":', '')).not.toBe('');
});

test('a long line is cut around what is meant, and of the whole nothing is marked', () => {
  const text = `{"a":"${'x'.repeat(900)}","b":2,"c":"${'y'.repeat(900)}"}`;
  const { before, meant, after } = lineExcerpt(text, meantIn(text, '/b'));
  expect(meant).toBe('2');
  expect(before).toMatch(/^…x+","b":$/);
  expect(after).toMatch(/^,"c":"y+…$/);
  expect(lineExcerpt(text, meantIn(text, '')).meant).toBe('');
});

test('property: what is meant by the path of a value is that value', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }),
      fc.jsonValue(),
      (path, value) => {
        const whole = path.reduceRight<unknown>((inside, key) => ({ [key]: inside }), value);
        const text = JSON.stringify(whole);
        expect(meant(text, pointerOf(path))).toBe(JSON.stringify(value));
      },
    ),
  );
});

test('I-12: an excerpt shows no secret, also where it cuts one', () => {
  const token = `sk-ant-${'a1B2c3D4'.repeat(8)}`;
  const line = `{"params":{"cwd":"w","env":[{"name":"KEY","value":"${token}"}]}}`;
  const { before, meant, after } = lineExcerpt(line, meantIn(line, '/params/cwd'));
  expect(`${before}${meant}${after}`).not.toMatch(/sk-ant|a1B2/);
  expect(meant).toBe('"w"');
  const behind = `${line.slice(0, -2)},"x":${'1'.repeat(90)}}}`;
  const cut = lineExcerpt(behind, meantIn(behind, '/params/x'));
  expect(`${cut.before}${cut.meant}${cut.after}`).not.toMatch(/sk-ant|a1B2|c3D4/);
});
