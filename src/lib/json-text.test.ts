import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compactJson,
  jsonEntries,
  longSpans,
  prettyJson,
  rootSpan,
  stringAt,
  type JsonSpan,
} from './json-text.ts';

const texts = fc
  .json()
  .chain((json) => fc.constantFrom(json, JSON.stringify(JSON.parse(json), null, 2), ` ${json}\t`));

test('compact and pretty text say the same value', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const value: unknown = JSON.parse(text);
      expect(JSON.parse(compactJson(text))).toEqual(value);
      expect(JSON.parse(prettyJson(text))).toEqual(value);
      expect(compactJson(prettyJson(text))).toBe(compactJson(text));
    }),
  );
});

test('compact text of a line JSON.stringify wrote is that line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = JSON.stringify(value);
      expect(compactJson(JSON.stringify(value, null, 4))).toBe(line);
    }),
  );
});

test('the entries of a value are its children, in order', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const value: unknown = JSON.parse(text);
      const span = rootSpan(text);
      const entries = [...jsonEntries(text, span)];
      expect(JSON.parse(text.slice(span.start, span.end))).toEqual(value);
      expect(entries.length).toBe(span.size);
      for (const { key, index, start, end } of entries) {
        if (Array.isArray(value)) expect(JSON.parse(text.slice(start, end))).toEqual(value[index]);
        else expect(Object.hasOwn(value as object, key ?? '')).toBe(true);
      }
    }),
  );
});

test('long values are found in one pass as they are found one by one', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 9 }), (text, least) => {
      const found: JsonSpan[] = [];
      const look = ({ kind, start, end, size }: JsonSpan) => {
        for (const child of jsonEntries(text, { kind, start, end, size })) look(child);
        const isContainer = kind === 'object' || kind === 'array';
        const isKnown = isContainer || kind === 'string';
        if (isKnown && end - start > least) found.push({ kind, start, end, size });
      };
      look(rootSpan(text));
      const keys = new Set(found.map(({ start }) => start));
      // Keys are strings too, which nobody asks for.
      const spans = longSpans(text, least).filter(({ start }) => keys.has(start));
      expect(spans).toEqual(found);
      const known = new Map(spans.map((span) => [span.start, span]));
      expect([...jsonEntries(text, rootSpan(text, known), known)]).toEqual([
        ...jsonEntries(text, rootSpan(text)),
      ]);
    }),
  );
});

test('R-11 E-02: literal numbers, repeated keys and escapes stay as written', () => {
  const text = '{"id":9007199254740993,"a":1.0,"b":1e400,"c":-0,"a":2,"\\u0061":"\\ud800"}';
  expect(
    [...jsonEntries(text, rootSpan(text))].map((e) => [e.key, text.slice(e.start, e.end)]),
  ).toEqual([
    ['id', '9007199254740993'],
    ['a', '1.0'],
    ['b', '1e400'],
    ['c', '-0'],
    ['a', '2'],
    ['a', '"\\ud800"'],
  ]);
  expect(compactJson(prettyJson(text))).toBe(text);
});

test('keys that look like indexes keep their place', () => {
  const text = '{"b":1,"2":2,"1":3}';
  expect([...jsonEntries(text, rootSpan(text))].map((entry) => entry.key)).toEqual(['b', '2', '1']);
});

test('S-14: 100,000 levels of nesting are read without recursion', () => {
  const text = '['.repeat(100_000) + ']'.repeat(100_000);
  const span = rootSpan(text);
  expect(span.end).toBe(200_000);
  expect([...jsonEntries(text, span)]).toHaveLength(1);
});

test('a string says what JSON.parse says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const text = JSON.stringify(value);
      expect(stringAt(text, 0, text.length)).toBe(value);
    }),
  );
});

test('the beginning of a long string parts no escape and no pair, and leaves out no more than it must', () => {
  const units = fc.constantFrom(
    '\\',
    '"',
    '\n',
    '\u001b',
    '\ud83d\ude00',
    '\ud83d',
    '\ude00',
    'é',
    'u',
    'a',
  );
  const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);
  fc.assert(
    fc.property(fc.string({ unit: units }), fc.boolean(), fc.nat(80), (value, isAscii, most) => {
      const plain = JSON.stringify(value);
      const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
      const text = isAscii ? plain.replace(/[\u0080-\uffff]/g, escaped) : plain;
      const said = stringAt(text, 0, text.length, most);
      expect(value.startsWith(said)).toBe(true);
      if (most >= text.length - 2) expect(said).toBe(value);
      else expect(isWhole(said) || !isWhole(value)).toBe(true);
      const taken = [...said].reduce((sum, sign) => sum + JSON.stringify(sign).length - 2, 0);
      if (!isAscii && most < text.length - 2) expect(taken).toBeGreaterThan(most - 12);
    }),
  );
});
