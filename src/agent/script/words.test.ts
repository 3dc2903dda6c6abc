import fc from 'fast-check';
import { expect, test } from 'vitest';
import { directiveOf, PROMPT_WORDS } from './words.ts';

test.each([
  ['Please mend the greeting', { kind: 'code' }],
  ['/quick', { kind: 'quick' }],
  ['Be slow, please', { kind: 'slow' }],
  ['ask me', { kind: 'ask' }],
  ['I ask you to mend it', { kind: 'code' }],
  ['run 2000', { kind: 'run', chunks: 2000 }],
  ['/run 5', { kind: 'run', chunks: 5 }],
  ['run 999999999', { kind: 'run', chunks: 1_000_000 }],
  ['run the tests', { kind: 'code' }],
  ['Reply with the single word PROBE-1. Do not use tools.', { kind: 'reply', word: 'PROBE-1' }],
  ['Which PROBE word did you say before?', { kind: 'recall' }],
  ['what did I ask first?', { kind: 'recall' }],
])('“%s” is read as %j', (prompt, directive) => {
  expect(directiveOf(prompt)).toEqual(directive);
});

test('each word of the help does something of its own', () => {
  const kinds = PROMPT_WORDS.map(({ word }) => directiveOf(word.replace('N', '3')).kind);
  expect(new Set(kinds).size).toBe(PROMPT_WORDS.length);
  expect(kinds).not.toContain('code');
});

test('any prompt is read', () => {
  fc.assert(fc.property(fc.string(), (prompt) => directiveOf(prompt).kind.length > 0));
});
