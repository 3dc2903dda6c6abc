// The steps from each older database to this one: what is there stays, what is new is added.
import { expect, test } from 'vitest';
import { SCHEMA_VERSION, upgrade, type Database } from './schema.ts';

/** The stores that opening a database of this version makes. */
function made(from: number): string[] {
  const names: string[] = [];
  const database = { createObjectStore: (name: string) => void names.push(name) };
  upgrade(database as unknown as Database, from, holding({}));
  return names;
}

/** A transaction over stores that hold these records; what is written replaces them. */
function holding(records: Readonly<Record<string, unknown[]>>) {
  const cursor = (all: unknown[], at: number): unknown =>
    at < all.length
      ? {
          value: all[at],
          update: (value: unknown) => Promise.resolve(void (all[at] = value)),
          continue: () => Promise.resolve(cursor(all, at + 1)),
        }
      : null;
  const objectStore = (name: string) => ({
    openCursor: () => Promise.resolve(cursor(records[name] ?? [], 0)),
  });
  return { objectStore } as unknown as Parameters<typeof upgrade>[2];
}

test('values that look secret leave an older database, and their names stay', async () => {
  const env = { API_KEY: 'hunter2', NODE_ENV: 'dev', OTHER: 'ghp_abc' };
  const launch = { name: 'a', argv: ['a'], cwd: '/w', env, roots: [] };
  const records = {
    recents: [
      { key: 'k', launch, usedAt: 1 },
      { key: 'l', launch: { ...launch, env: {} } },
    ],
    drives: [{ connection: 'c', launch }],
  };
  const database = { createObjectStore: () => undefined };
  upgrade(database as unknown as Database, 3, holding(records));
  await expect.poll(() => JSON.stringify(records)).not.toMatch(/hunter2|ghp_abc/);
  const kept = { ...launch, env: { NODE_ENV: 'dev' }, withheld: ['API_KEY', 'OTHER'] };
  expect(records.drives).toEqual([{ connection: 'c', launch: kept }]);
  expect(records.recents[0]).toEqual({ key: 'k', launch: kept, usedAt: 1 });
});

const ALL = ['traces', 'blocks', 'recents', 'drives', 'drafts', 'sent', 'annotations'];

test.each([
  [0, [...ALL, 'runs', 'reports', 'indexes']],
  [1, ['annotations', 'runs', 'reports', 'indexes']],
  [2, ['runs', 'reports', 'indexes']],
  [4, ['indexes']],
  [SCHEMA_VERSION, []],
])('R-38: a database of version %i gains what it lacks', (from, stores) => {
  expect(made(from)).toEqual(stores);
});
