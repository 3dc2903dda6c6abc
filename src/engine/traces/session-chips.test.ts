import { beforeEach, expect, test, vi } from 'vitest';
import { MemoryStore } from '../../storage/memory-store.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { Catalog } from '../library/catalog.ts';
import { SessionChips } from './session-chips.ts';

const ignore = () => undefined;
const id = (name: string) => name as ConnectionId;
let store: MemoryStore;
let catalog: Catalog;
let chips: SessionChips;

/** The page as it is after a reload: what is stored, and nothing else. */
async function reload(): Promise<void> {
  // No page ends within a turn: what was given in it is stored at its end.
  await Promise.resolve();
  catalog = new Catalog(store, { changed: ignore, purged: ignore, problem: ignore });
  await catalog.load();
  chips = new SessionChips(catalog);
}
beforeEach(async () => {
  store = new MemoryStore(undefined);
  await reload();
});

async function trace(name: string, mode: 'drive' | 'file' = 'drive', run?: string) {
  const connection = id(name);
  const startedAt = '2026-11-22T10:00:00.000Z';
  await catalog.add({ connection, name, mode, startedAt, header: new Uint8Array() });
  if (run !== undefined) await catalog.join(connection, { id: run, title: run, label: 'x' });
  return chips.of(connection);
}

test('a chip is given once: it is the same after a reload, in whatever order traces are opened', async () => {
  const first = await trace('c1');
  const second = await trace('c2');
  expect([first('a'), second('b'), second('a'), first('child', 'S1')]).toEqual([
    ...['S1', 'S2', 'S1', 'S1.1'],
  ]);
  await reload();
  expect([chips.of(id('c2'))('b'), chips.of(id('c1'))('a')]).toEqual(['S2', 'S1']);
  expect([chips.of(id('c2'))('new'), chips.of(id('c1'))('other', 'S1')]).toEqual(['S3', 'S1.2']);
});

test('of thousands of sessions read in one turn the chips are stored once', async () => {
  const many = await trace('c1');
  const patches = vi.spyOn(store, 'patchTrace');
  for (let i = 1; i <= 3000; i++) many(`child-${i}`);
  await reload();
  expect(patches).toHaveBeenCalledTimes(1);
  expect(chips.of(id('c1'))('child-2999')).toBe('S2999');
});

test('sessions of test runs use up no numbers, and the session they are about keeps its own', async () => {
  const mine = await trace('c1');
  expect(mine('a')).toBe('S1');
  for (const name of ['l1', 'l2', 'l3']) {
    const lab = await trace(name, 'drive', 'lab');
    expect(lab('a')).toBe('S1');
    lab(`of ${name}`);
  }
  expect(mine('b')).toBe('S2');
  await reload();
  expect(chips.of(id('l2'))('of l1')).toBe('S2');
  expect(chips.of(id('c1'))('c')).toBe('S3');
});

test('a session that stands in an opened file alone is counted within it', async () => {
  const live = await trace('c1');
  expect([live('a'), live('b')]).toEqual(['S1', 'S2']);
  const file = await trace('f', 'file');
  expect([file('foreign'), file('b'), file('a')]).toEqual(['S1', 'S2', 'S3']);
  expect(live('c')).toBe('S3');
  const other = await trace('g', 'file');
  expect(other('foreign')).toBe('S1');
});
