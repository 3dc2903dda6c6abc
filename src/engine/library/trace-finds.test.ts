import { expect, test } from 'vitest';
import { eventLine, headerLine } from '../../trace/format.ts';
import { draw } from '../../test/traces/draw.ts';
import { FILE, imported, storedEngine } from '../../test/programs/stored-engine.ts';

const HEADER = headerLine({
  ...{ format: 'acptrace', version: 1, created: '2026-11-21T10:00:00.000Z' },
  ...{ tool: 'acp-scope 0.1.0', clock: 'monotonic' },
});
const NOTES = [
  HEADER,
  ...draw(
    Array.from({ length: 8 }, (_, at) => `agent _note {"text":"parrot ${at}"}`).join('\n'),
  ).map(eventLine),
]
  .map((line) => `${line}\n`)
  .join('');

test('a trace says how many of its frames match, and the first of them', async () => {
  const { engine } = await storedEngine();
  const plain = await imported(engine);
  const notes = await imported(engine, NOTES);
  expect(await engine.finds.find(plain, 'parrot')).toEqual({ count: 0, first: [] });
  const found = await engine.finds.find(notes, 'text:parrot');
  expect(found).toMatchObject({
    count: 8,
    first: [{ seq: 1, method: '_note', from: 'agent' }, {}, {}, {}, {}],
  });
  expect(await engine.finds.find(plain, 'method:initialize type:req')).toMatchObject({ count: 1 });
});

test('it is asked of what lies in the database alone, and is let go of again', async () => {
  const { engine, store } = await storedEngine();
  const connection = await imported(engine, NOTES);
  const { engine: other } = await storedEngine(store);
  expect(await other.finds.find(connection, 'parrot')).toMatchObject({ count: 8 });
  expect(await other.finds.find(connection, 'parrot')).toMatchObject({ count: 8 });
});

test('what is asked of findings is asked of traces that nobody looked at, which are checked for it', async () => {
  const { engine, store } = await storedEngine();
  const broken = draw('client →0 initialize {"protocolVersion":1}\nagent raw {not json');
  const text = [HEADER, ...broken.map(eventLine)].map((line) => `${line}\n`).join('');
  const connection = await imported(engine, text);
  const { engine: other } = await storedEngine(store);
  const found = await other.finds.find(connection, 'finding:frame/not-json');
  expect(found).toMatchObject({ count: 1, first: [{ seq: 2 }] });
  expect(await other.findings.all(connection)).toBeUndefined();
  expect(await other.finds.find(connection, 'finding:wire')).toMatchObject({ count: 0 });
  expect(await other.finds.find(connection, 'sev:error')).toMatchObject({ count: 1 });
});

test('a broken query is told in a sentence', async () => {
  const { engine } = await storedEngine();
  const connection = await imported(engine, FILE);
  expect(await engine.finds.find(connection, '(')).toHaveProperty('broken');
});

test('the one before ends where another is asked, or nobody waits', async () => {
  const { engine } = await storedEngine();
  const connection = await imported(engine, NOTES);
  const [first, second] = [
    engine.finds.find(connection, 'parrot'),
    engine.finds.find(connection, '"parrot 3"'),
  ];
  expect(await first).toBeUndefined();
  expect(await second).toMatchObject({ count: 1, first: [{ seq: 4 }] });
  const third = engine.finds.find(connection, 'parrot');
  await engine.finds.end();
  expect(await third).toBeUndefined();
  expect(await engine.finds.find(connection, 'parrot')).toMatchObject({ count: 8 });
});
