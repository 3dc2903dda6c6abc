import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['{"a":1,}', 7, 'expected a "key", found }'],
  ['[1,]', 3, 'expected a value, found ]'],
  ['{a:1}', 1, 'expected a "key" or }, found a'],
  ['{"a" 1}', 5, 'expected a colon, found 1'],
  ['[1 2]', 3, 'expected a comma or ], found 2'],
  ['01', 1, 'the value has ended, found 1'],
  ['{} {}', 3, 'the value has ended, found {'],
  ['"\\x"', 1, 'a backslash that begins no escape'],
  ['"a\tb"', 2, 'a tab inside a string must be escaped'],
  ['"ab', 3, 'the text ends inside a string'],
])('%s', (text, at, what) => expect(jsonFault(text)).toEqual({ at, what }));

test('it finds a fault exactly where JSON.parse does', () => {
  const near = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', '"', '\\', '0', '-', 'e', ' ', '\u0000'),
    )
    .map(([json, at, bit]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + bit + json.slice(place + 1);
    });
  const tokens = fc.stringMatching(/^[{}[\]",:0-9eE+.\\\s-]{0,12}$/);
  fc.assert(
    fc.property(fc.oneof(fc.json(), near, tokens, fc.string()), (text) => {
      expect(jsonFault(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});
