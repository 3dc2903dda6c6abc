import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageCommand } from '../link/messages.ts';
import { connectionId, seq } from '../trace/event.ts';
import { parseCommand } from './command.ts';

const read = (said: unknown) => {
  const answer = parseCommand(JSON.stringify(said));
  return answer.ok ? answer.command : undefined;
};

const connection = connectionId('c');
const launch = { name: 'n', argv: ['a'], cwd: '/w', env: { A: 'b' }, roots: ['/w'] };
const COMMANDS: readonly PageCommand[] = [
  { type: 'hello', protocol: 1 },
  { type: 'ping' },
  { type: 'presets', request: 1 },
  { type: 'start', request: 2, launch },
  { type: 'follow', connection, after: seq(0) },
  { type: 'ack', connection, seq: seq(4) },
  { type: 'send', connection, line: { text: '{}' }, origin: 'composer' },
  { type: 'send', connection, line: { base64: '/w==' }, origin: 'rerun' },
  { type: 'stop', connection, how: 'kill' },
  { type: 'stop', connection, how: 'SIGTERM' },
  { type: 'forget', connection },
  { type: 'folder', request: 6, call: { op: 'folder', name: 'work', from: '/w' } },
  { type: 'folder', request: 7, call: { op: 'canary', name: 'canary' } },
  { type: 'folder', request: 8, call: { op: 'clear' } },
  { type: 'lend', request: 9, call: { op: 'begin', trace: connection, name: 'a' } },
  { type: 'lend', request: 10, call: { op: 'part', base64: '/w==' } },
  { type: 'lend', request: 11, call: { op: 'end' } },
  {
    type: 'host',
    request: 3,
    connection,
    call: { op: 'fs/read_text_file', path: '/w/a', line: 2 },
  },
  {
    type: 'host',
    request: 4,
    connection,
    call: { op: 'terminal/create', command: 'ls', args: [], env: {}, cwd: '/w' },
  },
  { type: 'host', request: 5, connection, call: { op: 'terminal/kill', terminalId: 't' } },
];

test('every command of the contract is understood as it is', () => {
  for (const command of COMMANDS) expect(read(command)).toEqual(command);
});

test('T-18: a command without one of its fields, or with one of another type, is none', () => {
  for (const command of COMMANDS)
    for (const field of Object.keys(command)) {
      const { [field]: _, ...without } = command as unknown as Record<string, unknown>;
      expect(read(without)).toBeUndefined();
      for (const wrong of [null, -1, 1.5, true, [], {}])
        expect(read({ ...command, [field]: wrong })).toBeUndefined();
    }
});

test('an agent that ends with its page is asked for by true alone', () => {
  const start = { type: 'start', request: 1, launch };
  const command = { ...start, withPage: true };
  expect(read(command)).toEqual(command);
  for (const withPage of [false, 1, 'yes', null])
    expect(read({ ...start, withPage })).toBeUndefined();
});

test('T-18: a line in two writes says where it is cut and how long it waits', () => {
  const send = { type: 'send', connection, line: { text: '{}' }, origin: 'script' };
  const command = { ...send, split: { bytes: 4, ms: 20 } };
  expect(read(command)).toEqual(command);
  for (const split of [null, 1, {}, { bytes: 4 }, { bytes: -1, ms: 1 }, { bytes: 1, ms: 2 ** 31 }])
    expect(read({ ...send, split })).toBeUndefined();
  expect(read({ type: 'stop', connection, how: 'cut' })).toMatchObject({
    how: 'cut',
  });
});

test('T-18: what a folder or a canary of a run is called is one plain word', () => {
  for (const name of ['', '..', 'a/b', 'a\\b', 'A', 'a.b', 'x'.repeat(21), 1])
    for (const op of ['folder', 'canary']) {
      const call = { op, name, from: '/w' };
      expect(read({ type: 'folder', request: 1, call })).toBeUndefined();
    }
});

test('T-18: a page cannot claim that the peer wrote a frame, nor name a variable that is none', () => {
  const send = { type: 'send', connection, line: { text: '{}' } };
  expect(read({ ...send, origin: 'peer' })).toBeUndefined();
  for (const env of [{ 'A=B': '' }, { '': '' }, { A: 'x\0' }, { A: 1 }]) {
    const start = { type: 'start', request: 1, launch: { ...launch, env } };
    expect(read(start)).toBeUndefined();
  }
});

test('a command that is refused names its field, and what it is about', () => {
  const call = { op: 'terminal/create', command: 'ls', args: [1], env: {} };
  const host = { type: 'host', request: 3, connection, call };
  const refused = (said: string) => parseCommand(said);
  expect(refused(JSON.stringify(host))).toEqual({
    ...{ ok: false, why: 'call.args is missing or wrong', request: 3, connection },
  });
  expect(refused('{"type":"ack","connection":"c","seq":null,"request":"x"}')).toEqual({
    ...{ ok: false, why: 'seq is missing or wrong', connection },
  });
  expect(refused('"ack"')).toEqual({ ok: false, why: 'it is no object' });
});

test('S-06: any text is a command or none, and nothing is merged into what it is not', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      parseCommand(text);
    }),
  );
  parseCommand('{"type":"start","request":1,"__proto__":{"x":1},"launch":{"__proto__":{"x":1}}}');
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
  expect(({} as { x?: number }).x).toBeUndefined();
});
