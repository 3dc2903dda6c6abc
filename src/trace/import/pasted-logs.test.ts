// Logs as people paste them into reports. Each holds the same small session, or the part of it that the log kept.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { senders } from '../../model/senders.ts';
import type { Frame, TraceEvent } from '../event.ts';
import { lineText } from '../line.ts';
import { AnyReader } from './sniff.ts';

const CASES = new URL('../../test/cases/logs/', import.meta.url);
const caseOf = (name: string) => new Uint8Array(readFileSync(new URL(name, CASES)));
const linesOf = (name: string) => readFileSync(new URL(name, CASES), 'utf8').trim().split('\n');

function load(file: string | Uint8Array, part = 0, size = 97) {
  const reader = new AnyReader(senders, { part });
  const bytes = typeof file === 'string' ? encodeUtf8(file) : file;
  const items = [];
  for (let at = 0; at < bytes.length; at += size)
    items.push(...reader.push(bytes.slice(at, at + size)));
  items.push(...reader.end());
  const events = items.flatMap((item): readonly TraceEvent[] =>
    'event' in item ? [item.event] : [],
  );
  const frames = events.filter((event): event is Frame => event.type === 'frame');
  const sides = frames.map(({ from }) => from[0]).join('');
  return { reader, items, events, frames, sides, texts: frames.map(({ line }) => lineText(line)) };
}

/** The session that the logs hold: its lines, and who sent each. */
const SENT = linesOf('21-stdin.log');
const RECEIVED = linesOf('21-stdout.log');
const STORY = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map((_, at) => at);
const SIDES = 'cacacaacca';
const session = (() => {
  const [sent, received] = [[...SENT], [...RECEIVED]];
  return [...SIDES].map((side) => (side === 'c' ? sent : received).shift() ?? '');
})();
const parsed = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as unknown);
const second = (at: number) => new Date(Date.UTC(2026, 10, 28, 10, 0, at)).toISOString();

test('the session is whole', () => {
  expect(STORY).toHaveLength(session.length);
  expect(session.every((line) => line !== '')).toBe(true);
});

describe('a log of the cases', () => {
  test.each([
    ['02b-rust-tracing-ansi.log', [0, 1037, 2074], 'wall'],
    ['20-journald.log', [0, 1000, 2000], 'imported'],
  ] as const)('%s: exact lines, their senders and times', (name, times, clock) => {
    const { reader, texts, sides, frames } = load(caseOf(name));
    expect([texts, sides]).toEqual([session, SIDES]);
    expect(frames.slice(0, 3).map(({ at }) => at)).toEqual(times);
    expect(reader.header?.clock).toBe(clock);
  });

  test('10: messages that a report in Markdown prints over several lines', () => {
    const { texts, sides, items, frames } = load(caseOf('10-issue-markdown.md'));
    expect([parsed(texts), sides]).toEqual([parsed(session), SIDES]);
    expect(frames.every(({ inferred }) => inferred?.includes('line'))).toBe(true);
    expect(items.flatMap((item) => ('problem' in item ? [item.line] : []))).toEqual([1, 152]);
  });

  test('16: objects that hold a message, a direction and a time', () => {
    const { reader, texts, sides, frames } = load(caseOf('16-wrapped-objects.jsonl'));
    expect([parsed(texts), sides]).toEqual([parsed(session), SIDES]);
    expect(reader.header).toMatchObject({ clock: 'wall', created: '2026-11-28T10:00:00.000Z' });
    expect(frames[1]?.at).toBe(1037);
  });

  test.each([
    ['21-stdin.log', 'ccccc', SENT],
    ['21-stdout.log', 'aaaaa', RECEIVED],
  ])('%s: one direction alone, also of responses that name an open id', (name, sides, lines) => {
    const read = load(caseOf(name));
    expect([read.sides, read.texts, read.reader.onlySide]).toEqual([
      sides,
      lines,
      sides.startsWith('c') ? 'client' : 'agent',
    ]);
  });

  test('22: a message that the logger cut off is a gap in its place', () => {
    const { events, reader } = load(caseOf('22-cut-lines.log'));
    expect(events.map(({ type }) => type[0]).join('')).toBe('ggffggffff');
    expect(events[1]).toMatchObject({ seq: 2, at: 1037, count: 1, hole: 'cut' });
    expect(reader.report).toMatchObject({ cut: 4, odd: 0, frames: 6 });
  });

  test('26: lines of two processes are two traces', () => {
    const [first, other] = [
      load(caseOf('26-two-processes.log')),
      load(caseOf('26-two-processes.log'), 1),
    ];
    for (const { texts, sides } of [first, other]) expect([texts, sides]).toEqual([session, SIDES]);
    expect(first.reader.parts).toEqual(['pid 10', 'pid 11']);
    expect([first, other].map(({ reader }) => reader.header?.name)).toEqual(['pid 10', 'pid 11']);
  });

  test('br: the sentence names the line and what it lacks, and calls nothing damaged', () => {
    const { reader } = load(caseOf('br.log'));
    expect(reader.problem).toContain('line 1 (`[a] [a]');
    expect(reader.problem).toContain('text without a JSON-RPC message');
    expect(reader.problem).not.toMatch(/damaged|cut off/);
  });
});

