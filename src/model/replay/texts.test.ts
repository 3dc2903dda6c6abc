import { describe, expect, test } from 'vitest';
import { likeness, relationOf } from './texts.ts';

describe('a text against what was said live', () => {
  test.each([
    ['a b', 'a b', 'identical'],
    ['a  b\n', 'a b', 'same'],
    ['The tool said: hi (end)', 'The tool said', 'shorter'],
    ['The tool said: hi (end)', 'hi (end)', 'shorter'],
    ['The tool said: hi (end)', 'The tool … [truncated, 20 more]', 'shorter'],
    ['one two three four', 'one three four', 'shorter'],
    ['one two three four', 'one three', 'shorter'],
    ['A warning. I will use the shell tool', 'will use the sh', 'shorter'],
    ['will use the sh', 'A warning. I will use the shell tool', 'longer'],
    ['It took 12 s', 'ok 1', 'other'],
    ['failed', 'completed', 'other'],
    ['hello', 'hello [Function Call: read]', 'longer'],
    ['', 'something', 'longer'],
    ['something', '', 'shorter'],
  ] as const)('%j, replayed %j, is %s', (live, replayed, relation) => {
    expect(relationOf(live, replayed)).toBe(relation);
  });

  test('words count for likeness, wherever they stand', () => {
    expect(likeness('a b c d', 'd c b a')).toBe(1);
    expect(likeness('a b c d', 'a b x y')).toBe(0.5);
    expect(likeness('', 'a')).toBe(0);
  });
});
