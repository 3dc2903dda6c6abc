import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isArray, isObject, parseJson } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { millis } from '../../lib/time.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { diffTraces } from './diff.ts';
import { DIFF_VIEWS, type DiffOptions, type TraceDiffReport } from './report/report.ts';
import { alignTokens } from '../../lib/align.ts';
import { textChange } from '../../model/text-change.ts';

const all = recordings();
const recorded = fc.constantFrom(...all.map(({ events }) => events));
const NOW = () => Promise.resolve();

function compare(
  a: readonly TraceEvent[],
  b: readonly TraceEvent[],
  options?: DiffOptions,
): Promise<TraceDiffReport> {
  const [left, right] = sourcesOf([a, b]);
  if (!left || !right) throw new Error('two traces were given');
  return diffTraces(left, right, options);
}

test('a trace is equal to itself, in every view', async () => {
  for (const [at, { name, events }] of all.entries())
    // Every view of some, the story of all.
    for (const view of at % 5 === 0 ? DIFF_VIEWS : (['story'] as const)) {
      const { equal, differences } = await compare(events, events, { view, ignore: [] });
      expect({ name, view, differences }).toEqual({ name, view, differences: [] });
      expect(equal).toBe(true);
    }
});

async function pairsOf(a: readonly number[], b: readonly number[]) {
  const { partner } = await alignTokens(Int32Array.from(a), Int32Array.from(b), NOW);
  return [...partner].flatMap((j, i) => (j < 0 ? [] : [[i, j] as const]));
}
const tokens = fc.array(fc.nat(6), { maxLength: 60 });
test('an alignment is a common subsequence, and no shorter than what was left of one', async () => {
  await fc.assert(
    fc.asyncProperty(
      tokens,
      tokens,
      fc.array(fc.boolean(), { maxLength: 60 }),
      async (a, b, keep) => {
        const pairs = await pairsOf(a, b);
        pairs.forEach(([i, j], at) => {
          expect(a[i]).toBe(b[j]);
          const [x, y] = pairs[at - 1] ?? [-1, -1];
          expect(i > x && j > y).toBe(true);
        });
        const part = a.filter((_, at) => keep[at]);
        expect(await pairsOf(a, part)).toHaveLength(part.length);
      },
    ),
  );
});

test('a long alignment without anchors, or with too many edits, is one too', async () => {
  const long = (seed: number) =>
    Int32Array.from({ length: 6000 }, (_, at) => (Math.imul(at + seed, 2654435761) >>> 24) % 7);
  for (const [one, other] of [
    [long(1), long(1).filter((_, at) => at % 50 !== 3)],
    [long(1), long(77)],
  ] as const) {
    const pairs = await pairsOf([...one], [...other]);
    expect(pairs.every(([i, j]) => one[i] === other[j])).toBe(true);
    expect(
      pairs.every(([i, j], at) => i > (pairs[at - 1]?.[0] ?? -1) && j > (pairs[at - 1]?.[1] ?? -1)),
    ).toBe(true);
    expect(pairs.length).toBeGreaterThan(1000);
  }
});

test('of a long text, the words of a line are told, and of a language without spaces the signs', () => {
  const lines = Array.from({ length: 500 }, (_, at) => `line ${at} of the file`);
  const before = lines.join('\n');
  const after = lines.with(250, 'line 250 of this file').join('\n');
  expect(textChange(before, after).filter(({ how }) => how !== 'same')).toEqual([
    { how: 'gone', text: 'the' },
    { how: 'new', text: 'this' },
  ]);
  expect(textChange('设置重试五次', '设置重试三次')[1]).toEqual({ how: 'gone', text: '五' });
});

test('both texts stand in their merge', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const spans = textChange(a, b);
      const side = (other: 'gone' | 'new') =>
        spans.map(({ how, text }) => (how === other ? '' : text)).join('');
      expect([side('new'), side('gone')]).toEqual([a, b]);
    }),
  );
});

const ID_KEYS = /"(?:sessionId|toolCallId|messageId|terminalId|planId)":"([^"\\]{6,})"/g;

/** What differs in any two runs is another: ids wherever they stand, requests, folders, times, versions. */
function renamed(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const ids = new Set<string>();
  for (const event of events)
    if (event.type === 'frame' && 'text' in event.line)
      for (const [, id] of event.line.text.matchAll(ID_KEYS)) if (id !== undefined) ids.add(id);
  const longest = [...ids].sort((one, other) => other.length - one.length);
  const texts = (text: string, key: string): string => {
    let other = text;
    longest.forEach((id, at) => (other = other.replaceAll(id, `renamed-${at}-x`)));
    other = other
      .replace(/\bhome\/(\w+)/g, 'Users/of-$1')
      .replace(/(?<![\w.-])\/tmp\/([\w-]+)/g, '/var/folders/ab/cd/T/of-$1')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d/g, '2031-02-03T04:05');
    return key === 'version' ? `9.${other}` : other;
  };
  const values = (value: Json, key: string): Json => {
    if (typeof value === 'string') return texts(value, key);
    if (typeof value === 'number') return /timestamp|[a-z]At$|durationMs/.test(key) ? 77 : value;
    if (isArray(value)) return value.map((item) => values(item, key));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([inner, item]) => [texts(inner, ''), values(item, inner)]),
    );
  };
  return events.map((event) => {
    const json = event.type === 'frame' ? parseJson(lineText(event.line)) : undefined;
    if (event.type !== 'frame' || !isObject(json)) return event;
    const { id, ...rest } = json;
    const other = values(rest, '');
    const named = typeof id === 'number' ? `request ${id + 7}` : id;
    const text = JSON.stringify({
      ...(id !== undefined && { id: named }),
      ...(isObject(other) && other),
    });
    return { ...event, line: { text } };
  });
}