/** One line for each message; `way` has an arrow, `at` counts from 0. */
const logOf = (line: (text: string, side: string, at: number) => string) =>
  session.map((text, at) => line(text, SIDES[at] ?? '', at)).join('\n');
const arrow = (side: string) => (side === 'c' ? '->' : '<-');
const word = (side: string, out: string, into: string) => (side === 'c' ? out : into);

describe('text around a message', () => {
  test.each<[string, string]>([
    [
      'a level and a name',
      logOf((text, side, at) => `${second(at)} DEBUG [acp] ${arrow(side)} ${text}`),
    ],
    [
      'a quote after it',
      logOf((text, side) => `recv="${side}" ${word(side, 'send', 'recv')}: '${text}'`),
    ],
    [
      'an escaped string',
      logOf((text, side) => `${word(side, 'Sending', 'Received')} line=${JSON.stringify(text)}`),
    ],
    ['bytes of Python', logOf((text, side) => `${word(side, 'write', 'read')} b'${text}\\n'`)],
    ['a duration after it', logOf((text, side) => `${arrow(side)} ${text} (12 ms)`)],
    [
      'a span of tracing',
      logOf((text, side) => `rpc{id=1 side="x"}: ${word(side, 'send', 'recv')} ${text}`),
    ],
    [
      'colours',
      logOf((text, side) => `\u001b[1;32m${arrow(side)}\u001b[0m \u001b[38;5;12m${text}\u001b[0m`),
    ],
    [
      'colours without their escape',
      logOf((text, side, at) => `[2m${second(at)}[0m [34mDEBUG[0m ${arrow(side)} ${text}`),
    ],
    [
      'two roles',
      logOf((text, side) => `${word(side, 'client -> agent', 'agent -> client')}: ${text}`),
    ],
    ['a role that receives', logOf((text, side) => `agent[17] ${word(side, '<-', '->')} ${text}`)],
    ['a comma after it', `[\n${logOf((text) => `${text},`).slice(0, -1)}\n]`],
    ['an epoch', logOf((text, side, at) => `${1790000000 + at}.250 ${arrow(side)} ${text}`)],
  ])('%s', (_, text) => {
    const { texts, sides } = load(text);
    expect([parsed(texts), sides]).toEqual([parsed(session), SIDES]);
  });

  test.each<[string, (at: number) => string]>([
    ['ISO with a zone', (at) => second(at).replace('Z', '+00:00')],
    ['a date with blanks', (at) => second(at).replace('T', ' ').replace('Z', '')],
    ['slashes', (at) => second(at).replace(/-/g, '/').replace('T', ' ').slice(0, 19)],
    ['a clock in brackets', (at) => `[${second(at).slice(11, 23).replace('.', ',')}]`],
    ['syslog', (at) => `Nov 28 10:00:0${at} host agent[7]:`],
    ['seconds since 1970', (at) => `${1790000000 + at}`],
    ['milliseconds since 1970', (at) => `[${1790000000000 + at * 1000}]`],
  ])('a time as %s', (_, time) => {
    const { frames } = load(logOf((text, side, at) => `${time(at)} ${arrow(side)} ${text}`));
    expect(frames.map(({ at }) => at)).toEqual(session.map((_, at) => at * 1000));
  });

  test('a clock that passes midnight continues', () => {
    const { frames } = load(`23:59:59.500 -> ${session[0]}\n00:00:00.500 <- ${session[1]}`);
    expect(frames.map(({ at }) => at)).toEqual([0, 1000]);
  });

  test('a line without a time has none', () => {
    const { frames } = load(
      `10:00:00 -> ${session[0]}\n<- ${session[1]}\n10:00:02 -> ${session[2]}`,
    );
    expect(frames.map(({ at }) => at)).toEqual([0, undefined, 2000]);
  });

  test('of a bare line, what a peer wrote after its message is no mark of a log', () => {
    const { items } = load(
      `${session[0]}\n${session[1]} trailing words\n${session[2]}${session[3]}`,
    );
    expect(items.map((item) => 'event' in item)).toEqual([true, false, false]);
  });

  test('a message within a message is not one', () => {
    const inner = JSON.stringify({ a: { jsonrpc: '2.0', method: 'x' } });
    expect(load(`${session[0]}\n-> ${inner}`).frames).toHaveLength(1);
  });

  test.each(['utf-16le', 'utf-16be'])('%s, with and without a byte order mark', (encoding) => {
    for (const mark of ['', '\ufeff']) {
      const bytes = Buffer.from(mark + session.join('\r\n'), 'utf16le');
      const file = new Uint8Array(encoding === 'utf-16be' ? bytes.swap16() : bytes);
      for (const size of [1, 3, 4096]) expect(load(file, 0, size).texts).toEqual(session);
    }
  });
});

