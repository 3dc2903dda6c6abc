import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis } from '../lib/time.ts';
import { decodeUtf8, encodeUtf8 } from '../lib/utf8.ts';
import { seq, timeOf, type TraceEvent } from './event.ts';
import {
  eventLine,
  frameTextIn,
  headerLine,
  parseEvent,
  parseHeader,
  type Header,
  isUnreadable,
} from './format.ts';
import { lineBytes, lineOf, lineSize, lineText } from './line.ts';
import { LineReader, TraceReader, type TraceItem } from './read.ts';

const HEADER: Header = {
  format: 'acptrace',
  version: 1,
  created: '2026-11-21T10:00:00.000Z',
  tool: 'acp-scope 0.1.0',
  clock: 'monotonic',
};
const EVENTS: readonly TraceEvent[] = [
  { type: 'start', seq: seq(1), at: millis(0), argv: ['agent'], cwd: '/w' },
  {
    type: 'frame',
    seq: seq(2),
    at: millis(1.25),
    from: 'client',
    line: { text: '{"id":1}\r' },
    origin: 'composer',
  },
  {
    type: 'frame',
    seq: seq(3),
    at: millis(2),
    from: 'agent',
    line: { base64: '/w==' },
    origin: 'peer',
  },
  { type: 'exit', seq: seq(4), at: millis(3), code: 0 },
];
const file = (lines: readonly string[]) => encodeUtf8(lines.map((line) => `${line}\n`).join(''));

function read(bytes: Uint8Array, cuts: readonly number[] = []) {
  const reader = new TraceReader();
  const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  const items: TraceItem[] = at.slice(1).flatMap((end, i) => reader.push(bytes.slice(at[i], end)));
  return { items: [...items, ...reader.end()], reader };
}

describe('reading a trace', () => {
  const whole = file([headerLine(HEADER), ...EVENTS.map(eventLine)]);

  test('gives back header and events, however the file is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
        const { items, reader } = read(whole, cuts);
        expect(reader.header).toEqual(HEADER);
        expect(items.map((item) => ('event' in item ? item.event : item))).toEqual(EVENTS);
      }),
    );
  });

  test('written again, it is the same bytes', () => {
    const { items, reader } = read(whole);
    const events = items.map((item) => ('event' in item ? eventLine(item.event) : ''));
    expect(file([headerLine(reader.header ?? HEADER), ...events])).toEqual(whole);
  });

  test('I-03 R-57 cut at any byte, it loses at most the line that was cut, and says so', () => {
    const start = headerLine(HEADER).length + 1;
    for (let cut = start; cut < whole.length; cut++) {
      const { items } = read(whole.subarray(0, cut));
      const full = (decodeUtf8(whole.subarray(start, cut)) ?? '').split('\n').length - 1;
      const events = items.filter((item) => 'event' in item).length;
      const problems = items.filter((item) => 'problem' in item).length;
      expect(events).toBeGreaterThanOrEqual(full);
      expect(events + problems).toBeLessThanOrEqual(full + 1);
    }
  });

  test('a damaged line is named and the rest is read', () => {
    const { items } = read(
      file([headerLine(HEADER), '{"type":"frame"', eventLine(EVENTS[0] as TraceEvent)]),
    );
    expect(items).toMatchObject([{ problem: 'not a JSON object', line: 2 }, { event: EVENTS[0] }]);
  });

  test('R-61 a newer version is refused with both versions named', () => {
    const { reader } = read(file([JSON.stringify({ ...HEADER, version: 3 })]));
    expect(reader.problem).toBe(
      'This trace is format 3; this version reads up to 2. Update ACP Scope to open it.',
    );
  });

  test.each([
    ['version-1.jsonl', 1],
    ['version-2.jsonl', 2],
  ])(
    'R-60 a file of each version reads, and written again is the same bytes: %s',
    (name, version) => {
      const path = new URL(`../test/fixtures/format/${name}`, import.meta.url);
      const bytes = readFileSync(path);
      const { items, reader } = read(bytes);
      expect(reader.header?.version).toBe(version);
      const events = items.flatMap((item) => ('event' in item ? [item.event] : []));
      expect(events).toHaveLength(10);
      expect(events.some((event) => Number.isNaN(timeOf(event)))).toBe(version === 2);
      const again = file([headerLine(reader.header ?? HEADER), ...events.map(eventLine)]);
      expect(Buffer.from(again).equals(bytes)).toBe(true);
    },
  );

  test('version 1 has a time on every event; from version 2 on it may be absent, and stays so', () => {
    const line = '{"type":"exit","seq":1,"code":0}';
    const at = (version: number) => read(file([headerLine({ ...HEADER, version }), line])).items;
    expect(at(1)).toMatchObject([{ problem: 'at is not a number', line: 2 }]);
    const [item] = at(2);
    expect(item && 'event' in item && eventLine(item.event)).toBe(line);
    expect(item && 'event' in item && timeOf(item.event)).toBeNaN();
  });

  test('whatever has times or not, what is read is what was written', () => {
    const event = fc.record({
      type: fc.constant('stderr' as const),
      at: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined }),
      line: fc.record({ text: fc.string() }),
    });
    fc.assert(
      fc.property(fc.array(event), (all) => {
        const lines = all.map(({ at, ...rest }, i) =>
          JSON.stringify({ ...rest, seq: i + 1, ...(at !== undefined && { at }) }),
        );
        const { items } = read(file([headerLine({ ...HEADER, version: 2 }), ...lines]));
        expect(items.map((item) => 'event' in item && eventLine(item.event))).toEqual(lines);
      }),
    );
  });

  test.each(['', '[]', '{"format":"har"}', '\u0000'])('what is no trace is refused: %j', (text) => {
    expect(read(encodeUtf8(text)).reader.problem).toMatch(
      /^This (file is empty|is no trace that can be read)/,
    );
  });

  test('I-06 any JSON as an event is an event or a problem, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const event = parseEvent(text);
        expect(isUnreadable(event) ? event.problem : event.type).toMatch(/./);
      }),
    );
  });

  test.each([
    ['{"type":"start","argv":[1],"cwd":"/"}', 'argv is not a list of strings'],
    ['{"type":"start","argv":["a"]}', 'cwd is not a string'],
    ['{"type":"gap","count":0,"reason":"x"}', 'count is not a positive integer'],
    ['{"type":"gap","count":1}', 'reason is not a string'],
    ['{"type":"mark","target":1}', 'label is not a string'],
    [
      '{"type":"frame","from":"agent","origin":"peer","line":{}}',
      'line has neither text nor base64',
    ],
  ])('I-06 what is missing or of a wrong type is named: %s', (fields, problem) => {
    expect(parseEvent(JSON.stringify({ seq: 1, at: 0, ...JSON.parse(fields) }))).toEqual({
      problem,
    });
  });

  test('header fields of a wrong type are left out, those we do not know are kept', () => {
    const sound = { ...HEADER, name: 'n', later: [1] };
    const odd = { ...sound, argv: 'agent', cwd: 7, mode: 'spy' };
    expect(parseHeader(JSON.stringify(odd))).toEqual(sound);
  });

  test('fields we do not know are kept', () => {
    const text = '{"type":"exit","seq":1,"at":0,"code":3,"later":{"a":[1]}}';
    expect(eventLine(parseEvent(text) as TraceEvent)).toBe(text);
  });
});

