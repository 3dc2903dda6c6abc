import fc from 'fast-check';
import { expect, test } from 'vitest';
import { table } from './markdown.ts';

test('a table has a head, a rule and a row for each', () => {
  expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
});

test('no cell can end its cell or its row', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string())), (rows) => {
      const lines = table(['a', 'b'], rows).split('\n');
      expect(lines).toHaveLength(rows.length + 2);
      for (const line of lines)
        expect(line.replaceAll(/\\[\\|]/g, '').match(/\|/g)).toHaveLength(3);
    }),
  );
});