describe('messages over several lines', () => {
  const pretty = (text: string) => JSON.stringify(JSON.parse(text), undefined, 2);

  test.each<[string, string]>([
    ['one after the other', logOf((text) => pretty(text))],
    ['in a list', `[\n${session.map(pretty).join(',\n')}\n]`],
    [
      'after a time and an arrow',
      logOf((text, side, at) => `${second(at)} ${arrow(side)} ${pretty(text)}`),
    ],
    ['in a quotation', `> Log:\n${logOf((text) => pretty(text)).replace(/^/gm, '> ')}`],
    ['beside messages of one line', logOf((text, _, at) => (at % 2 === 0 ? text : pretty(text)))],
  ])('%s', (_, text) => {
    const { texts, sides } = load(text);
    expect([parsed(texts), sides]).toEqual([parsed(session), SIDES]);
  });

  test('of one that does not end, the next is read', () => {
    const { events } = load(`{\n  "jsonrpc": "2.0",\n  "id": 0,\n${session[2]}\n${session[3]}`);
    expect(events.map((event) => (event.type === 'gap' ? event.hole : event.type))).toEqual([
      'cut',
      'frame',
      'frame',
    ]);
  });

  test('tables that vim.inspect prints, on one line or over several', () => {
    const lua = (value: unknown, gap: string): string => {
      if (value === null) return 'vim.NIL';
      if (typeof value === 'string') return JSON.stringify(value);
      if (typeof value !== 'object') return String(value);
      if (Array.isArray(value))
        return value.length === 0 ? '{}' : `{ ${value.map((one) => lua(one, gap)).join(', ')} }`;
      const fields = Object.entries(value).map(([key, one]) => `${key} = ${lua(one, gap)}`);
      return `{${gap}${fields.join(`,${gap}`)}${gap}}`;
    };
    for (const gap of ['  ', '\n  ']) {
      const text = session.map((line) => `[DEBUG] "rpc" ${lua(JSON.parse(line), gap)}`).join('\n');
      const { texts, frames } = load(text);
      expect(parsed(texts)).toEqual(parsed(session));
      expect(frames.every(({ inferred }) => inferred?.includes('line'))).toBe(true);
    }
  });

  test('a table that is no message, and a metatable, are none', () => {
    const text = `${session[0]}\nopts { a = 1, jsonrpc = 2 }\n{ jsonrpc = "2.0", method = "x", <metatable> = <1>{ __f = <function 1> } }`;
    expect(load(text).texts.slice(1)).toEqual(['{"jsonrpc":"2.0","method":"x"}']);
  });
});

