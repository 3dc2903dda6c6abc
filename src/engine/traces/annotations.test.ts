import { describe, expect, test } from 'vitest';
import { FILE, imported, storedEngine } from '../../test/programs/stored-engine.ts';
import type { Annotation } from '../../trace/annotation.ts';
import { seq, type ConnectionId } from '../../trace/event.ts';
import type { EngineApi } from '../api.ts';

const MARK: Annotation = { kind: 'mark', target: seq(2), label: 'look' };
const SET_ASIDE: Annotation = { kind: 'suppress', rule: 'INIT-01', reason: 'known' };

async function open(engine: EngineApi, text = FILE): Promise<ConnectionId> {
  const connection = await imported(engine, text);
  await engine.timeline.open(connection, '');
  return connection;
}
const saved = async (engine: EngineApi, connection: ConnectionId) =>
  (await engine.library.exportFile(connection)).blob.text();
const marksShown = async (engine: EngineApi, connection: ConnectionId) =>
  (await engine.timeline.rows(connection, 0, 99)).rows.map(
    (row) => row.type === 'frame' && row.mark,
  );

describe('marks and suppressions', () => {
  test('stand behind the trace in the file it is saved to, and come back from there', async () => {
    const { engine } = await storedEngine();
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
    const { engine } = await storedEngine();
    const connection = await open(engine);
    expect(await saved(engine, connection)).toBe(FILE);
    await engine.traces.annotate(connection, MARK);
    await engine.traces.unannotate(connection, MARK);
    expect(await saved(engine, connection)).toBe(FILE);
  });

  test('a file whose last line is cut keeps that line, and its number, before them', async () => {
    const { engine } = await storedEngine();
    const connection = await open(engine, `${FILE}{"type":"fra`);
    await engine.traces.annotate(connection, MARK);
    const text = await saved(engine, connection);
    expect(text).toBe(
      `${FILE}{"type":"fra\n{"type":"mark","seq":5,"at":2,"target":2,"label":"look"}\n`,
    );
    expect(await engine.traces.annotations(await open(engine, text))).toEqual([MARK]);
  });

  test('are there after a reload, and are shown by the rows and by is:marked', async () => {
    const { engine, store, notices } = await storedEngine();
    const connection = await open(engine);
    await engine.timeline.setQuery(connection, 'is:marked');
    await engine.traces.annotate(connection, MARK);
    expect(await marksShown(engine, connection)).toEqual(['look']);
    expect(notices).toContainEqual({ type: 'annotated', connection });
    const next = (await storedEngine(store)).engine;
    expect(await saved(next, connection)).toContain('"target":2');
    await next.timeline.open(connection, 'is:marked');
    expect(await marksShown(next, connection)).toEqual(['look']);
    await next.traces.unannotate(connection, MARK);
    expect(await marksShown(next, connection)).toEqual([]);
  });
});
