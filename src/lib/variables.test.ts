import { expect, test } from 'vitest';
import { leadingVariables, looksSecret, variableOf } from './variables.ts';

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

test.each([
  ['OPENAI_API_KEY', 'x'],
  ['GITHUB_TOKEN', 'x'],
  ['db_password', 'x'],
  ['ANYTHING', 'sk-ant-x'],
  ['ANYTHING', 'ghp_x'],
])('%s=%s looks secret', (name, value) => {
  expect(looksSecret({ name, value })).toBe(true);
});

test.each(['GIT_ASKPASS', 'TOKEN_FILE', 'NODE_OPTIONS', 'HOME', 'PWD', 'SSH_AUTH_SOCK', 'PATH'])(
  '%s decides what runs or says where it is, and is shown',
  (name) => {
    expect(looksSecret({ name, value: '/x' })).toBe(false);
  },
);