describe('objects that hold a message', () => {
  test.each<[string, (text: string, side: string, at: number) => object]>([
    [
      'as text, with a number for the time',
      (raw, side, at) => ({ ts: 1790000000000 + at * 1000, dir: word(side, 'out', 'in'), raw }),
    ],
    [
      'in fields of tracing',
      (text, side, at) => ({
        timestamp: second(at),
        level: 'DEBUG',
        fields: { message: `${word(side, 'send', 'recv')}: ${text}` },
      }),
    ],
    [
      'seen by the agent',
      (text, side, at) => ({
        time: second(at),
        direction: word(side, 'received', 'sent'),
        data: JSON.parse(text) as unknown,
      }),
    ],
    [
      'with names of both sides',
      (text, side, at) => ({
        at: second(at),
        from: word(side, 'client', 'agent'),
        payload: JSON.parse(text) as unknown,
      }),
    ],
    [
      'with a receiver',
      (text, side, at) => ({ at: second(at), to: word(side, 'agent', 'client'), payload: text }),
    ],
    [
      'in camel case',
      (text, side, at) => ({
        t: second(at),
        type: word(side, 'clientToAgent', 'agentToClient'),
        msg: text,
      }),
    ],
  ])('%s', (_, wrap) => {
    const { texts, sides, frames } = load(
      logOf((text, side, at) => JSON.stringify(wrap(text, side, at))),
    );
    expect([parsed(texts), sides]).toEqual([parsed(session), SIDES]);
    expect(frames.map(({ at }) => at)).toEqual(session.map((_, at) => at * 1000));
  });

  test('acpdbg: the command, stderr and the end', () => {
    const { events, reader } = load(
      readFileSync(new URL('../../fixtures/imports/acpdbg.jsonl', CASES)),
    );
    expect(reader.format).toBe('acpdbg');
    expect(events).toMatchObject([
      { type: 'start', argv: ['some-agent', '--acp'], cwd: '/tmp/w' },
      { type: 'frame', from: 'client', at: 123, inferred: ['line'] },
      { type: 'stderr', line: { text: 'warming up' } },
      { type: 'frame', from: 'agent' },
      { type: 'exit', code: 0, at: 1000 },
    ]);
  });

  test('venikman: exact lines, as they are in the text', () => {
    const { frames, reader } = load(
      readFileSync(new URL('../../fixtures/imports/venikman.jsonl', CASES)),
    );
    expect(reader.format).toBe('venikman');
    expect(frames).toMatchObject([
      { from: 'client', at: 0 },
      {
        from: 'agent',
        at: 250,
        line: { text: '{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": 1}}' },
      },
    ]);
    expect(frames.some(({ inferred }) => inferred)).toBe(false);
  });

  test('an object without a message is named by its keys', () => {
    expect(load('{"level":"info","msg":"started"}\n').reader.problem).toContain(
      'an object with the keys level, msg, none of which holds a JSON-RPC message',
    );
  });
});

test('lines of two connections that do not say which are marked as such', () => {
  const mixed = load(
    linesOf('26-two-processes.log')
      .map((line) => line.slice(9))
      .join('\n'),
  );
  const marks = mixed.events.filter(({ type }) => type === 'gap');
  expect(marks).toMatchObject([{ seq: 2, hole: 'several' }]);
  expect(mixed.frames).toHaveLength(2 * session.length);
  // The second begins later.
  const later = load(linesOf('27-two-connections-later.log').join('\n'));
  expect(later.events.filter(({ type }) => type === 'gap')).toMatchObject([{ hole: 'several' }]);
  // An agent that was started again is one connection after the other, also if a turn was open.
  const again = load([...session, ...session].join('\n'));
  expect(again.events.some(({ type }) => type === 'gap')).toBe(false);
  const killed = load([...session.slice(0, 6), ...session].join('\n'));
  expect(killed.events.some(({ type }) => type === 'gap')).toBe(false);
});

test('processes that only one side names are not separated', () => {
  const { reader, sides } = load(logOf((text, side) => `[pid ${side === 'c' ? 1 : 2}] ${text}`));
  expect([reader.parts, sides]).toEqual([[], SIDES]);
});

const words = fc.string({
  unit: fc.constantFrom(...' abAgent:.-><[]=0123456789T→'),
  maxLength: 60,
});
const json = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});

test('frames have the bytes of the line, whatever comes before them', () => {
  fc.assert(
    fc.property(words, json, fc.integer({ min: 1, max: 60 }), (before, params, size) => {
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });
      expect(load(`${before} ${text}\n`, 0, size).texts).toEqual([text]);
    }),
    { numRuns: 300 },
  );
});

test('I-06 any part of a log is read or rejected with a sentence', () => {
  const files = [
    '02b-rust-tracing-ansi.log',
    '10-issue-markdown.md',
    '16-wrapped-objects.jsonl',
    '22-cut-lines.log',
    '26-two-processes.log',
  ].map(caseOf);
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.nat(2500),
      fc.nat(2500),
      fc.uint8Array({ maxLength: 6 }),
      (file, a, b, junk) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const { events, reader } = load(
          Buffer.concat([file.subarray(0, from), junk, file.subarray(to)]),
        );
        if (events.length === 0) expect(reader.problem).toMatch(/^(This|Import)/);
      },
    ),
    { numRuns: 200 },
  );
});
