import { expect, test } from 'vitest';
import { imported, storedEngine } from '../../test/programs/stored-engine.ts';

test('a query typed while its trace is still opened holds, also when the trace was opened with another', async () => {
  const { engine: before, store } = await storedEngine();
  const connection = await imported(before);

  const { engine } = await storedEngine(store);
  const opened = engine.timeline.open(connection, '');
  const asked = engine.timeline.setQuery(connection, 'type:res');
  await Promise.all([opened, asked]);
  const { rows } = await engine.timeline.rows(connection, 0, 99);
  expect(rows.map((row) => row.type === 'frame' && row.seq)).toEqual([3]);
});
