// Files of other tools: the same small session in each of their formats (see the fixtures' README).
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { senders } from '../../model/senders.ts';
import type { Frame, TraceEvent } from '../event.ts';
import { beganAt, eventLine } from '../format.ts';
import { lineText } from '../line.ts';
import { TraceReader, type Reader, type TraceItem } from '../read.ts';
import { unpackLogs } from './archive.ts';
import { FORMAT_FIELDS } from './format.ts';
import { AnyReader } from './sniff.ts';

const FIXTURES = new URL('../../test/fixtures/imports/', import.meta.url);
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(name, FIXTURES)));
const STORY = JSON.parse(
  readFileSync(new URL('story.json', FIXTURES), 'utf8'),
) as readonly (readonly ['client' | 'agent', string, number])[];
const T0 = 1785312000123;

interface Imported {
  readonly reader: Reader;
  readonly items: readonly TraceItem[];
  readonly events: readonly TraceEvent[];
  readonly frames: readonly Frame[];
}

function load(bytes: Uint8Array, size = bytes.length || 1): Imported {
  const reader = new AnyReader(senders);
  const items: TraceItem[] = [];
  for (let at = 0; at < bytes.length; at += size)
    items.push(...reader.push(bytes.slice(at, at + size)));
  items.push(...reader.end());
  const events = items.flatMap((item) => ('event' in item ? [item.event] : []));
  const frames = events.flatMap((event) => (event.type === 'frame' ? [event] : []));
  return { reader, items, events, frames };
}

