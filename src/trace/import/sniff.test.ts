import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { AnyReader } from './sniff.ts';
import { recorderLine } from './recorder.ts';

const RECORDED = [
  '{"t":0,"dir":"client-to-agent","raw":"{\\"id\\":1}"}',
  '{"t":1.5,"dir":"stderr","raw":"words"}',
  '{"t":2,"dir":"agent-to-client","raw":"not json"}',
];

function read(text: string | Uint8Array, size: number) {
  const reader = new AnyReader();
  const bytes = typeof text === 'string' ? encodeUtf8(text) : text;
  const items = [];
  for (let i = 0; i < bytes.length; i += size) items.push(...reader.push(bytes.slice(i, i + size)));
  items.push(...reader.end());
  return { reader, items };
}

describe('opening a file of unknown format', () => {
  test('the recorder format is known by its first line, and comes back as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        const { items, reader } = read(RECORDED.join('\n') + '\n', size);
        expect(reader.header?.clock).toBe('imported');
        expect(
          items.map((item) => ('event' in item ? recorderLine(item.event) : undefined)),
        ).toEqual(RECORDED);
      }),
    );
  });

  test('lines of it without a time have none, and come back as they were', () => {
    const bare = RECORDED.map((line) => line.replace(/"t":[\d.]+,/, ''));
    const { items, reader } = read(bare.join('\n') + '\n', 30);
    expect(reader.header?.version).toBe(2);
    expect(items.map((item) => ('event' in item ? recorderLine(item.event) : undefined))).toEqual(
      bare,
    );
  });

  test('behind a byte order mark it is read from line 1 on', () => {
    const { items } = read(`\ufeff${RECORDED.join('\n')}\n`, 40);
    expect(items.map((item) => ('event' in item ? recorderLine(item.event) : undefined))).toEqual(
      RECORDED,
    );
  });

  test('a trace behind a byte order mark is read, and written again is the same bytes', () => {
    const path = new URL('../../test/fixtures/format/version-2.jsonl', import.meta.url);
    const text = `\ufeff${readFileSync(path, 'utf8')}`;
    const { items, reader } = read(text, 50);
    expect([reader.problem, reader.header?.version]).toEqual([undefined, 2]);
    expect(items.filter((item) => 'event' in item)).toHaveLength(10);
    const lines = [reader.headerBytes ?? new Uint8Array(), ...items.map(({ bytes }) => bytes)];
    expect(lines.map((line) => `${decodeUtf8(line)}\n`).join('')).toBe(text);
  });

  test('its seqs begin at 1 and have no holes', () => {
    const { items } = read(RECORDED.join('\n'), 7);
    expect(items.map((item) => 'event' in item && item.event.seq)).toEqual([1, 2, 3]);
  });

  test('a line that is cut or foreign is named and the rest is read', () => {
    const { items } = read([RECORDED[0], '{"t":1,"dir":"side', RECORDED[1]].join('\n'), 50);
    expect(items).toMatchObject([
      { event: { type: 'frame', from: 'client' } },
      { problem: 'not a line of the recorder format', line: 2 },
      { event: { type: 'stderr' } },
    ]);
  });

  test.each([RECORDED[0] ?? '', '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'])(
    'a line in another encoding is named, and no letter of it is made up: %j',
    (line) => {
      const bytes = Buffer.from(`${line}\n${line.replace('id', 'ié')}\n${line}\n`, 'latin1');
      expect(read(new Uint8Array(bytes), 9).items).toMatchObject([
        { event: { type: 'frame' } },
        { problem: 'not UTF-8', line: 2 },
        { event: { type: 'frame' } },
      ]);
    },
  );

  test.each([
    [
      'a HAR file without JSON-RPC messages of HTTP or of a WebSocket',
      Buffer.from('{"log":{"creator":{"name":"x"},"entries":[{"request":{}}]}}'),
    ],
  ])('what is wrong with it is said: %s', (words, bytes) => {
    expect(read(new Uint8Array(bytes), 50).reader.problem).toContain(words);
  });

  test.each(['', 'PNG', '{"log":{"entries":[]}}\n'])(
    'anything else is refused with a sentence: %j',
    (text) => {
      expect(read(text, 3).reader.problem).toMatch(/^This /);
    },
  );
});

test.each([
  ['a trace', '{"format":"acptrace","version":1,"created":"2026-11-22T10:00:00.000Z"}\n', 2],
  ['the recorder format', '{"t":1,"dir":"stderr","raw":"x"}\n', 2],
  ['plain lines', '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n', 2],
  ['nothing that is known', '', 1],
])('attack row 12 (I-02) a line without end is given up, in %s', (_, head, line) => {
  const reader = new AnyReader();
  const piece = new Uint8Array(1024 * 1024).fill(0x78);
  let given = 0;
  const lines = [...reader.push(encodeUtf8(head.repeat(line - 1)))];
  for (; reader.problem === undefined && given < 600; given++) lines.push(...reader.push(piece));
  expect(reader.problem).toBe(`Import stopped: line ${line} is longer than 256 MiB.`);
  expect(given).toBe(257);
  expect(reader.push(piece)).toEqual([]);
  expect(reader.end()).toEqual([]);
});

test.each([
  ['empty', '\n'],
  ['short', 'x\n'],
])('I-02 of %s lines without an event only so many are read, and no more', (_, line) => {
  const reader = new AnyReader(undefined, { mostOdd: 1000 });
  const event = '{"type":"exit","seq":1,"at":1,"code":0}\n';
  reader.push(
    encodeUtf8('{"format":"acptrace","version":1,"created":"2026-11-22T10:00:00.000Z"}\n'),
  );
  const piece = encodeUtf8(line.repeat(100));
  for (let given = 0; given < 9; given++) expect(reader.push(piece).length).toBe(100);
  expect(reader.push(encodeUtf8(event))).toHaveLength(1);
  let given = 0;
  for (; reader.problem === undefined && given < 100; given++) reader.push(piece);
  expect(given).toBe(10);
  expect(reader.problem).toBe('Import stopped: line 1902 is the last of 1,000 without an event.');
  expect(reader.header).toBeDefined();
  expect([...reader.push(piece), ...reader.end()]).toEqual([]);
});

test.each(['[a] ', '[INFO] ', '[{} ', '[[] , '])(
  'I-06 a line of %j again and again is no message, and the lines beside it are read',
  (unit) => {
    const good = '2026-11-29T10:00:00Z [INFO] [agent] -> {"id":1,"method":"session/new"}';
    const bad = unit.repeat(100_000);
    const message = '{"id":2,"method":"session/new"}';
    const { items } = read(`${good}\n${bad}\n${bad}${message}\n${good}\n`, 65_536);
    expect(items).toMatchObject([
      { event: { line: { text: '{"id":1,"method":"session/new"}' } } },
      { problem: 'no JSON-RPC message', line: 2 },
      { problem: 'no JSON-RPC message', line: 3 },
      { event: { type: 'frame' } },
    ]);
  },
);
