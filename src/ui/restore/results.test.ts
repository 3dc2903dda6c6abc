import { expect, test } from 'vitest';
import { restored } from '../../test/restored.ts';
import { connectionId } from '../../trace/event.ts';
import { answerOf, asMarkdown, historyLength, stripOf } from './results.ts';

test('a replay from a cursor lies at the end of the history, others at its start', () => {
  const history = historyLength([
    {
      connection: connectionId('c'),
      window: restored({ updates: 400 }),
      verdict: 'open',
      words: '',
      due: true,
      evidence: [],
    },
    {
      connection: connectionId('c'),
      window: restored({ updates: 100 }),
      verdict: 'open',
      words: '',
      due: true,
      evidence: [],
    },
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
      verdict: 'open',
      words: 'x',
      evidence: [],
      due: true,
    },
  ]);
  expect(text.split('\n')).toHaveLength(3);
  expect(text).toContain('unknown `a\\|b`');
});
