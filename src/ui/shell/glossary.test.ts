import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GLOSSARY } from './glossary.ts';

test('the glossary has twelve terms, and the docs say of each what the page says', () => {
  const page = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8');
  const inDocs = [...page.matchAll(/^- \*\*(.+)\.\*\* (.+)$/gm)].map(([, ...said]) => said);
  expect(inDocs).toEqual(GLOSSARY);
  expect(GLOSSARY).toHaveLength(12);
});
