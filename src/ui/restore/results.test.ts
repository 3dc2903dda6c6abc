import { expect, test } from 'vitest';
import type { ReplayWindowView } from '../../model/row-view.ts';
import type { Millis } from '../../lib/time.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { answerOf, asMarkdown, historyLength, stripOf } from './results.ts';

const restored = (more: Partial<ReplayWindowView>): ReplayWindowView => ({
  id: 1,
  method: 'session/resume',
  version: 2,
  sessionId: 's',
  session: 'S1',
  request: seq(12),
  answer: seq(20),
  outcome: 'answered',
  updates: 0,
  bytes: 0,
  took: 1 as Millis,
  messages: 0,
  tools: 0,
  late: 0,
  forbidden: false,
  ...more,
});

test('a replay from a cursor lies at the end of the history, others at its start', () => {
  const history = historyLength([
    { connection: connectionId('c'), window: restored({ updates: 400 }), verdict: '', due: true },
    { connection: connectionId('c'), window: restored({ updates: 100 }), verdict: '', due: true },
  ]);
  expect(history).toBe(400);
  const cursor = '{"type":"_message","messageId":"m"}';
  expect(stripOf(restored({ cursor, updates: 100 }), history)).toMatchObject({
    from: 0.75,
    to: 1,
    cursor: true,
  });
  expect(
    stripOf(restored({ cursor: '{"type":"start"}', updates: 400, late: 2 }), history),
  ).toMatchObject({ from: 0, to: 1, late: true });
  expect(stripOf(restored({ outcome: 'rejected' }), history)).toMatchObject({ rejected: true });
});

test('the answer column has the code of an error', () => {
  expect(answerOf(restored({ outcome: 'rejected', problem: '−32602 Invalid params' }))).toBe(
    '−32602',
  );
  expect(answerOf(restored({ outcome: 'incomplete' }))).toBe('none');
});

test('the table copies as Markdown, with its bars escaped', () => {
  const text = asMarkdown([
    {
      connection: connectionId('c'),
      window: restored({ cursor: '{"type":"a|b"}' }),
      verdict: 'x',
      due: true,
    },
  ]);
  expect(text.split('\n')).toHaveLength(3);
  expect(text).toContain('unknown `a\\|b`');
});
