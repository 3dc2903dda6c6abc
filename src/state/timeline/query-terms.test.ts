import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  heldQuery,
  pathTerm,
  queryOf,
  restingIn,
  spansOf,
  termsOf,
  termValue,
  tokensOf,
  withoutSpan,
  withoutTerm,
  withSessionless,
  withSpan,
  termWords,
} from './query-terms.ts';

const texts = (query: string) => termsOf(query).map((term) => term.text);

test('terms are cut at spaces, but not in quotes, brackets and regular expressions', () => {
  expect(texts('  is:replay  -update:usage_update ')).toEqual([
    'is:replay',
    '-update:usage_update',
  ]);
  expect(texts('"two words" text:"a | b" x')).toEqual(['"two words"', 'text:"a | b"', 'x']);
  expect(texts('a | b  c|d | (e f) $.x exists | y -z')).toEqual([
    'a | b',
    'c|d | (e f)',
    '$.x exists | y',
    '-z',
  ]);
  expect(texts('(is:late | is:replay) text:/a b/ y')).toEqual([
    '(is:late | is:replay)',
    'text:/a b/',
    'y',
  ]);
  expect(texts('method:session/new z')).toEqual(['method:session/new', 'z']);
});

test('every term says where it stands, whatever is typed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(' ', '"', '\\', '/', ':', '(', ')', 'a') }),
      (q) => {
        let end = 0;
        for (const { text, from, to } of termsOf(q)) {
          expect(q.slice(from, to)).toBe(text);
          expect(q.slice(end, from).trim()).toBe('');
          end = to;
        }
        expect(q.slice(end).trim()).toBe('');
      },
    ),
  );
});

test('a term is taken out wherever it stands', () => {
  expect(withoutTerm('a -b:c d -b:c', '-b:c')).toBe('a d');
});

test('a term that rests keeps its place, and is not asked for', () => {
  const tokens = tokensOf('a b|c d', []).with(1, { text: 'b|c', rests: true });
  expect(queryOf(tokens)).toBe('a d');
  expect(tokensOf(queryOf(tokens), restingIn(tokens))).toEqual(tokens);
});

test('a term is read in words, and no sign of it is lost', () => {
  expect(termWords('-(kind:edit | latency>5)').map(({ text, tone }) => `${tone} ${text}`)).toEqual([
    'field -',
    'join (',
    'field kind:',
    'value edit',
    'value  ',
    'join |',
    'value  ',
    'field latency',
    'value >5',
    'join )',
  ]);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(' ', '"', '|', '(', ')', ':', 'a') }), (q) => {
      for (const { text } of termsOf(q))
        expect(
          termWords(text)
            .map((word) => word.text)
            .join(''),
        ).toBe(text);
    }),
  );
});

test('of a broken query it is told which one holds', () => {
  const parts = [{ source: 'a' }, { source: 'b | c' }];
  expect(heldQuery({ query: ' a  b | c', parts })).toBeUndefined();
  expect(heldQuery({ query: 'a b | c latencyy>5', parts })).toBe('a b | c');
});

test('a value of the message becomes the term that finds it, as text, number or word', () => {
  expect(pathTerm('$.a', '"done"')).toBe('$.a=done');
  expect(pathTerm('$.a', '"two words"')).toBe('$.a="two words"');
  expect(pathTerm('$.a', '"12"')).toBe('$.a="12"');
  expect(pathTerm('$.a', '12')).toBe('$.a=12');
  expect(pathTerm('$.a', 'null')).toBe('$.a=null');
  expect(pathTerm('$.a', String.raw`"a \"b\""`)).toBe('$.a~/^a "b"$/');
});

test('a value that would be read otherwise is quoted', () => {
  expect(termValue('session/new')).toBe('session/new');
  expect(termValue('/tmp')).toBe('"/tmp"');
  expect(termValue('a b')).toBe('"a b"');
});

test('a span of time takes the place of the one before', () => {
  const one = withSpan('is:replay', { from: 1400, to: 2300 });
  expect(one).toBe('is:replay time:1.4..2.3');
  expect(withSpan(one, { from: 0, to: 1000 })).toBe('is:replay time:0..1');
  expect(withSpan('', { from: 0, to: 1000 })).toBe('time:0..1');
  expect(withoutSpan(one)).toBe('is:replay');
  expect(spansOf('x time:1.4..2.3,5..')).toEqual([
    { from: 1400, to: 2300 },
    { from: 5000, to: Infinity },
  ]);
});

test('what names no session is let through beside the sessions asked for', () => {
  expect(withSessionless('x session:S1 -session:S2')).toBe('x session:S1,none -session:S2');
  expect(withSessionless('session:S1 | x')).toBe('session:S1 | x');
});
