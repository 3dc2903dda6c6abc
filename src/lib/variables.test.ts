import { expect, test } from 'vitest';
import { leadingVariables, variableOf } from './variables.ts';

test('variables end where the program begins', () => {
  expect(leadingVariables(['A=1', 'B_2=x=y', 'node', 'C=3'])).toEqual({
    env: { A: '1', B_2: 'x=y' },
    argv: ['node', 'C=3'],
  });
  expect(leadingVariables(['node'])).toEqual({ env: {}, argv: ['node'] });
  expect(leadingVariables(['A='])).toEqual({ env: { A: '' }, argv: [] });
});

test.each(['node', './A=b', '--x=y', '=x', '1A=x', 'a b=c', ''])('%j is no variable', (word) => {
  expect(variableOf(word)).toBeUndefined();
});
