import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../acp/message.ts';
import { parseCommand } from '../../relay/command.ts';
import { connectionId } from '../../trace/event.ts';
import { askedOfHost } from './host-calls.ts';

test('what the agent asks becomes a call of the relay', () => {
  expect(
    askedOfHost('fs/read_text_file', { sessionId: 's', path: '/a', line: 2, limit: null }),
  ).toEqual({ call: { op: 'fs/read_text_file', path: '/a', line: 2 } });
  expect(
    askedOfHost('terminal/create', {
      sessionId: 's',
      command: 'ls',
      args: ['-l'],
      env: [{ name: 'A', value: 'b' }],
      cwd: '/w',
      outputByteLimit: 10,
    }),
  ).toEqual({
    call: {
      op: 'terminal/create',
      command: 'ls',
      args: ['-l'],
      env: { A: 'b' },
      cwd: '/w',
      outputByteLimit: 10,
    },
  });
  expect(askedOfHost('terminal/kill', { terminalId: 't' })).toEqual({
    call: { op: 'terminal/kill', terminalId: 't' },
  });
});

test.each<[string, Json, string]>([
  ['fs/read_text_file', {}, 'path'],
  ['fs/write_text_file', { path: '/a' }, 'content'],
  ['terminal/create', { command: 'a', args: [1] }, 'args'],
  ['terminal/create', { command: 'a', env: [{ name: 'A' }] }, 'env'],
  ['terminal/create', { command: 'a', cwd: 5 }, 'cwd'],
  ['terminal/output', { terminalId: 7 }, 'terminalId'],
])('%s with %j is invalid params, and names %s', (method, params, field) => {
  expect(askedOfHost(method, params)).toEqual({
    code: -32602,
    message: `Invalid params: ${field} is missing or wrong`,
  });
});

const OF_HOST = [
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
];

/** What the relay makes of the call, when the page says it. */
function atRelay(method: string, params: Json | undefined) {
  const asked = askedOfHost(method, params);
  if (!('call' in asked)) return asked;
  const connection = connectionId('c');
  const said = parseCommand(
    JSON.stringify({ type: 'host', request: 1, connection, call: asked.call }),
  );
  return said.ok ? ('command' as const) : said.why;
}

const odd = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue() },
  fc.constantFrom(Infinity, -Infinity, 1e300, 2 ** 53 + 2, -0, -1, 0.5, 2 ** 32),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a\0b', '\ud800', '__proto__', 'x'.repeat(40_000)),
  fc.array(fc.string({ unit: 'binary' })),
  fc.array(fc.record({ name: fc.string(), value: fc.string() })),
  fc.constant(Array.from({ length: 10_001 }, () => 'a')),
);
const FIELDS = [
  ...['path', 'line', 'limit', 'content', 'command', 'args', 'env', 'cwd', 'outputByteLimit'],
  ...['terminalId', 'op', '__proto__', 'constructor'],
];

test('attack row 4 (S-04): whatever an agent asks with becomes a command that the relay takes, or an error answer', () => {
  const named = fc.dictionary(fc.constantFrom(...FIELDS), odd, { noNullPrototype: true });
  fc.assert(
    fc.property(
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...OF_HOST) }, fc.string()),
      fc.oneof({ weight: 9, arbitrary: named }, odd, fc.constant(undefined)),
      (method, params) => {
        const came = atRelay(method, params as Json | undefined);
        if (typeof came === 'object')
          expect(came.code).toBe(OF_HOST.includes(method) ? -32602 : -32601);
        else expect(came).toBe('command');
      },
    ),
    { numRuns: 3000 },
  );
});

test.each<[string, string, string]>([
  ['fs/read_text_file', 'line', '{"path":"/a","line":1e999}'],
  ['fs/read_text_file', 'limit', '{"path":"/a","limit":-1e999}'],
  ['fs/read_text_file', 'line', '{"path":"/a","line":1.5}'],
  ['fs/read_text_file', 'line', '{"path":"/a","line":"2"}'],
  ['fs/read_text_file', 'path', '{"path":"/a\\u0000b"}'],
  ['fs/read_text_file', 'path', `{"path":"/${'a'.repeat(100_000)}"}`],
  ['terminal/create', 'outputByteLimit', '{"command":"ls","outputByteLimit":1e999}'],
  ['terminal/create', 'args', '{"command":"ls","args":"-l"}'],
  ['terminal/create', 'args', `{"command":"ls","args":[${'"a",'.repeat(1_000_000)}"a"]}`],
  ['terminal/create', 'env', `{"command":"ls","env":${'['.repeat(5000)}${']'.repeat(5000)}}`],
])(
  'attack row 4 (S-04): %s with a %s that cannot be is answered -32602, which names it',
  (method, field, text) => {
    expect(atRelay(method, JSON.parse(text) as Json)).toEqual({
      code: -32602,
      message: `Invalid params: ${field} is missing or wrong`,
    });
  },
);

test('what JSON can hold goes on as it is: a lone surrogate, and a limit beyond all counting', () => {
  expect(askedOfHost('fs/read_text_file', { path: '/\ud800', limit: 1e300 })).toEqual({
    call: { op: 'fs/read_text_file', path: '/\ud800', limit: 1e300 },
  });
  expect(atRelay('fs/read_text_file', { path: '/\ud800', limit: 1e300 })).toBe('command');
  expect(atRelay('terminal/create', { command: 'ls', outputByteLimit: 2 ** 64 })).toBe('command');
});
