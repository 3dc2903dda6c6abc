// The steps from each older database to this one: what is there stays, what is new is added.
import { expect, test } from 'vitest';
import { SCHEMA_VERSION, upgrade, type Database } from './schema.ts';

/** The stores that opening a database of this version makes. */
function made(from: number): string[] {
  const names: string[] = [];
  const database = { createObjectStore: (name: string) => void names.push(name) };
  upgrade(database as unknown as Database, from, undefined as never);
  return names;
}

const ALL = ['traces', 'blocks', 'recents', 'drives', 'drafts', 'sent', 'annotations'];

test.each([
  [0, [...ALL, 'runs', 'reports']],
  [1, ['annotations', 'runs', 'reports']],
  [2, ['runs', 'reports']],
  [SCHEMA_VERSION, []],
])('R-38: a database of version %i gains what it lacks', (from, stores) => {
  expect(made(from)).toEqual(stores);
});
