import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { findIn } from '../../model/query/find.ts';
import { connectionId, seq, type Line, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { lineText } from '../../trace/line.ts';
import { searchedBy } from '../../model/query/match.ts';
import { OpenTrace } from './open-trace.ts';

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

const never = () => false;

test('a search by the bytes finds what a search by the events finds', () => {
  const found = (words: string, events: readonly Written[], cut: number): boolean => {
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
    const { length } = open.lines;
    expect(length).toBe(events.length);
    const sought = { kind: 'text', text: words } as const;
    const read = (index: number) => open.lines.read(index);
    const [fast, slow] = [open.lines, searchedBy(read, () => length)].map((searched) => {
      const places: number[] = [];
      for (let from = 0; from < length;) {
        const texts = searched.texts(from);
        const answer = findIn({ sought, texts, most: 1000 }, never);
        if (answer.kind !== 'found') throw new Error(answer.kind);
        answer.found.forEach((one, at) => one === 1 && places.push(from + at));
        from += answer.found.length;
      }
      return places;
    });
    expect(fast).toEqual(slow);
    return (slow?.length ?? 0) > 0;
  };
  let hits = 0;
  fc.assert(
    fc.property(
      fc.array(written, { minLength: 1, maxLength: 12 }),
      fc.oneof(text, piece),
      fc.nat(12),
      (events, words, cut) => {
        if (found(words, events, cut)) hits++;
        const some = events[cut % events.length];
        if (some && found(lineText(some.line).slice(1, 9).toUpperCase(), events, cut)) hits++;
      },
    ),
  );
  expect(hits).toBeGreaterThan(0);
});

test('a line says the same in whatever order lines are read', () => {
  const runs = fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 100 })), { maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 200 }),
      fc.nat(200),
      runs,
      (all, cut, runs) => {
        const open = new OpenTrace(connectionId('c'), () => 'S1', 'gone');
        // Between the two parts one is missing, which a gap stands for.
        const events = all.map((line, i): TraceEvent => {
          const at = { seq: seq(i < cut ? i + 1 : i + 2), at: millis(i) };
          return { type: 'stderr', ...at, line };
        });
        for (const part of [events.slice(0, cut), events.slice(cut)])
          open.take(encodeUtf8(part.map((event) => `${eventLine(event)}\n`).join('')), 0, never);
        const { lines } = open;
        const said = lines.all().filter(({ type }) => type !== 'gap');
        expect(said).toEqual(events);
        for (const [from, count] of runs)
          for (let at = from; at < Math.min(from + count, lines.length); at++) {
            const event = lines.read(at);
            if (event.type !== 'gap') expect(event).toEqual(events[at < cut ? at : at - 1]);
          }
      },
    ),
  );
});