test('what differs in any two runs is no difference, in any recording', async () => {
  for (const [at, { name, events }] of all.entries())
    for (const view of [
      'story',
      ...(at % 3 === 0 ? (['frames', 'state'] as const) : []),
    ] as const) {
      const { differences } = await compare(events, renamed(events), { view, ignore: [] });
      expect({ name, view, differences }).toEqual({ name, view, differences: [] });
    }
});

function numbered(events: readonly TraceEvent[]): readonly TraceEvent[] {
  return events.map((event, at) => ({ ...event, seq: seq(at + 1), at: millis(at) }));
}

const eventsOf = (part: string) => all.find(({ name }) => name.includes(part))?.events ?? [];
/** Its sessions tell the same of themselves twice; before the prompt's first words that has no order. */
const delegating = eventsOf('codex-acp/2.6.0/child-live-v1');
/** Without these, a later message begins as one that was taken out, and a call with other words. */
const delegated = eventsOf('claude-agent-acp/0.100.0/child-replay-v2');
const BEGINNINGS = [1792756334, 2003923133, 1376930582, 0];

test('frames that were taken out are missing, and nothing else differs', async () => {
  await fc.assert(
    fc.asyncProperty(
      recorded,
      fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
      async (events, where) => {
        // What announces a child makes its frames part of a replay: without it they count as live.
        const updates = events.flatMap((event, at) =>
          event.type === 'frame' &&
          'text' in event.line &&
          event.line.text.includes('session/update') &&
          !event.line.text.includes('"subagent_update"')
            ? [at]
            : [],
        );
        const gone = new Set(
          where.flatMap((at) => updates[at % Math.max(1, updates.length)] ?? []),
        );
        const left = numbered(events.filter((_, at) => !gone.has(at)));
        // A chunk of no text is missed by nobody who joins them.
        const options = { view: 'frames', ignore: [], eachChunk: true } as const;
        const report = await compare(events, left, options);
        expect(report.counts).toMatchObject({ missing: gone.size, extra: 0, changed: 0, moved: 0 });
        expect(report.differences.every(({ kind }) => kind === 'missing')).toBe(true);
      },
    ),
    {
      numRuns: 25,
      examples: [
        [delegating, [1761214807, 1142185228, 0]],
        [delegated, BEGINNINGS],
      ],
    },
  );
});

test('rows hold every entry of each side once, and lead from the left to the right', async () => {
  await fc.assert(
    fc.asyncProperty(recorded, recorded, async (a, b) => {
      for (const view of ['story', 'frames'] as const) {
        const { rows, compared, counts } = await compare(a, b, { view });
        const shown = Array.from({ length: rows.length }, (_, row) => rows.row(row));
        const sizes = (side: 'a' | 'b') =>
          shown.reduce(
            (sum, row) => sum + (view === 'frames' ? (row[side]?.frames ?? 0) : row[side] ? 1 : 0),
            0,
          );
        expect([sizes('a'), sizes('b')]).toEqual([compared.a, compared.b]);
        expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(rows.length);
      }
    }),
    { numRuns: 8 },
  );
});

test('whatever becomes of real traces, a report comes of them', async () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(3)), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(recorded, recorded, edits, async (a, b, changes) => {
      for (const view of DIFF_VIEWS) {
        const { rows } = await compare(a, changes.reduce(mutated, b), { view });
        for (let row = 0; row < rows.length; row++) expect(rows.row(row)).toBeDefined();
      }
    }),
    { numRuns: 6 },
  );
});

function mutated(
  events: readonly TraceEvent[],
  [at, how]: readonly [number, number],
): readonly TraceEvent[] {
  const place = at % Math.max(1, events.length);
  const event = events[place];
  if (event?.type !== 'frame' || !('text' in event.line)) return events;
  const { text } = event.line;
  const texts = [
    text.slice(0, text.length / 2),
    text.replace(/"(\w+)":/, '"__proto__":'),
    text.replace(/"(?:[^"\\]|\\.)*"(?=[,}\]])/, '[[null,1e400]]'),
    '[1,{"id":2}]',
  ];
  const changed = { ...event, line: { text: texts[how] ?? '' } };
  return numbered([...events.slice(0, place), changed, ...events.slice(place + 1)]);
}