describe('a line', () => {
  test('N3 holds any bytes exactly, and knows their number', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const line = lineOf(bytes);
        expect([...lineBytes(line)]).toEqual([...bytes]);
        expect(lineSize(line)).toBe(bytes.length);
      }),
    );
    fc.assert(
      // Longer than is measured at once, cut within a pair of surrogates or beside one that is alone.
      fc.property(fc.string({ unit: 'binary' }), fc.nat(70_000), (text, before) => {
        const long = 'x'.repeat(before) + text.repeat(before % 3) + '😀'.repeat(before % 9_000);
        expect(lineSize({ text })).toBe(encodeUtf8(text).length);
        expect(lineSize({ text: long })).toBe(encodeUtf8(long).length);
      }),
    );
  });

  test('R-03 R-04 invalid UTF-8 is kept as base64 and shown with U+FFFD; a BOM stays', () => {
    expect(lineText(lineOf(Uint8Array.of(0x7b, 0xff, 0x7d)))).toBe('{\uFFFD}');
    expect(lineOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toEqual({ text: '\uFEFF1' });
  });
});

test('the text of a frame is told out of its line as the event tells it, or not at all', () => {
  const [frame] = EVENTS.filter((event) => event.type === 'frame');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"},"origin":"peer"}', '\\', '{"line":{"text":"x"},"origin":"peer"}'),
  );
  const more = fc.constantFrom<object>({}, { cut: true }, { at: undefined }, { at: millis(1e-7) });
  fc.assert(
    fc.property(text, text, more, (said, other, fields) => {
      const line = eventLine({ ...frame, line: { text: said }, ...fields } as TraceEvent);
      expect(frameTextIn(line)).toBe('cut' in fields ? undefined : said);
      // Lines of others, which say the same in another way, or more.
      for (const [from, to] of [
        ['"origin":', `"x":${JSON.stringify(other)},"origin":`],
        ['"line":{', '"line":{"base64":"",'],
        ['},"origin"', ',"base64":""},"origin"'],
        ['{"type":"frame",', '{"type": "frame",'],
      ] as const)
        expect([undefined, said]).toContain(frameTextIn(line.replace(from, () => to)));
    }),
  );
  for (const event of EVENTS.filter((one) => one !== frame))
    expect(frameTextIn(eventLine(event))).toBeUndefined();
});

test('a line reader passes every byte after the header on, in whole lines, however the file is cut', () => {
  const line = fc.oneof(fc.constantFrom(...EVENTS.map(eventLine), '', 'noise'), fc.string());
  const parts = fc.array(fc.nat(40), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), parts, (lines, isTerminated, sizes) => {
      const body = lines.map((text) => text.replaceAll('\n', ' '));
      const text = [headerLine(HEADER), ...body].join('\n') + (isTerminated ? '\n' : '');
      const bytes = encodeUtf8(text);
      const [raw, parsed] = [new LineReader(), new TraceReader()];
      const [lineBytesRead, items] = [raw, parsed].map((reader) => {
        const read: Uint8Array[] = [];
        for (let at = 0, part = 0; at < bytes.length; part++) {
          const size = 1 + (sizes[part % sizes.length] ?? 0);
          read.push(...reader.push(bytes.slice(at, at + size)).map(({ bytes }) => bytes));
          at += size;
        }
        read.push(...reader.end().map(({ bytes }) => bytes));
        return read.map((one) => decodeUtf8(one)).join('\n');
      });
      expect(lineBytesRead).toBe(items);
      expect(raw.header).toEqual(parsed.header);
      expect(raw.line).toBe(parsed.line);
    }),
  );
});

test.each(['', 'x\n', '{"format":"acptrace","version":99}\n', '\n\n'])(
  'a line reader rejects what a trace reader rejects: %j',
  (text) => {
    const [raw, parsed] = [new LineReader(), new TraceReader()];
    for (const reader of [raw, parsed]) {
      expect(reader.push(encodeUtf8(text))).toEqual([]);
      reader.end();
    }
    expect(raw.problem).toBe(parsed.problem);
    expect(raw.problem).toBeDefined();
  },
);
