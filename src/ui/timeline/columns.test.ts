import { expect, test } from 'vitest';
import type { Millis } from '../../lib/time.ts';
import type { FrameRow, WindowRow } from '../../model/timeline/row-view.ts';
import { seq } from '../../trace/event.ts';
import { columnsOf, rowName } from './columns.ts';
import { cursorWords, latencyBar } from './row-words.ts';

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

test('a narrow page keeps few columns, on two lines; a very wide one has both times', () => {
  const heads = (layout: 'narrow' | 'medium' | 'full' | 'wide') =>
    columnsOf(layout).columns.map(({ head }) => head);
  expect(heads('narrow')).toEqual(['Replay', '#', 'Direction', 'method, summary', '', '']);
  expect(heads('full')).toEqual(heads('medium'));
  expect(heads('full')).not.toContain('Δ');
  expect(heads('wide')).toHaveLength(heads('full').length + 1);
  expect(columnsOf('medium').tracks).not.toBe(columnsOf('full').tracks);
});
