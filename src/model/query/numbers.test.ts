import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { timeSpan, spanText } from './numbers.ts';
import { vocabularyOf } from './vocabulary.ts';

const TRACE = `
  client →0 session/list
  +1400ms
  agent  raw a
  +900ms
  agent  raw b
  +8000ms
  agent  ←0 result {}
`;

test('a span is two moments in seconds, and either end may be open', () => {
  expect(timeSpan('1.4..2.3')).toEqual({ from: 1400, to: 2300 });
  expect(timeSpan('2..')).toEqual({ from: 2000, to: Infinity });
  expect(timeSpan('..0.5')).toEqual({ from: 0, to: 500 });
  for (const text of ['', '..', '3', '2..1', '-1..2', 'a..b', '1...2', '1e3..2'])
    expect(timeSpan(text)).toBeUndefined();
});

test('what is written of a span holds all of it', () => {
  const moment = fc.double({ min: 0, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      const span = { from: Math.min(a, b), to: Math.max(a, b) };
      const read = timeSpan(spanText(span));
      expect(read?.from).toBeLessThanOrEqual(span.from + 1e-6);
      expect(read?.to).toBeGreaterThanOrEqual(span.to - 1e-6);
    }),
  );
  expect(spanText({ from: 1400.2, to: 2299.1 })).toBe('1.4..2.3');
  expect(spanText({ from: 2000, to: Infinity })).toBe('2..');
});

test('time: lets through what came in the span, both ends included', () => {
  const { view } = indexed(TRACE);
  const shown = (query: string) => {
    view.setQuery(query);
    return view.rows(0, 9).map(({ seq }) => seq);
  };
  expect(shown('time:1.4..2.3')).toEqual([2, 3]);
  expect(view.state().parts).toEqual([
    { source: 'time:1.4..2.3', matches: 2, hides: 2, stderr: 0 },
  ]);
  expect(shown('-time:1.4..2.3')).toEqual([1, 4]);
  expect(shown('time:..1,9..')).toEqual([1, 4]);
});

test('a span that is none is broken, and says how one is written', () => {
  const { view } = indexed(TRACE);
  view.setQuery('time:2..1');
  expect(view.state().queryProblem).toEqual({
    message: 'time: takes a span in seconds, such as time:0.1..2.3; 2..1 is none.',
    from: 5,
    to: 9,
  });
});

test('the stretches between long silences are offered, those with most frames first', () => {
  expect(vocabularyOf(indexed(TRACE).index)['time']).toEqual([
    ['0..2.3', 3],
    ['10.3..10.3', 1],
  ]);
});

test('session:none finds what names no session', () => {
  const { view, index } = indexed(`${TRACE}\n agent update s1 agent_message_chunk "a"\n stderr x`);
  expect(vocabularyOf(index)['session']).toEqual([
    ['none', 5],
    ['S1', 1],
  ]);
  view.setQuery('session:S1');
  expect(view.state()).toMatchObject({ rows: 1, sessionless: 5 });
  view.setQuery('session:S1,none');
  expect(view.state()).toMatchObject({ rows: 6, sessionless: 0, parts: [{ hides: 0, stderr: 0 }] });
});
