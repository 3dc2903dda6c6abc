import { expect, test } from 'vitest';
import type { Answer } from '../../model/fidelity/report/answer.ts';
import type { SessionRestore } from '../../engine/messages.ts';
import { restored } from '../../test/traces/restored.ts';
import { markdownReport } from '../../report/markdown.ts';
import { textReport } from '../../report/text.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { resultOrError, resultsDocument, thenWords, unsentOf } from './results.ts';

function row(window: Parameters<typeof restored>[0], more: Partial<SessionRestore> = {}) {
  const result: SessionRestore = {
    ...{ connection: connectionId('c'), evidence: [] },
    window: restored({
      figures: { items: {}, others: {}, chunks: window.updates ?? 0 },
      ...window,
    }),
    ...{ verdict: 'replayed-from-start', due: true, seen: [{ clause: 'whole', code: 'whole' }] },
    ...more,
  };
  return result;
}

test('the answer column has the code of an error', () => {
  expect(resultOrError(restored({ outcome: 'rejected', problem: '−32602 Invalid params' }))).toBe(
    '−32602',
  );
  expect(resultOrError(restored({ outcome: 'incomplete' }))).toBe('none');
});

test('what followed a prompt is said in two words where they are known', () => {
  const then = { request: seq(30), prompt: 'Which?', said: 'M', knows: 'knows' as const };
  expect(thenWords(row({}, { then }))).toBe('knows it');
  expect(thenWords(row({}, { then: { ...then, knows: 'forgot' } }))).toBe('forgot');
  expect(thenWords(row({}, { then: { ...then, refusal: '−32002 Not found' } }))).toBe(
    'refused: −32002 Not found',
  );
  expect(thenWords(row({}))).toBe('');
});

test('the table copies as Markdown, with its bars escaped, and as columns of text', () => {
  const rows = [row({ cursor: '{"type":"a|b"}' }), row({ cursor: 'null' })];
  const name = () => 'c2#12';
  const table = resultsDocument(rows, name, () => undefined);
  const markdown = markdownReport(table);
  expect(markdown.match(/^\|/gm)).toHaveLength(4);
  expect(markdown).toContain('unknown a\\|b');
  const [head = '', first = '', second = ''] = textReport(table).split('\n');
  expect(first.indexOf('result')).toBe(head.indexOf('answer'));
  expect(second.indexOf('c2#12')).toBe(head.indexOf('frame'));
});

test('a row is copied with both words, the headline and the figures of its answer', () => {
  const lost = row({ cursor: '{"type":"start"}', updates: 4 });
  const answer: Answer = {
    protocol: 'violated',
    why: 'history, then the response',
    history: 'incomplete',
    headline: '3 messages are missing',
    figures: '3 missing, 2 identical',
    more: '',
  };
  const table = resultsDocument(
    [lost],
    () => '#12',
    () => answer,
  );
  const lines = markdownReport(table).match(/^\|.*/gm) ?? [];
  expect(lines[2]).toContain(
    '| violated | incomplete | 3 messages are missing | 3 missing, 2 identical | #12 |',
  );
});

test('what was not sent is one line for each version and reason', () => {
  const words = 'the agent does not speak v2';
  const unsent = [
    { label: 'v2 omitted', words },
    { label: 'v2 custom {"type":"_m"}', words },
    { label: 'v1 load', words: 'The agent ended.' },
  ];
  expect(unsentOf(unsent)).toEqual([
    { version: 'v2', words, labels: ['omitted', 'custom {"type":"_m"}'] },
    { version: 'v1', words: 'The agent ended.', labels: ['load'] },
  ]);
});
