import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutEnd } from './sentence.ts';

test('S-08: what stands at the end is taken away as by a pattern, which looks from each place anew', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('/', '\\', 'a', '.') }), (text) => {
      expect(withoutEnd(text, '/\\')).toBe(text.replace(/[/\\]+$/, ''));
    }),
  );
  // A pattern would take ten thousand million steps for it.
  expect(withoutEnd(`${'.'.repeat(1_000_000)}x`, '.')).toHaveLength(1_000_001);
});
