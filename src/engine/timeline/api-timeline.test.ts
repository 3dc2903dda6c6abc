import { expect, test } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { draw } from '../../test/draw.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { startEngine } from '../engine.ts';

const HEADER = headerLine({
  ...{ format: 'acptrace', version: 1, created: '2026-11-21T10:00:00.000Z' },
  ...{ tool: 'acp-scope 0.1.0', clock: 'monotonic' },
});
const FILE = [
  HEADER,
  ...draw('start agent\nclient →0 initialize {}\nagent ←0 result {}').map(eventLine),
]
  .map((line) => `${line}\n`)
  .join('');

const page = (store: MemoryStore) =>
  startEngine({
    tell: () => undefined,
    openStore: () => Promise.resolve(store),
    finder: nodeFinder,
    makeLink: () => ({ enter: () => undefined, wake: () => undefined, command: () => undefined }),
  });

test('a query typed while its trace is still opened holds, also when the trace was opened with another', async () => {
  const store = new MemoryStore(undefined);
  const before = await page(store);
  const file = new File([encodeUtf8(FILE)], 'a.acptrace.jsonl');
  const imported = await before.library.importFile(file);
  if (!imported.ok) throw new Error(imported.message);
  const { connection } = imported;

  const engine = await page(store);
  const opened = engine.timeline.open(connection, '');
  const asked = engine.timeline.setQuery(connection, 'type:res');
  await Promise.all([opened, asked]);
  const { rows } = await engine.timeline.rows(connection, 0, 99);
  expect(rows.map((row) => row.type === 'frame' && row.seq)).toEqual([3]);
});
