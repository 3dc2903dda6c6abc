import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText, readMarkdown } from './markdown.ts';

const kinds = (text: string) => {
  const read = readMarkdown(text);
  return read.type === 'tokens' ? read.tokens.map((token) => token.type) : read.type;
};

test('Markdown becomes tokens, a lone fenced block becomes code', () => {
  expect(kinds('# A\n\nb **c**')).toEqual(['heading', 'space', 'paragraph']);
  expect(readMarkdown('```js\nx < 1\n```')).toEqual({ type: 'code', text: 'x < 1' });
  expect(kinds('```\na\n```\nand\n```\nb\n```')).toContain('code');
});

test('S-02: HTML is a token with its text, never markup', () => {
  const read = readMarkdown('<script>alert(1)</script>');
  expect(read.type === 'tokens' && read.tokens[0]).toMatchObject({
    type: 'html',
    text: '<script>alert(1)</script>',
  });
});

test('S-08: text made to exhaust the reader is shown plain', () => {
  expect(kinds('>'.repeat(5000))).toBe('plain');
  expect(kinds('> '.repeat(5000))).toBe('plain');
  expect(kinds('_a'.repeat(20_000))).toBe('plain');
  expect(kinds('a\n'.repeat(100_000))).toBe('plain');
});

test('entities are what they stand for, and nothing else is', () => {
  expect(plainText('a &amp;&lt;b&gt; &#65;&#x42; &unknown; &#0; &amp;lt;')).toBe(
    'a &<b> AB &unknown; &#0; &lt;',
  );
});

test('any text is read without a throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[>*_`~\[\]()!#\n -]*$/)),
      (text) => {
        expect(() => readMarkdown(text)).not.toThrow();
      },
    ),
  );
});
