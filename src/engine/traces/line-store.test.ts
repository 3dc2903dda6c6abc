import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { Term } from '../../model/query/query.ts';
import { connectionId, seq, type Line, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { lineText } from '../../trace/line.ts';
import { searchedBy, testOf, type Answers } from '../../model/query/query-match.ts';
import { OpenTrace } from './open-trace.ts';

const never = () => false;

/** What JSON makes hard to find: escapes, letters beyond ASCII, bytes that are no text. */
const piece = fc.oneof(
  fc.constantFrom(
    'agent',
    'Read',
    'é',
    'ſ',
    'K',
    '\u212a',
    '"',
    '\\',
    '/',
    '\n',
    '\0',
    '\ud800',
    '😀',
  ),
  fc.constantFrom('\\u0061', '\\n', 'n', 'u', '64', 'base', 'text', 'start', ' ', '.*', '('),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const line: fc.Arbitrary<Line> = fc.oneof(
  text.map((text) => ({ text })),
  fc.constantFrom('YWdlbnT/', '/1JlYWQ=').map((base64) => ({ base64 })),
);
interface Written {
  readonly line: Line;
  readonly isStderr: boolean;
  readonly escaped: boolean;
}
const written: fc.Arbitrary<Written> = fc.record({
  line,
  isStderr: fc.boolean(),
  escaped: fc.boolean(),
});

/** As another program may write it: any character of a text as its number. */
const withNumbers = (json: string) =>
  json.replaceAll(/[aeR](?=[^"]*"\}[,}])/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** For terms without patterns. */
const NO_ANSWERS: Answers = { inLine: () => () => false, inWord: () => () => false };

test('a search by the bytes finds what a search by the events finds, in whatever order it is asked', () => {
  const found = (
    words: string,
    events: readonly Written[],
    order: readonly number[],
    cut: number,
  ): boolean => {
    const open = new OpenTrace(connectionId('c'), () => 'S1', 'gone');
    const lines = events.map(({ line, isStderr, escaped }, i) => {
      const at = { seq: seq(i + 1), at: millis(i) };
      const event: TraceEvent = isStderr
        ? { type: 'stderr', ...at, line }
        : { type: 'frame', ...at, from: 'agent', line, origin: 'peer' };
      return escaped ? withNumbers(eventLine(event)) : eventLine(event);
    });
    for (const part of [lines.slice(0, cut), lines.slice(cut)])
      open.take(encodeUtf8(part.map((line) => `${line}\n`).join('')), 0, never);
    const term: Term = {
      field: 'text',
      values: [{ text: words }],
      negated: false,
      source: words,
      from: 0,
      to: 1,
    };
    const read = (index: number) => open.lines.read(index);
    const fast = testOf(term, open.index, open.lines, NO_ANSWERS);
    const slow = testOf(
      term,
      open.index,
      searchedBy(read, () => open.lines.length),
      NO_ANSWERS,
    );
    const places = order.map((number) => number % Math.max(1, open.lines.length));
    expect(places.map(fast)).toEqual(places.map(slow));
    expect(open.lines.length).toBe(events.length);
    return places.some(slow);
  };
  let hits = 0;
  fc.assert(
    fc.property(
      fc.array(written, { minLength: 1, maxLength: 12 }),
      fc.oneof(text, piece),
      fc.array(fc.nat(40), { maxLength: 40 }),
      fc.nat(12),
      (events, words, order, cut) => {
        if (found(words, events, order, cut)) hits++;
        const some = events[cut % events.length];
        if (some && found(lineText(some.line).slice(1, 9).toUpperCase(), events, order, cut))
          hits++;
      },
    ),
  );
  expect(hits).toBeGreaterThan(0);
});

test('a line that cannot hold the text is not read', () => {
  const open = new OpenTrace(connectionId('c'), () => 'S1', 'gone');
  const events = ['one word', 'another', 'a WORD again', 'esc\u0001ape'].map(
    (text, i): TraceEvent => ({
      type: 'frame',
      seq: seq(i + 1),
      at: millis(i),
      from: 'agent',
      line: { text },
      origin: 'peer',
    }),
  );
  open.take(encodeUtf8(events.map((event) => `${eventLine(event)}\n`).join('')), 0, never);
  const mayHold = open.lines.mayHold('word');
  expect([0, 1, 2, 3, 1, 0].map(mayHold)).toEqual([true, false, true, true, false, true]);
});