async function archived(bytes: Uint8Array): Promise<Uint8Array> {
  const logs = unpackLogs(bytes);
  if (!logs.ok) throw new Error(logs.problem);
  const chunks = [];
  for await (const chunk of logs.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What was said and by whom; lines that the tools rebuilt have other key orders. */
const said = (frames: readonly Frame[]) =>
  frames.map(({ from, line }) => [from, parsed(lineText(line))]);
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};
const story = STORY.map(([from, text]) => [from, parsed(text)]);

const NAMES = [
  'acp-devtools.json',
  'acp-devtools-inspect.jsonl',
  'rust-conductor.jsons',
  'acp-inspector.jsonl',
  'zed.json',
  'acp-transport.log',
  'agent-shell.traffic',
  'mcp-inspector.json',
  'websocket.har',
  'http.har',
  'plain.txt',
  'prefixed.txt',
];

describe.each(NAMES)('%s', (name) => {
  const bytes = fixture(name);

  test('tells the whole session: every message, by whom, in the order it crossed', () => {
    const { frames } = load(bytes);
    const told = said(frames).filter(([, value]) => story.some(([, one]) => same(one, value)));
    expect(told.slice(0, story.length)).toEqual(story);
  });

  test('is the same, however it is cut into chunks', () => {
    const whole = load(bytes).items;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (size) => {
        expect(load(bytes, size).items).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  test('is a trace of ours then, that reads back as it was imported', () => {
    const { reader, events } = load(bytes);
    const lines = [
      reader.headerBytes ?? new Uint8Array(),
      ...events.map((one) => encodeUtf8(eventLine(one))),
    ];
    const again = new TraceReader();
    const text = Buffer.concat(lines.flatMap((line) => [line, encodeUtf8('\n')]));
    const items = [...again.push(text), ...again.end()];
    expect(again.header).toEqual(reader.header);
    expect(items.map((item) => 'event' in item && item.event)).toEqual(events);
  });

  test('I-06 however it is damaged, it is read or refused with a sentence, never an exception', () => {
    fc.assert(
      fc.property(
        fc.nat(bytes.length),
        fc.nat(bytes.length),
        fc.uint8Array({ maxLength: 9 }),
        (a, b, junk) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const damaged = Buffer.concat([bytes.subarray(0, from), junk, bytes.subarray(to)]);
          const { reader, events } = load(damaged);
          expect(events.length > 0 ? 'This is read' : reader.problem).toMatch(/^(This|Import)/);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('says by field what was given, inferred or lost', () => {
    const { report } = load(bytes).reader;
    expect(Object.keys(report?.fates ?? {}).sort()).toEqual([...FORMAT_FIELDS].sort());
  });
});

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, one]) => [key, sorted(one)]),
  );
}

describe('what each format keeps', () => {
  const times = (frames: readonly Frame[]) => frames.map(({ at }) => at);
  const storyTimes = STORY.map(([, , at]) => at);

  test('acp-devtools: exact lines, the wall clock, the command, and a line that is no JSON', () => {
    const { reader, events, frames } = load(fixture('acp-devtools.json'));
    expect(reader.header).toMatchObject({ tool: 'acp-devtools 0.4.0', clock: 'wall' });
    expect(reader.header && beganAt(reader.header)).toBe(T0);
    expect(events[0]).toMatchObject({ type: 'start', argv: ['npx', '-y', 'some-agent', '--acp'] });
    expect(frames.map(({ line }) => lineText(line))).toContain('Loading model…');
    expect(frames[0]).toMatchObject({ at: 5, line: { text: STORY[0]?.[1] } });
    expect(frames.some(({ inferred }) => inferred)).toBe(false);
    expect(events.at(-1)).toMatchObject({ type: 'exit', at: 9000 });
    expect(events.at(-1), 'an end of which no more is said is no fault').not.toHaveProperty(
      'problem',
    );
  });

  test('acp-devtools: a redacted line is marked as made again', () => {
    const text = Buffer.from(fixture('acp-devtools.json'))
      .toString()
      .replace('I rename it.', '<REDACTED>');
    const { frames, reader } = load(encodeUtf8(text));
    expect(frames.filter(({ inferred }) => inferred?.includes('line'))).toHaveLength(1);
    expect(reader.report?.rebuilt).toBe(1);
  });

  test('Rust conductor: the hop of the client; other hops and MCP are told and kept', () => {
    const { items, frames, reader } = load(fixture('rust-conductor.jsons'));
    expect(frames).toHaveLength(STORY.length);
    expect(frames.every(({ inferred }) => inferred?.[0] === 'line')).toBe(true);
    expect(reader.header?.clock).toBe('imported');
    const problems = items.flatMap((item) => ('problem' in item ? [item.problem] : []));
    expect(new Set(problems)).toEqual(
      new Set([
        'of another hop, Proxy(0) to Agent',
        'of another hop, Agent to Proxy(0)',
        'a message of MCP, not of ACP',
      ]),
    );
    expect(reader.report).toMatchObject({ odd: 13, rebuilt: STORY.length });
  });

  test('ACP Inspector: a gap for what it dropped, and an end where the next connection begins', () => {
    const { events, frames } = load(fixture('acp-inspector.jsonl'));
    expect(events[0]).toEqual({ type: 'gap', seq: 1, count: 3, reason: expect.any(String) });
    expect(frames[0]).toMatchObject({ seq: 4, at: 0, line: { text: STORY[0]?.[1] } });
    expect(times(frames.slice(0, STORY.length))).toEqual(storyTimes);
    const ends = events.filter(({ type }) => type === 'exit');
    expect(ends).toEqual([{ type: 'exit', seq: 15, at: expect.any(Number) }]);
  });

  test('Zed: no times, lines made again, an error known by its code, stderr in its place', () => {
    const { reader, events, frames } = load(fixture('zed.json'));
    expect(times(frames).every((at) => at === undefined)).toBe(true);
    expect(reader.header).toMatchObject({ version: 2, clock: 'imported', tool: 'Zed' });
    expect(events[2]).toMatchObject({ type: 'stderr', line: { text: 'warning: no config found' } });
    expect(lineText(frames.at(-1)?.line ?? { text: '' })).toBe(
      '{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown mode: none"}}',
    );
    expect(reader.report).toMatchObject({ untimed: STORY.length, rebuilt: STORY.length });
  });

  test('JetBrains: time since the IDE began, exact lines, other entries told', () => {
    const { frames, reader } = load(fixture('acp-transport.log'));
    expect(times(frames)).toEqual(storyTimes);
    expect(frames.map(({ line }) => lineText(line))).toEqual(STORY.map(([, text]) => text));
    expect(reader.report?.odd).toBe(3);
  });

  test('JetBrains: the archive gives its rolled transport logs in their order', async () => {
    const bytes = await archived(fixture('jetbrains-acp-logs.zip'));
    expect(said(load(bytes).frames)).toEqual(story);
  });

  test('agent-shell: what Emacs reads alike becomes {}; labels are followed', () => {
    const { frames } = load(fixture('agent-shell.traffic'));
    expect(lineText(frames[1]?.line ?? { text: '' })).toMatch(/^\{"jsonrpc":"2.0","id":0,"result"/);
    const nil = load(
      encodeUtf8('(((:direction . outgoing) (:object (a) (b . nil) (c . :false) (d . []))))'),
    );
    expect(nil.frames.map(({ line }) => lineText(line))).toEqual([
      '{"a":{},"b":{},"c":false,"d":[]}',
    ]);
  });

  test('MCP Inspector: answers come where their time puts them', () => {
    const { frames } = load(fixture('mcp-inspector.json'));
    expect(times(frames)).toEqual(storyTimes);
  });

  test('HAR: bytes of binary messages, and what is no message told', () => {
    const { events, frames, reader } = load(fixture('websocket.har'));
    expect(events[0]).toMatchObject({ type: 'start', argv: ['ws://127.0.0.1:3000/acp'] });
    expect(times(frames).map((at) => Math.round(at ?? NaN))).toEqual(storyTimes);
    expect(reader.header).toMatchObject({ tool: 'WebInspector 537.36' });
    expect(reader.report).toMatchObject({ odd: 1, firstOdd: expect.stringContaining('error') });
  });

  test('plain lines: who sent them is concluded, and marked so', () => {
    const { frames, reader } = load(fixture('plain.txt'));
    expect(frames.every(({ inferred }) => inferred?.[0] === 'from')).toBe(true);
    expect(frames.map(({ line }) => lineText(line))).toEqual(STORY.map(([, text]) => text));
    expect(reader.report).toMatchObject({ guessed: STORY.length, untimed: STORY.length });
  });

  test('plain lines: an arrow is believed once methods have shown which way it points', () => {
    const agents = [
      'in  {"id":1,"method":"session/new"}',
      'out {"id":1,"result":{}}',
      'out {"method":"x"}',
    ];
    expect(load(encodeUtf8(agents.join('\n'))).frames.map(({ from }) => from)).toEqual([
      'client',
      'agent',
      'agent',
    ]);
  });
});

describe('numbers and keys of what is made again', () => {
  test('stay as they were written', () => {
    const text =
      '[{"_direction":"outgoing","_type":"request","id":9007199254740993,"method":"x","params":{"b":1.0,"a":[ 2 ]}}]';
    expect(load(encodeUtf8(text)).frames.map(({ line }) => lineText(line))).toEqual([
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"x","params":{"b":1.0,"a":[2]}}',
    ]);
  });
});

describe('a file of a stranger', () => {
  test('I-06 any bytes are read or refused with a sentence, never an exception', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ unit: 'binary' }).map(encodeUtf8),
    );
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 50 }), (file, size) => {
        const { reader, events } = load(file, size);
        if (events.length === 0) expect(reader.problem).toMatch(/^(This|Import)/);
      }),
      { numRuns: 300 },
    );
  });

  test('I-06 any JSON and any list of Emacs alike', () => {
    const shapes = fc.oneof(
      fc.json(),
      fc
        .json()
        .map(
          (json) =>
            `[{"_direction":"outgoing","_type":"request","id":1,"method":"m","params":${json}}]`,
        ),
      fc.json().map((json) => `{"version":1,"session":${json},"messages":[${json}]}`),
      fc
        .json()
        .map(
          (json) =>
            `{"log":{"entries":[{"_webSocketMessages":[${json},{"type":"send","data":${json}}]}]}}`,
        ),
      fc
        .json()
        .map((json) => `[{"direction":"request","timestamp":${json},"message":{"a":${json}}}]`),
      fc.stringMatching(/^\(\(\(:direction \. outgoing\) [()[\]. "#=;\\a-z0-9:]{0,60}$/),
    );
    fc.assert(
      fc.property(shapes, (text) => {
        expect(() => load(encodeUtf8(text))).not.toThrow();
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ['nested deep', '['.repeat(300_000) + ']'.repeat(300_000)],
    [
      'nested deep in a record',
      `[{"_direction":"outgoing","_type":"request","id":1,"method":"x","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
    ],
    ['a list nested deep', `(((:direction . outgoing) (:object ${'('.repeat(100_000)}`],
    ['a million empty lines', '\n'.repeat(1_000_000)],
    [
      'a list that repeats itself',
      `(((:direction . outgoing) (:object (a0 . #1=[1 1 1 1]) ${Array.from({ length: 30 }, (_, i) => `(a${i + 1} . #${i + 2}=[${`#${i + 1}# `.repeat(8)}])`).join(' ')})))`,
    ],
    [
      'labels that nest deeper than the text',
      `(((:direction . outgoing) (:object (a . #1=[1]) ${Array.from({ length: 200 }, (_, i) => `(a . #${i + 2}=${'['.repeat(400)}#${i + 1}#${']'.repeat(400)})`).join(' ')})))`,
    ],
    [
      'one message that it has a hundred times',
      `(#1=((:direction . outgoing) (:object (a . "${'x'.repeat(2_000_000)}"))) ${'#1# '.repeat(100)})`,
    ],
  ])('I-02 that is made to be too much costs little: %s', (_, text) => {
    const { reader, events } = load(encodeUtf8(text));
    // Labels are repeated until the text has 64 MiB more than the file.
    expect(events.length).toBeLessThan(45);
    if (events.length === 0) expect(reader.problem).toMatch(/^This/);
  });

  test('a first line of a megabyte is judged whole, in every format', () => {
    const long = 'x'.repeat(1024 * 1024);
    const message = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { long } });
    const recorded = JSON.stringify({ t: 0, dir: 'agent-to-client', raw: message });
    const zed = JSON.stringify([{ _direction: 'incoming', _type: 'notification', method: long }]);
    for (const text of [message, `${message}\n`, `${recorded}\n`, recorded, zed])
      expect(load(encodeUtf8(text), 65_536).frames).toHaveLength(1);
  });

  test('an unknown one is told what was looked at and what would help', () => {
    const { problem } = load(encodeUtf8('{"a":1,"b":{"c":2}}\n')).reader;
    expect(problem).toContain('an object with the keys a, b');
    expect(problem).toContain('logs with JSON-RPC messages');
    expect(load(encodeUtf8('hello\nworld\n')).reader.problem).toContain(
      'text without a JSON-RPC message',
    );
    expect(load(Uint8Array.of(0x89, 0x50, 0, 1)).reader.problem).toContain(
      'bytes that are no text',
    );
  });

  test('S-09 its own words in a sentence of ours hold nothing that a terminal obeys', () => {
    const esc = '\\u001b]0;x\\u0007\u009b31m';
    const hop = `{"type":"notification","ts":1,"from":"${esc}","to":"b","method":"m"}`;
    const client = '{"type":"notification","ts":1,"from":"Client","to":"b","method":"m"}';
    const { items } = load(encodeUtf8(`${client}\n${hop}\n`));
    const unknown = load(encodeUtf8(`{"${esc}":1}`)).reader.problem ?? '';
    const said = items.flatMap((item) => ('problem' in item ? [item.problem] : []));
    expect(said).toHaveLength(1);
    for (const words of [...said, unknown])
      expect(words).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  test('a line that holds no message is told and kept, and the rest is read', () => {
    const { items } = load(encodeUtf8('starting\n{"id":1,"method":"session/new"}\noops\n'));
    expect(items).toMatchObject([
      { problem: 'no JSON-RPC message', line: 1 },
      { event: { type: 'frame', from: 'client' } },
      { problem: 'no JSON-RPC message', line: 3 },
    ]);
  });
});
