import { expect, test } from 'vitest';
import { permissionWords } from './ask-words.ts';

test('S-12 an option that always allows says so, whatever the agent calls it', () => {
  expect(permissionWords({ optionId: 'x', kind: 'allow_always', name: 'Reject' })).toEqual({
    ours: 'Allow always',
    theirs: 'Reject',
  });
});

test('a label that says the same is not repeated, one that says less is', () => {
  const theirs = (kind: string, name: string) =>
    permissionWords({ optionId: 'x', kind, name }).theirs;
  expect(theirs('allow_once', 'Allow once')).toBeUndefined();
  expect(theirs('allow_always', 'Always allow')).toBeUndefined();
  expect(theirs('reject_once', 'Reject')).toBe('Reject');
});

test('a kind of a later version is shown as it is', () => {
  expect(permissionWords({ optionId: 'x', kind: '_defer', name: 'Later' }).ours).toBe(
    'Other (_defer)',
  );
});
