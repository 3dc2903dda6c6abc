import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineTokens } from './line-tokens.ts';

test('the tokens of a line are the line', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (line) => {
      expect(
        lineTokens(line)
          .map(({ text }) => text)
          .join(''),
      ).toBe(line);
    }),
  );
});

test('the cursor is marked from its key to the end of its value', () => {
  const line = '{"id":7,"params":{"cwd":"/","replayFrom":{"type":"_m","messageId":"x"}}}';
  const marked = lineTokens(line).flatMap(({ text, cursor }) => (cursor ? [text] : []));
  expect(marked.join('')).toBe('"replayFrom":{"type":"_m","messageId":"x"}');
});

test('each token has its kind; a string before a colon is a key', () => {
  const kinds = lineTokens('{"a" : ["b",-1.5e3, true]}').map(({ text, kind }) => [text, kind]);
  expect(kinds.filter(([, kind]) => kind !== 'punctuation')).toEqual([
    ['"a"', 'key'],
    ['"b"', 'string'],
    ['-1.5e3', 'number'],
    ['true', 'word'],
  ]);
});
