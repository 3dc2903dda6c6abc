import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeper } from '../lib/json-scan.ts';
import { boundedJson, type Json } from './json.ts';

const nested = (depth: number, inner: string) =>
  `${'[{"a":'.repeat(depth / 2)}${inner}${'}]'.repeat(depth / 2)}`;

test('a value that nests 500 deep is read whole', () => {
  const text = nested(500, '"leaf"');
  expect(JSON.stringify(boundedJson(text))).toBe(text);
});

test('I-06 words replace what nests deeper; what stands beside it stays', () => {
  const text = `{"id":1,"a":${nested(498, '[1,[2],3]')},"b":[true]}`;
  const read = boundedJson(text) as Record<string, Json>;
  expect(JSON.stringify(read['a'])).toBe(nested(498, '[1,"nested more than 500 deep",3]'));
  expect([read['id'], read['b']]).toEqual([1, [true]]);
});

test('brackets in texts do not nest', () => {
  const text = JSON.stringify(['[{'.repeat(10_000), '\\"[', '"]']);
  expect(nestsDeeper(text, 500)).toBe(false);
  expect(boundedJson(text)).toEqual(JSON.parse(text));
});

test('how deep a value nests is seen whatever stands in it', () => {
  const depthOf = (value: Json): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), fc.nat(2), (value, most, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(nestsDeeper(text, most)).toBe(depthOf(value as Json) > most);
    }),
  );
});
