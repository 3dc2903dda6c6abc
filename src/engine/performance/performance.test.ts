import { expect, test } from 'vitest';
import { connectionId, type TraceEvent } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { draw } from '../../test/traces/draw.ts';
import { imported, storedEngine } from '../../test/programs/stored-engine.ts';

const HEADER = headerLine({
  ...{ format: 'acptrace', version: 1, created: '2026-11-21T10:00:00.000Z' },
  ...{ tool: 'acp-scope 0.1.0', clock: 'monotonic' },
});
const fileOf = (events: readonly TraceEvent[]) =>
  [HEADER, ...events.map(eventLine)].map((line) => `${line}\n`).join('');

/** Each turn takes a millisecond more than the one before, and its method is asked that once. */
const turns = (count: number) => {
  const lines: string[] = [];
  for (let turn = 0; turn < count; turn++)
    lines.push(
      `client →${turn} session/prompt {"sessionId":"s","prompt":[{"type":"text","text":"go"}]}`,
      `agent ←${turn} result {"stopReason":"end_turn"}`,
    );
  let at = 0;
  return draw(lines.join('\n')).map((event, place) => {
    at += place % 2 === 0 ? 1 : 1 + place / 2;
    return { ...event, at } as TraceEvent;
  });
};

test('of more turns than the page gets, the slowest are kept in their order, and all are counted', async () => {
  const { engine } = await storedEngine();
  const connection = await imported(engine, fileOf(turns(350)));
  const figures = await engine.performance.figures(connection);
  expect(figures?.counts).toMatchObject({ methods: 1, turns: 350, restores: 0 });
  expect(figures?.turns).toHaveLength(300);
  const took = figures?.turns.map((turn) => turn.took) ?? [];
  expect(took).toEqual(took.toSorted((a, b) => a - b));
  expect(took.at(-1)).toBeGreaterThan(349);
  expect(figures?.turns[0]?.begin).toBe(101);
});

test('the waterfall holds no more spans than the page gets, and says how many there are in its part of the time', async () => {
  const { engine } = await storedEngine();
  const connection = await imported(engine, fileOf(turns(350)));
  const all = await engine.performance.waterfall(connection, { most: 10_000 });
  expect(all?.total).toBe(350);
  expect(all?.spans).toHaveLength(300);
  const part = await engine.performance.waterfall(connection, { from: 0, to: 10, most: 10_000 });
  expect(part?.total).toBeLessThan(10);
  expect(part?.spans).toHaveLength(part?.total ?? 0);
  expect(part?.to).toBe(all?.to);
});

test('a trace that lies in the database alone is read whole for its figures', async () => {
  const { engine, store } = await storedEngine();
  const connection = await imported(engine, fileOf(turns(3)));
  expect((await engine.performance.figures(connection))?.events).toBe(6);
  const { engine: later } = await storedEngine(store);
  const figures = await later.performance.figures(connection);
  expect(figures).toMatchObject({ events: 6, counts: { turns: 3 } });
  expect(figures?.frames).toEqual({ client: 3, agent: 3 });
});

test('of a trace that is not there any more there are no figures and no spans', async () => {
  const { engine } = await storedEngine();
  const gone = connectionId('gone');
  expect(await engine.performance.figures(gone)).toBeUndefined();
  expect(await engine.performance.waterfall(gone, { most: 10 })).toBeUndefined();
});
