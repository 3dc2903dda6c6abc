import { expect, test } from 'vitest';
import type { Millis } from '../../lib/time.ts';
import type { FrameRow, WindowRow } from '../../model/timeline/row-view.ts';
import { seq } from '../../trace/event.ts';
import { columnsOf, rowName, swapTimes, withShown, withWidth } from './columns.ts';
import { aroundStatus, cursorWords, latencyBar } from './row-words.ts';

const row: FrameRow = {
  type: 'frame',
  key: 'f412',
  seq: seq(412),
  at: 0 as Millis,
  from: 'agent',
  kind: 'ntf',
  origin: 'peer',
  method: 'tool_call_update',
  isUpdate: true,
  summary: 'read config.json · completed',
  inRun: false,
  replay: true,
  session: 'S1',
  tapes: [],
  late: false,
  pins: [],
  size: 1118,
};

test('a row has one name that says what its columns and marks say', () => {
  expect(rowName(row)).toBe(
    '412, replay, agent to client, tool_call_update, read config.json · completed, session 1, 1.1 kB',
  );
  expect(rowName({ ...row, late: true, run: { count: 3, last: seq(414), open: false } })).toContain(
    '412 to 414, late,',
  );
  const { session: _, ...stderr } = row;
  expect(
    rowName({ ...stderr, kind: 'std', method: 'stderr', summary: 'x', replay: false, size: 0 }),
  ).toBe('412, agent to client, stderr, x');
  expect(rowName({ ...row, kind: 'req', waits: true })).toContain('waits for an answer');
  expect(rowName({ ...row, failedAt: seq(125) })).toContain('completed, failed live at #125,');
});

test('a status stands apart only if it is a failure, or hides a failure of the live session', () => {
  const failed = { ...row, summary: 'failed.txt · failed · 1 diff', status: 'failed' };
  expect(aroundStatus(failed)).toEqual(['failed.txt · ', 'failed', ' · 1 diff']);
  expect(aroundStatus({ ...row, status: 'completed', failedAt: seq(125) })).toEqual([
    'read config.json · ',
    'completed',
    '',
  ]);
  expect(aroundStatus({ ...row, status: 'completed' })[0]).toBe(row.summary);
});

test('a head names its window', () => {
  const head: WindowRow = {
    ...row,
    type: 'window',
    open: true,
    window: {
      id: 1,
      method: 'session/resume',
      version: 2,
      sessionId: 's',
      session: 'S1',
      cursor: '{"type":"_scope_message","messageId":"m"}',
      request: seq(12),
      outcome: 'incomplete',
      updates: 4,
      bytes: 9,
      took: 3 as Millis,
      messages: 1,
      tools: 0,
      late: 2,
      forbidden: true,
      figures: { items: { agent: 1 }, others: {}, chunks: 4 },
    },
  };
  expect(rowName(head)).toBe(
    'Replay window, resume 12, from _scope_message, 4 updates, 2 late, not allowed, incomplete',
  );
});

test('a cursor is named by its type, anything else by its JSON', () => {
  expect(cursorWords('{"type":"start"}')).toBe('start');
  expect(cursorWords('omitted')).toBe('omitted');
  expect(cursorWords('{"messageId":"m"}')).toBe('{"messageId":"m"}');
});

test('the bar of a latency is logarithmic and full at a minute', () => {
  expect([0, 24, 907, 60_000, 1e9].map(latencyBar)).toEqual([0, 16, 33, 54, 54]);
});

const room = { seq: 30, at: 60, method: 168, chip: 28, id: 28 };
const shown = (list: number) => columnsOf({ ...room, list });
const summary = (list: number) => {
  const { columns, tracks } = shown(list);
  const others = tracks.match(/\d+(?=px)/g)?.reduce((sum, track) => sum + Number(track), 0) ?? 0;
  return list - 8 - 6 * (columns.length - 1) - others;
};

