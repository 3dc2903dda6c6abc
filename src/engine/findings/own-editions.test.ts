import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EditionId } from '../../acp/editions/edition.ts';
import { BASE, EDITION_IDS, isBuiltIn, removeEdition } from '../../acp/editions/editions.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { forgetEdition, openEdition, recallEditions } from './own-editions.ts';

const BUILT_IN = { ...BASE };
let store: MemoryStore;
beforeEach(() => (store = new MemoryStore(undefined)));

/** As a page that is closed: what it opened is in its store alone. */
function forgetAll(): void {
  for (const id of EDITION_IDS.toReversed()) if (!isBuiltIn(id)) removeEdition(id);
}
afterEach(forgetAll);

const documentOf = (id: string) =>
  JSON.stringify({
    ...{ format: 'acp-edition', formatVersion: 1, id, version: Number(id[1]), words: id },
    ...{ date: '2027-01-01', source: 'x', on: id.startsWith('v1') ? 'v1-2026-11' : 'v2-2026-11' },
  });

test('the edition of each version that was opened last is in force, also after a reload', async () => {
  for (const id of ['v1-one', 'v1-two', 'v2-one']) await openEdition(store, documentOf(id));
  expect(BASE).toEqual({ 1: 'v1-two', 2: 'v2-one' });
  await openEdition(store, documentOf('v1-one'));
  expect(BASE).toEqual({ 1: 'v1-one', 2: 'v2-one' });
  forgetAll();
  expect(BASE).toEqual(BUILT_IN);
  expect(await recallEditions(store)).toEqual([]);
  expect(BASE).toEqual({ 1: 'v1-one', 2: 'v2-one' });
});

test('what is forgotten leaves the edition in force that was opened before, and at last the built-in one', async () => {
  for (const id of ['v1-one', 'v1-two', 'v1-three']) await openEdition(store, documentOf(id));
  await forgetEdition(store, 'v1-one' as EditionId);
  expect(BASE[1]).toBe('v1-three');
  await forgetEdition(store, 'v1-three' as EditionId);
  expect(BASE[1]).toBe('v1-two');
  await forgetEdition(store, 'v1-two' as EditionId);
  expect(BASE).toEqual(BUILT_IN);
});
