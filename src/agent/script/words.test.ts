import fc from 'fast-check';
import { expect, test } from 'vitest';
import { directiveOf, PROMPT_WORDS } from './words.ts';

test.each([
  ['Please mend the greeting', { kind: 'code' }],
  ['/quick', { kind: 'quick' }],
  ['Be slow, please', { kind: 'slow' }],
  ['ask me', { kind: 'ask' }],
  ['I ask you to mend it', { kind: 'code' }],
  ['run 2000', { kind: 'run', chunks: 2000, perSecond: undefined }],
  ['run 2000 at 500', { kind: 'run', chunks: 2000, perSecond: 500 }],
  ['/run 5', { kind: 'run', chunks: 5, perSecond: undefined }],
  ['run 999999999', { kind: 'run', chunks: 1_000_000, perSecond: undefined }],
  ['run the tests', { kind: 'code' }],
  ['Reply with the single word PROBE-1. Do not use tools.', { kind: 'reply', word: 'PROBE-1' }],
  ['Which PROBE word did you say before?', { kind: 'recall' }],
  ['what did I ask first?', { kind: 'recall' }],
])('“%s” is read as %j', (prompt, directive) => {
  expect(directiveOf(prompt)).toEqual(directive);
});

test('each word of the help does something of its own', () => {
  const read = PROMPT_WORDS.map(({ word }) => directiveOf(word.replace(/\b[NR]\b/g, '3')));
  expect(new Set(read.map((directive) => JSON.stringify(directive))).size).toBe(read.length);
  expect(read.map(({ kind }) => kind)).not.toContain('code');
});

test('any prompt is read', () => {
  fc.assert(
    fc.property(fc.string(), (prompt) => {
      expect(directiveOf(prompt).kind).not.toBe('');
    }),
  );
});
