import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis } from '../lib/time.ts';
import { eventsAt } from '../model/indexed-trace.ts';
import { draw, untimed } from '../test/traces/draw.ts';
import { seq, type TraceEvent } from './event.ts';
import { TIMED_VERSION, FORMAT_VERSION, type Header } from './format.ts';
import { lineText } from './line.ts';
import { mergeTraces } from './merge.ts';
import type { LazyRecording } from './merge-columns.ts';

const HEADER: Header = {
  format: 'acptrace',
  version: TIMED_VERSION,
  created: '2026-11-21T10:00:00.000Z',
  tool: 'acp-scope 0.1.0',
  clock: 'monotonic',
};
const UNKNOWN: Header = { ...HEADER, created: new Date(0).toISOString(), clock: 'imported' };
const recording = (events: readonly TraceEvent[], header = HEADER): LazyRecording => ({
  header,
  length: events.length,
  eventAt: eventsAt(events),
});
const HOW = { digest: (text: string) => text, pause: () => Promise.resolve() };

/** The same events by another clock, each direction late by what the way takes. */
function later(events: readonly TraceEvent[], by: number, way = 0): TraceEvent[] {
  return events.map((event) => ({
    ...event,
    at: millis(
      (event.at ?? 0) + by + (event.type === 'frame' ? (event.from === 'client' ? way : -way) : 0),
    ),
  }));
}

function only(events: readonly TraceEvent[], takes: (event: TraceEvent) => boolean): TraceEvent[] {
  return events.filter(takes).map((event, i) => ({ ...event, seq: seq(i + 1) }));
}

async function laid(a: LazyRecording, b: LazyRecording) {
  const found = await mergeTraces(a, b, HOW);
  if ('problem' in found) throw new Error(found.problem);
  const { header, length, eventAt } = found.merged;
  const events = Array.from({ length }, (_, place) => eventAt(place));
  return { merged: { header, events }, laid: found.laid };
}

const told = (events: readonly TraceEvent[]) =>
  events.map((event) => ('line' in event ? lineText(event.line) : event.type));

const WHOLE = draw(`
  start agent
  client →0 initialize {"protocolVersion":1}
  +20ms
  agent ←0 result {"protocolVersion":1}
  stderr ready
  +30ms
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  +40ms
  agent ←1 result {"sessionId":"s1"}
  +5ms
  exit 0
`);

