// Whatever a trace holds, checking it ends, throws nothing, names only frames of that trace, and does
// a bounded amount of work a frame. Made of recordings of real agents, bent at random.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../acp/message.ts';
import { parseJson } from '../acp/json.ts';
import { millis } from '../lib/time.ts';
import { draw } from '../test/traces/draw.ts';
import { recordings } from '../test/traces/recordings.ts';
import { V1_SESSION } from '../test/traces/rule-case.ts';
import { seq, type Side, type TraceEvent } from '../trace/event.ts';
import { checkTrace } from './check-trace.ts';
import { isAtLeast } from './finding.ts';
import { loadRemarks } from './steps.ts';

const remarksOf = await loadRemarks();
const all = recordings();

/** Long ones are taken from somewhere within, with the handshake before it. */
const MOST = 150;

type Mutable = Record<string, unknown> | unknown[];

/** Every place in a value that can be changed: its holder and its key. */
function placesIn(value: unknown): readonly (readonly [Mutable, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Mutable;
  return Object.entries(holder).flatMap(([key, inner]) => [
    [holder, key] as const,
    ...placesIn(inner),
  ]);
}

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1e308, 0.5, '', '\0', '__proto__', [], {}, [[]]),
  fc.constant(JSON.parse('{"__proto__":{"sessionId":"s"},"constructor":1}') as Json),
  fc.constant('x'.repeat(5000)),
  fc.jsonValue({ maxDepth: 3 }),
);

type Change =
  | { readonly do: 'drop' | 'double' }
  | { readonly do: 'swap'; readonly by: number }
  | { readonly do: 'cut'; readonly by: number }
  | { readonly do: 'bend'; readonly at: number; readonly value: unknown };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ do: fc.constantFrom('drop', 'double') }),
  fc.record({ do: fc.constantFrom('swap', 'cut'), by: fc.nat(1000) }),
  // Most of all this, because it reaches what rules look at.
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('bend'), at: fc.nat(100_000), value: odd }),
  },
) as fc.Arbitrary<Change>;

function bent(text: string, at: number, value: unknown): string {
  const message = parseJson(text);
  const places = placesIn(message);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return JSON.stringify(value);
  const [holder, key] = place;
  if (at % 7 === 0) Reflect.deleteProperty(holder, key);
  else Object.defineProperty(holder, key, { value, enumerable: true });
  return JSON.stringify(message);
}

function changed(events: readonly TraceEvent[], place: number, change: Change): TraceEvent[] {
  const result = [...events];
  const event = result[place];
  if (event === undefined) return result;
  switch (change.do) {
    case 'drop':
      result.splice(place, 1);
      return result;
    case 'double':
      result.splice(place, 0, event);
      return result;
    case 'swap': {
      const other = change.by % result.length;
      result[place] = result[other] ?? event;
      result[other] = event;
      return result;
    }
    case 'cut':
    case 'bend':
      if (event.type !== 'frame' || !('text' in event.line)) return result;
      result[place] = {
        ...event,
        line: {
          text:
            change.do === 'cut'
              ? event.line.text.slice(0, change.by)
              : bent(event.line.text, change.at, change.value),
        },
      };
      return result;
  }
}

/** Numbered anew, as a recorder would. */
function numbered(events: readonly TraceEvent[]): TraceEvent[] {
  return events.map((event, i) => ({ ...event, seq: seq(i + 1), at: millis(i) }));
}

const trace = fc
  .record({
    of: fc.constantFrom(...all),
    from: fc.nat(1000),
    changes: fc.array(fc.tuple(fc.nat(MOST), change), { minLength: 1, maxLength: 12 }),
  })
  .map(({ of, from, changes }) => {
    const { events } = of;
    const start = Math.min(from, Math.max(0, events.length - MOST)) + 4;
    let some = [...events.slice(0, 4), ...events.slice(start, start + MOST)];
    for (const [place, one] of changes) some = changed(some, place % some.length, one);
    return numbered(some);
  });

