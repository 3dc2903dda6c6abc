import { expect, test } from 'vitest';
import { permissionWords } from './ask-words.ts';

test('S-12 an option that always allows says so, whatever the agent calls it', () => {
  expect(permissionWords({ optionId: 'x', kind: 'allow_always', name: 'Reject' })).toEqual({
    ours: 'Allow always',
    theirs: 'Reject',
  });
});

test('a label that says the same is not repeated', () => {
  expect(
    permissionWords({ optionId: 'x', kind: 'allow_once', name: 'Allow once' }).theirs,
  ).toBeUndefined();
});

test('a kind of a later version is shown as it is', () => {
  expect(permissionWords({ optionId: 'x', kind: '_defer', name: 'Later' }).ours).toBe(
    'Other (_defer)',
  );
});