describe('two recordings of one process', () => {
  const tap = only(WHOLE, ({ type }) => type !== 'stderr');
  const log = only(WHOLE, ({ type }) => type === 'frame' || type === 'stderr');

  test('are one: what both have once, what only one saw where it came', async () => {
    const { merged, laid: how } = await laid(
      recording(tap),
      recording(later(log, -1000, 3), UNKNOWN),
    );
    expect(told(merged.events)).toEqual(told(WHOLE));
    expect(merged.events.map(({ seq: number }) => number)).toEqual(WHOLE.map((_, i) => i + 1));
    expect(how).toEqual({ offset: 1000, by: 'frames', spread: 3, both: 4, first: 0, second: 1 });
  });

  test('may have more in common than a call takes arguments', async () => {
    const long = Array.from({ length: 150_000 }, (_, at): TraceEvent => ({
      ...{ type: 'frame', seq: seq(at + 1), at: millis(at), from: 'agent', origin: 'peer' },
      line: { text: `{"n":${at}}` },
    }));
    const { merged, laid: how } = await laid(recording(long), recording(later(long, 7)));
    expect(how).toMatchObject({ by: 'frames', offset: -7, both: 150_000, first: 0, second: 0 });
    expect(merged.events.length).toBe(150_000);
  });

  test('lie on the clock of the first, whose frames keep their times', async () => {
    const { merged } = await laid(recording(tap), recording(later(log, 555), UNKNOWN));
    const times = new Map(merged.events.map((event) => [told([event])[0], event.at]));
    for (const event of WHOLE) expect(times.get(told([event])[0])).toBe(event.at);
  });

  test('what came before the first began moves the beginning', async () => {
    const late = only(tap, ({ type, at = 0 }) => type === 'frame' && at > 30);
    const { merged } = await laid(
      recording(later(late, -40)),
      recording(later(WHOLE, -40), UNKNOWN),
    );
    expect(merged.events[0]?.at).toBe(0);
    expect(merged.header.created < HEADER.created).toBe(true);
    expect(merged.events.every(({ at = -1 }) => at >= 0)).toBe(true);
  });

  test('frames that crossed on the way stand in another order at either end, and are still the same', async () => {
    const one = draw('client →0 session/list\nagent raw {}\nclient →1 session/list');
    const other = only(
      [one[1], one[0], one[2]].flatMap((event) => (event ? [event] : [])),
      () => true,
    );
    expect((await laid(recording(one), recording(other))).laid).toMatchObject({
      both: 3,
      first: 0,
      second: 0,
    });
  });

  test('one without times is laid in by its order, and invents none', async () => {
    const { merged, laid: how } = await laid(recording(tap), recording(untimed(log), UNKNOWN));
    expect(how).toMatchObject({ by: 'order', offset: undefined, second: 1 });
    expect(told(merged.events)).toEqual(told(WHOLE));
    const stderr = merged.events.find(({ type }) => type === 'stderr');
    expect(stderr).not.toHaveProperty('at');
    expect(merged.header.version).toBe(FORMAT_VERSION);
  });

  test('exact bytes are kept rather than a line made again', async () => {
    const rebuilt = log.map((event) =>
      event.type === 'frame'
        ? {
            ...event,
            inferred: ['line' as const],
            line: {
              text: JSON.stringify(
                Object.fromEntries(Object.entries(JSON.parse(lineText(event.line))).reverse()),
              ),
            },
          }
        : event,
    );
    const { merged, laid: how } = await laid(recording(rebuilt), recording(tap));
    expect(how.both).toBe(4);
    expect(merged.events.some((event) => 'inferred' in event)).toBe(false);
    expect(told(only(merged.events, ({ type }) => type === 'frame'))).toEqual(
      told(only(tap, ({ type }) => type === 'frame')),
    );
  });

  test('marks go with the frame they are on', async () => {
    const mark: TraceEvent = {
      type: 'mark',
      seq: seq(6),
      at: millis(9),
      target: seq(5),
      label: 'x',
    };
    const { merged } = await laid(recording(tap), recording([...log, mark]));
    const marked = merged.events.find(({ type }) => type === 'mark');
    const target = merged.events.find(
      (event) => event.seq === (marked as { target?: number }).target,
    );
    expect(target && told([target])).toEqual(told([log[4] ?? mark]));
  });

  test('that have nothing in common lie by their wall clocks, or not at all', async () => {
    const other = draw('client →9 session/list\nagent ←9 result {}');
    const header = { ...HEADER, created: '2026-11-21T10:00:05.000Z' };
    expect((await laid(recording(tap), recording(other, header))).laid).toMatchObject({
      offset: 5000,
      by: 'clocks',
      both: 0,
    });
    expect(await mergeTraces(recording(tap), recording(other, UNKNOWN), HOW)).toEqual({
      problem: 'unrelated',
    });
  });

  test('whatever either of them missed, nothing is lost, nothing is there twice, and each order stays', async () => {
    const frames = fc.array(
      fc.record({
        from: fc.constantFrom('client' as const, 'agent' as const),
        gap: fc.nat(50),
        a: fc.boolean(),
        b: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(frames, fc.integer({ min: -500, max: 500 }), async (all, by) => {
        let at = 0;
        const events = all.map(({ from, gap }, i): TraceEvent => ({
          ...{ type: 'frame', seq: seq(i + 1), at: millis((at += gap)), from, origin: 'peer' },
          line: { text: `{"n":${i}}` },
        }));
        const a = only(events, ({ seq: one }) => all[one - 1]?.a === true);
        const b = only(events, ({ seq: one }) => all[one - 1]?.b === true);
        const { merged } = await laid(recording(a), recording(later(b, by)));
        const wanted = events.filter((_, i) => all[i]?.a === true || all[i]?.b === true);
        expect(told(merged.events).toSorted()).toEqual(told(wanted).toSorted());
        for (const part of [a, b]) {
          const lines = new Set(told(part));
          expect(told(merged.events).filter((line) => lines.has(line))).toEqual(told(part));
        }
      }),
    );
  });
});
