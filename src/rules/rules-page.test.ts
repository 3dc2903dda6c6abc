import { expect, test } from 'vitest';
import { rulesPage, untitled } from '../test/pages/rules-page.ts';

test('docs/rules.md says what the registry holds (npm run unit -- -u writes it)', async () => {
  await expect(rulesPage()).toMatchFileSnapshot('../../docs/rules.md');
});

test('every family has a heading there', () => {
  expect(untitled()).toEqual([]);
});
