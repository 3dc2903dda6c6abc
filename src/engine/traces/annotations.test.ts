import { describe, expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { draw } from '../../test/draw.ts';
import type { Annotation } from '../../trace/annotation.ts';
import { seq, type ConnectionId } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { startEngine } from '../engine.ts';
import type { EngineApi } from '../api.ts';
import type { EngineNotice } from '../messages.ts';
import { nodeFinder } from '../../cli/parts/node-finder.ts';

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
const MARK: Annotation = { kind: 'mark', target: seq(2), label: 'look' };
const SET_ASIDE: Annotation = { kind: 'suppress', rule: 'INIT-01', reason: 'known' };

async function page(store = new MemoryStore(undefined)) {
  const notices: EngineNotice[] = [];
  const engine = await startEngine({
    tell: (notice) => notices.push(notice),
    openStore: () => Promise.resolve(store),
    finder: nodeFinder,
    makeLink: () => ({ enter: () => undefined, wake: () => undefined, command: () => undefined }),
  });
  return { engine, notices, store };
}
async function open(engine: EngineApi, text = FILE): Promise<ConnectionId> {
  const imported = await engine.library.importFile(
    new File([encodeUtf8(text)], 'a.acptrace.jsonl'),
  );
  if (!imported.ok) throw new Error(imported.message);
  await engine.timeline.open(imported.connection, '');
  return imported.connection;
}
const saved = async (engine: EngineApi, connection: ConnectionId) =>
  (await engine.library.exportFile(connection)).blob.text();
const marksShown = async (engine: EngineApi, connection: ConnectionId) =>
  (await engine.timeline.rows(connection, 0, 99)).rows.map(
    (row) => row.type === 'frame' && row.mark,
  );

describe('marks and suppressions', () => {
  test('stand behind the trace in the file it is saved to, and come back from there', async () => {
    const { engine } = await page();
    const one = await open(engine);
    await engine.traces.annotate(one, MARK);
    await engine.traces.annotate(one, SET_ASIDE);
    const text = await saved(engine, one);
    expect(text).toBe(
      FILE +
        '{"type":"mark","seq":4,"at":2,"target":2,"label":"look"}\n' +
        '{"type":"suppress","seq":5,"at":2,"rule":"INIT-01","reason":"known"}\n',
    );
    const other = await open(engine, text);
    expect(await engine.traces.annotations(other)).toEqual([MARK, SET_ASIDE]);
    expect((await marksShown(engine, other)).slice(0, 3)).toEqual([undefined, 'look', undefined]);
    expect(await saved(engine, other)).toBe(text);
    await engine.traces.unannotate(other, MARK);
    const again = await open(engine, await saved(engine, other));
    expect(await engine.traces.annotations(again)).toEqual([SET_ASIDE]);
  });

  test('a trace without them, or with all taken back, is saved byte for byte', async () => {
    const { engine } = await page();
    const connection = await open(engine);
    expect(await saved(engine, connection)).toBe(FILE);
    await engine.traces.annotate(connection, MARK);
    await engine.traces.unannotate(connection, MARK);
    expect(await saved(engine, connection)).toBe(FILE);
  });

  test('a file whose last line is cut keeps that line, and its number, before them', async () => {
    const { engine } = await page();
    const connection = await open(engine, `${FILE}{"type":"fra`);
    await engine.traces.annotate(connection, MARK);
    const text = await saved(engine, connection);
    expect(text).toBe(
      `${FILE}{"type":"fra\n{"type":"mark","seq":5,"at":2,"target":2,"label":"look"}\n`,
    );
    expect(await engine.traces.annotations(await open(engine, text))).toEqual([MARK]);
  });

  test('are there after a reload, and are shown by the rows and by is:marked', async () => {
    const { engine, store, notices } = await page();
    const connection = await open(engine);
    await engine.timeline.setQuery(connection, 'is:marked');
    await engine.traces.annotate(connection, MARK);
    expect(await marksShown(engine, connection)).toEqual(['look']);
    expect(notices).toContainEqual({ type: 'annotated', connection });
    const next = (await page(store)).engine;
    expect(await saved(next, connection)).toContain('"target":2');
    await next.timeline.open(connection, 'is:marked');
    expect(await marksShown(next, connection)).toEqual(['look']);
    await next.traces.unannotate(connection, MARK);
    expect(await marksShown(next, connection)).toEqual([]);
  });
});
