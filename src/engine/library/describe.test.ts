import { expect, test } from 'vitest';
import { MemoryStore } from '../../storage/memory-store.ts';
import { imported, storedEngine } from '../../test/programs/stored-engine.ts';

/** What the page was told of its traces last. */
async function told({ notices }: Awaited<ReturnType<typeof storedEngine>>) {
  await expect.poll(() => notices.findLast(({ type }) => type === 'traces')).toBeDefined();
  const last = notices.findLast((notice) => notice.type === 'traces');
  return last?.traces[0];
}

test('name, tags and note are kept with the trace, and taken away where they are empty', async () => {
  const store = new MemoryStore(undefined);
  const first = await storedEngine(store);
  const connection = await imported(first.engine);
  await first.engine.library.describe(connection, { tags: ['keep'], note: 'a\nb' });
  await first.engine.library.describe(connection, { name: 'Renamed' });
  await expect
    .poll(() => told(first))
    .toMatchObject({
      ...{ name: 'Renamed', tags: ['keep'], note: 'a\nb' },
    });

  const again = await storedEngine(store);
  await again.engine.library.describe(connection, { tags: [], note: '' });
  const stored = await store.traces();
  expect(stored).toMatchObject({ ok: true, value: [{ name: 'Renamed' }] });
  expect(stored.ok && stored.value[0]).not.toHaveProperty('tags');
  expect(stored.ok && stored.value[0]).not.toHaveProperty('note');
});

test('several traces go at once, and come back', async () => {
  const made = await storedEngine();
  const all = [await imported(made.engine), await imported(made.engine)];
  const listed = () => {
    const last = made.notices.findLast((notice) => notice.type === 'traces');
    return last?.traces.length;
  };
  await expect.poll(listed).toBe(2);
  await made.engine.library.remove(all);
  await expect.poll(listed).toBe(0);
  await made.engine.library.putBack(all);
  await expect.poll(listed).toBe(2);
});
