import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../acp/message.ts';
import { fill, fillText, literal, literalText } from './names.ts';

const NAMES = new Map<string, Json>([
  ['$cwd', '/w'],
  ['$n', 1],
]);
const texts = fc
  .array(fc.constantFrom('$', '$', '{cwd}', '{n}', '{nope}', 'cwd', 'n', '/x', ' '))
  .map((parts) => parts.join(''));

test('whatever was recorded is sent as it was, though it looks like a name', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(fillText(literalText(text), NAMES)).toBe(text);
      expect(fill(literal({ a: [text] }), NAMES)).toEqual({ a: [text] });
    }),
  );
});
