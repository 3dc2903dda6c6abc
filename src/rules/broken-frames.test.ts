// Whatever crosses, the checker reads on: what real agents said, with values of their frames swapped
// for odd ones and frames lost, doubled and out of order.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../acp/json.ts';
import type { Json, JsonObject } from '../acp/message.ts';
import { recordings } from '../test/recordings.ts';
import { seq, type TraceEvent } from '../trace/event.ts';
import { checkTrace } from './check-trace.ts';
import { loadRemarks } from './load-schemas.ts';

const remarksOf = await loadRemarks();
/** Short ones, of both versions. */
const traces = recordings()
  .map(({ events }) => events)
  .filter(({ length }) => length < 60);

const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1.5,
  2 ** 53,
  1e300,
  '',
  'x'.repeat(5000),
  '__proto__',
  '\u0000\ud800',
  [],
  [null, [], 1],
  {},
  parseJson('{"__proto__":{"sessionUpdate":"x"},"constructor":1,"hasOwnProperty":null}') ?? null,
];

/** How one frame goes wrong: which, at which value below its root, and what stands there then. */
interface Swap {
  readonly frame: number;
  readonly turns: readonly number[];
  readonly odd: number;
}

function swapped(value: Json, turns: readonly number[], odd: Json): Json {
  const [turn, ...rest] = turns;
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : [];
  const key = turn === undefined ? undefined : keys[turn % keys.length];
  if (key === undefined) return odd;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, i) =>
      String(i) === key ? swapped(item, rest, odd) : item,
    );
  const object = value as JsonObject;
  return { ...object, [key]: swapped(object[key] ?? null, rest, odd) };
}

function broken(events: readonly TraceEvent[], swaps: readonly Swap[]): TraceEvent[] {
  const all = [...events];
  for (const { frame, turns, odd } of swaps) {
    const at = frame % all.length;
    const event = all[at];
    if (event?.type !== 'frame' || !('text' in event.line)) continue;
    const value = parseJson(event.line.text);
    if (value === undefined) continue;
    // The envelope stays in most of them, or nothing else would be looked at.
    const wrong = swapped(value, [2 + (turns[0] ?? 0), ...turns], ODD[odd % ODD.length] ?? null);
    all[at] = { ...event, line: { text: JSON.stringify(wrong) } };
  }
  return all;
}

const swaps = fc.array(
  fc.record({
    frame: fc.nat(200),
    turns: fc.array(fc.nat(9), { maxLength: 5 }),
    odd: fc.nat(ODD.length - 1),
  }),
  { minLength: 1, maxLength: 25 },
);

function numbered(events: readonly TraceEvent[]): TraceEvent[] {
  return events.map((event, i) => ({ ...event, seq: seq(i + 1) }));
}

test('odd values in any place of any frame', () => {
  fc.assert(
    fc.property(fc.constantFrom(...traces), swaps, (events, wrong) => {
      const { findings } = checkTrace(broken(events, wrong), { remarksOf, passes: true });
      expect(findings.filter(({ seen, due }) => seen === '' || due === '')).toEqual([]);
    }),
    { numRuns: 120 },
  );
});

test('frames that are lost, doubled and out of order', () => {
  const order = fc.array(fc.nat(80), { minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(fc.constantFrom(...traces), order, (events, picks) => {
      const shuffled = picks.flatMap((pick) => events[pick % events.length] ?? []);
      const { findings } = checkTrace(numbered(shuffled), { remarksOf });
      const seqs = new Set(shuffled.map((_, i) => i + 1));
      expect(findings.flatMap((one) => one.seqs).every((one) => seqs.has(one))).toBe(true);
    }),
    { numRuns: 120 },
  );
});