describe('a bent recording', () => {
  test('is checked without a throw, and findings name frames it has', () => {
    fc.assert(
      fc.property(trace, (events) => {
        const { findings } = checkTrace(events, { remarksOf, passes: true });
        for (const { seqs, seen, due } of findings) {
          for (const one of seqs) expect(one >= 1 && one <= events.length).toBe(true);
          expect(seen.length).toBeLessThan(1000);
          expect(due).not.toBe('');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is judged alike each time', () => {
    fc.assert(
      fc.property(trace, (events) => {
        const once = checkTrace(events, { remarksOf });
        expect(checkTrace(events, { remarksOf }).findings).toEqual(once.findings);
      }),
      { numRuns: 30 },
    );
  });
});

/** Messages of a recording told `times` over, under ids of their own each time. */
function repeated(events: readonly TraceEvent[], times: number): TraceEvent[] {
  const told = Array.from({ length: times }, (_, round) =>
    events.flatMap((event): TraceEvent[] => {
      if (event.type !== 'frame' || !('text' in event.line)) return [];
      const text = event.line.text.replace(
        /"(id|requestId|sessionId|messageId|toolCallId|terminalId)":(?:"([^"]*)"|(\d+))/g,
        (_, key: string, word?: string, number?: string) =>
          number === undefined
            ? `"${key}":"${word ?? ''}-${round}"`
            : `"${key}":${Number(number) + round * 10_000}`,
      );
      return [{ ...event, line: { text } }];
    }),
  );
  return numbered(told.flat());
}

/** What maps and sets give out while `work` runs: loops over what was seen show in it. */
function given(work: () => void): number {
  let count = 0;
  const undo: (() => void)[] = [];
  for (const { prototype } of [Map, Set] as const) {
    const was = { values: prototype.values, entries: prototype.entries, keys: prototype.keys };
    const iterator = prototype[Symbol.iterator];
    const counted = (original: (this: unknown) => Iterator<unknown>) =>
      function* (this: unknown) {
        const items = original.call(this);
        for (let item = items.next(); item.done !== true; item = items.next()) {
          count++;
          yield item.value;
        }
      };
    const [values, entries, keys, all] = [was.values, was.entries, was.keys, iterator].map((one) =>
      counted(one as unknown as (this: unknown) => Iterator<unknown>),
    );
    Object.assign(prototype, { values, entries, keys, [Symbol.iterator]: all });
    undo.push(() => Object.assign(prototype, { ...was, [Symbol.iterator]: iterator }));
  }
  try {
    work();
  } finally {
    for (const one of undo) one();
  }
  return count;
}

describe('the work of checking', () => {
  const live = all.filter(({ name }) => /live/.test(name));
  test.each(live.map(({ name, events }) => [name, events] as const))(
    '%s: four times the frames, not more than four times the work',
    (_, events) => {
      const work = (times: number) => {
        const long = repeated(events, times);
        return given(() => checkTrace(long, { remarksOf }));
      };
      expect(work(16)).toBeLessThan(work(4) * 4 * 1.25 + 1000);
    },
  );

  const rpc = (body: string) => `{"jsonrpc":"2.0",${body}}`;
  const FLOODS: Readonly<Record<string, (i: number) => readonly [from: Side, line: string]>> = {
    'requests under one id': () => ['client', rpc('"id":7,"method":"session/list","params":{}')],
    'prompts that wait': (i) => [
      'client',
      rpc(`"id":${i + 9},"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}`),
    ],
    'updates of unknown sessions while requests wait': (i) =>
      i % 2 === 0
        ? ['client', rpc(`"id":${i + 9},"method":"session/list","params":{}`)]
        : [
            'agent',
            rpc(
              `"method":"session/update","params":{"sessionId":"x${i}","update":{"sessionUpdate":"usage_update"}}`,
            ),
          ],
    'answers to nothing while requests wait': (i) =>
      i % 2 === 0
        ? ['client', rpc(`"id":${i + 9},"method":"session/list","params":{}`)]
        : ['agent', rpc(`"id":"x${i}","result":{}`)],
  };
  test.each(Object.entries(FLOODS))('a flood of %s costs each of them the same', (_, frame) => {
    const session = [...draw(V1_SESSION)];
    const work = (frames: number) => {
      const flood = Array.from({ length: frames }, (_, i): TraceEvent => {
        const [from, text] = frame(i);
        const stamp = { seq: seq(1), at: millis(0) };
        return { ...stamp, type: 'frame', from, origin: 'peer', line: { text } };
      });
      return given(() => checkTrace(numbered([...session, ...flood])));
    };
    expect(work(2000)).toBeLessThan(work(500) * 4 * 1.25 + 1000);
  });

  test('findings of one kind are one finding, however many frames', () => {
    const frame = {
      type: 'frame',
      from: 'agent',
      origin: 'peer',
      line: { text: 'noise' },
    } as const;
    const noise = Array.from({ length: 5000 }, (): TraceEvent => {
      return { ...frame, seq: seq(1), at: millis(0) };
    });
    const { findings } = checkTrace(numbered(noise));
    const errors = findings.filter(({ severity }) => isAtLeast(severity, 'error'));
    expect(errors.map(({ rule, seqs }) => [rule, seqs.length])).toEqual([['frame/not-json', 5000]]);
  });
});

describe('a load that lacks an answer', () => {
  const picture = `${V1_SESSION}client →2 session/prompt s1 "Mend it"
    agent update s1 agent_message_chunk "Mended"
    agent ←2 result {"stopReason":"end_turn"}
    client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent update s1 user_message_chunk "Mend it"
    agent ←3 result {}`;
  const lacking = (text: string) =>
    checkTrace(draw(text)).findings.filter(
      ({ rule, verdict }) => rule === 'replay/missing-history' && verdict === 'fail',
    ).length;

  test('lacks the answer, and nothing if the answer came late', () => {
    expect(lacking(picture)).toBe(1);
    expect(lacking(`${picture}\nagent update s1 agent_message_chunk "Mended"`)).toBe(0);
  });
});
