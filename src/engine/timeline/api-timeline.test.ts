import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { FILE, imported, storedEngine } from '../../test/programs/stored-engine.ts';
import { draw } from '../../test/traces/draw.ts';
import { seq } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
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

test('replay windows are told in one call: the last of them, each with the rows it reaches over', async () => {
  const { engine } = await storedEngine();
  const frames = draw(`
    client →1 session/load s1
    agent  update s1 agent_message_chunk "one"
    agent  ←1 result {}
    client →2 session/load s2
    agent  ←2 result {}
    client →3 session/load s3
    agent  update s3 agent_message_chunk "two"
  `);
  const connection = await imported(
    engine,
    FILE + frames.map((event) => `${eventLine({ ...event, seq: seq(event.seq + 3) })}\n`).join(''),
  );
  await engine.timeline.open(connection, '');
  const { rows } = await engine.timeline.rows(connection, 0, 99);
  const placeOf = (seq: number) => rows.findLastIndex((row) => row.seq === seq);
  const windows = await engine.timeline.windows(connection, 2);
  expect(
    windows.map(({ row, from, to }) => [row.type === 'window' && row.window.sessionId, from, to]),
  ).toEqual([
    ['s2', placeOf(7) - 1, placeOf(8)],
    ['s3', placeOf(9) - 1, rows.length - 1],
  ]);
});
