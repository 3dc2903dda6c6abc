import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { imported, storedEngine } from '../../test/programs/stored-engine.ts';
import { seq } from '../../trace/event.ts';
import { lineBytes } from '../../trace/line.ts';

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

test('the digest of a frame is that of its line', async () => {
  const { engine } = await storedEngine();
  const connection = await imported(engine);
  const line = (await engine.timeline.frame(connection, seq(2)))?.line ?? { text: '' };
  const digest = createHash('sha256').update(lineBytes(line)).digest('hex');
  expect(await engine.timeline.sha256(connection, seq(2))).toBe(digest);
});
