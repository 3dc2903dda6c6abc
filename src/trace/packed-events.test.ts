import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '../lib/time.ts';
import { encodeUtf8 } from '../lib/utf8.ts';
import { seq, type TraceEvent } from './event.ts';
import { eventLine } from './format.ts';
import { PackedEvents } from './packed-events.ts';

const saying = (text: string, at: number): TraceEvent => ({
  type: 'frame',
  seq: seq(at + 1),
  at: millis(at),
  from: 'agent',
  line: { text },
  origin: 'peer',
});

/** Short ones, and some that fill a block alone. */
const texts = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 100_000, max: 400_000 }).map((n) => 'é\\'.repeat(n)),
    },
  ),
  { minLength: 1, maxLength: 40 },
);

test('each event is given back as it was, in any order, and while more come', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(), { maxLength: 80 }), fc.nat(40), (said, asked, early) => {
      const events = said.map(saying);
      const packed = new PackedEvents();
      for (const [at, event] of events.entries()) {
        packed.add(encodeUtf8(eventLine(event)));
        if (at === early) expect(packed.at(at)).toEqual(event);
      }
      expect(packed.length).toBe(events.length);
      for (const place of asked.map((one) => one % events.length))
        expect(packed.at(place)).toEqual(events[place]);
    }),
    { numRuns: 60 },
  );
});

test('a place where none stands is a bug', () => {
  const packed = new PackedEvents();
  packed.add(encodeUtf8(eventLine(saying('{}', 0))));
  expect(() => packed.at(1)).toThrow('No event stands at 1');
  expect(() => packed.at(-1)).toThrow('No event stands at -1');
});