test('the summary has 280 pixels in every list of one line, and what gives way gives way in turn', () => {
  for (let list = 600; list < 2600; list++) {
    expect(shown(list).narrow, `${list}`).toBe(false);
    expect(summary(list), `${list}`).toBeGreaterThanOrEqual(280);
  }
  const left = (list: number) => [...shown(list).left];
  expect(left(2000)).toEqual([]);
  expect(left(1200)).toEqual(['delta']);
  expect(left(1000)).toEqual(['delta', 'fall']);
  expect(left(880)).toEqual(['delta', 'fall', 'replay']);
  expect(left(830)).toEqual(['delta', 'fall', 'replay', 'size']);
  expect(left(780)).toEqual(['delta', 'fall', 'replay', 'size', 'id']);
  expect(left(700)).toEqual(['delta', 'fall', 'replay', 'size', 'id', 'latency']);
  const most = ['delta', 'fall', 'replay', 'size', 'id', 'latency', 'session', 'bare', 'kind'];
  expect(left(610)).toEqual(most);
});

test('a trace of one session has no column for it, at any width', () => {
  for (const list of [400, 800, 1400])
    expect(columnsOf({ ...room, chip: 0, list }).columns.map(({ id }) => id)).not.toContain(
      'session',
    );
});

test('a column is as wide as its widest value', () => {
  const { tracks } = columnsOf({ ...room, list: 1300, method: 104 });
  expect(tracks).toContain(' 104px ');
});

test('a narrow list keeps few columns, on two lines, and so does one in which values are wide', () => {
  const heads = ['Replay', '#', 'Direction', 'what, method', '', ''];
  expect(shown(599).columns.map(({ head }) => head)).toEqual(heads);
  expect(columnsOf({ ...room, list: 640, seq: 200 }).narrow).toBe(true);
});

const NONE = { shown: {}, widths: {} };
const ids = (list: number, choice: Parameters<typeof columnsOf>[1]) =>
  columnsOf({ ...room, list }, choice).columns.map(({ id }) => id);
const px = (list: number, choice: Parameters<typeof columnsOf>[1], wanted: string) =>
  columnsOf({ ...room, list }, choice).columns.find(({ id }) => id === wanted)?.px;

test('a column that a person shows gives way last, one that a person hides is absent', () => {
  const fall = withShown(NONE, 'fall', true);
  expect(ids(800, NONE)).not.toContain('fall');
  expect(ids(800, fall)).toContain('fall');
  for (let list = 600; list < 2600; list++) {
    expect(px(list, fall, 'summary'), `${list}`).toBeGreaterThanOrEqual(160);
    expect(columnsOf({ ...room, list }, fall).narrow, `${list}`).toBe(false);
  }
  for (const id of ['at', 'method', 'size'])
    expect(ids(2000, withShown(NONE, id, false))).not.toContain(id);
});

test('the wall clock is shown only if a person wants it, between the times and the summary', () => {
  expect(ids(2400, NONE)).not.toContain('clock');
  expect(ids(2400, withShown(NONE, 'clock', true)).slice(0, 6)).toEqual([
    ...['g', 'seq', 'at', 'delta', 'clock', 'arrow'],
  ]);
});

test('a person sizes a column within limits; a width that does not fit is not used', () => {
  expect(px(2000, withWidth(NONE, 'method', 300), 'method')).toBe(300);
  expect(px(2000, withWidth(NONE, 'size', 1), 'size')).toBe(28);
  expect(withWidth(NONE, 'method', 9999).widths).toEqual({ method: 600 });
  expect(withWidth({ shown: {}, widths: { method: 300 } }, 'method', undefined)).toEqual(NONE);
  expect(px(700, withWidth(NONE, 'method', 600), 'method')).toBe(px(700, NONE, 'method'));
});

test('the time since the row above takes the place of the time, and gives it back', () => {
  const swapped = swapTimes(NONE);
  expect(ids(900, swapped)).toContain('delta');
  expect(ids(900, swapped)).not.toContain('at');
  expect(swapTimes(swapped)).toEqual(NONE);
});
