import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fillPlaceholders,
  missingWords,
  PLACEHOLDERS,
  type PlaceholderValues,
} from './placeholders.ts';

const values: PlaceholderValues = { sessionId: 'sess "1"', cwd: '/w' };

test('a string that is a placeholder gets its value; a key and a part of a string stay', () => {
  const json = '{"$cwd":"$sessionId","a":["$cwd","$cwd/src","\\"$cwd\\"","$other"],"n":1.0}';
  expect(fillPlaceholders(json, values)).toEqual({
    text: '{"$cwd":"sess \\"1\\"","a":["/w","$cwd/src","\\"$cwd\\"","$other"],"n":1.0}',
    used: ['sessionId', 'cwd'],
    missing: [],
  });
});

test('a placeholder without a value stays, and its sentence says what to do', () => {
  const json = '{"messageId":"$lastMessageId"}';
  const { text, missing } = fillPlaceholders(json, values);
  expect([text, missing]).toEqual([json, ['lastMessageId']]);
  expect(missingWords(missing)).toMatch(/^\$lastMessageId has no value: .*Send a prompt/);
});

/** Strings near a placeholder, and strings with quotes, backslashes and colons. */
const word = fc.oneof(
  fc.constantFrom(...PLACEHOLDERS.map((name) => `$${name}`), '$cwd ', '"$cwd"', '\\', '":', '$'),
  fc.string({ unit: 'binary' }),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.double(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      word.filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 3 },
    ),
  ),
})).value;

function filled(value: unknown, by: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return Object.hasOwn(by, value) ? by[value] : value;
  if (Array.isArray(value)) return value.map((one) => filled(one, by));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, by)]));
}

test('of any JSON, whole string values alone change', () => {
  const all = { sessionId: 's', cwd: 'C:\\w', lastMessageId: '"' };
  const by = Object.fromEntries(Object.entries(all).map(([name, value]) => [`$${name}`, value]));
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 2), (value, step) => {
      const text = JSON.stringify(value, undefined, step);
      const { text: out } = fillPlaceholders(text, all);
      expect(JSON.parse(out)).toEqual(filled(JSON.parse(text), by));
      expect(fillPlaceholders(text, {}).text).toBe(text);
    }),
  );
});
