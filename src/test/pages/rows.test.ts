// docs/threat-model.md, docs/reliability.md and SECURITY.md say no more than tests prove.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsIn, provenRows, ROOT, rowsOf } from './rows.ts';

const PAGES = ['docs/threat-model.md', 'docs/reliability.md'];
const rows = PAGES.flatMap(rowsOf);
const proven = provenRows();

test('every row has a test that bears its id', () => {
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter(({ id }) => !proven.has(id)).map(({ id }) => id)).toEqual([]);
});

test('what a row links to proves that row, and each row links to something', () => {
  for (const { id, links } of rows) {
    expect([id, links.filter((file) => proven.get(id)?.has(file) !== true)]).toEqual([id, []]);
    expect([id, links.length > 0]).toEqual([id, true]);
  }
});

test('every id in the name of a test is a row that can be looked up, once', () => {
  const known = rows.map(({ id }) => id);
  expect(known).toEqual([...new Set(known)]);
  expect([...proven.keys()].filter((id) => !known.includes(id))).toEqual([]);
});

test('SECURITY.md promises only what a test proves', () => {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
  const promises = text.split(/^(?=\d+\. )/m).slice(1);
  expect(promises.length).toBeGreaterThan(5);
  for (const promise of promises) {
    const named = idsIn(promise);
    expect([promise.slice(0, 40), named.length > 0]).toEqual([promise.slice(0, 40), true]);
    expect(named.filter((id) => !proven.has(id))).toEqual([]);
  }
});
