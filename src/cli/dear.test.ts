// Texts of an agent that are made to be dear: each would take a pattern of ours hours.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at, keepOutput, out } from '../test/programs/command-line.ts';
import { check } from './check.ts';
import { EXIT, runCommand } from './command.ts';
import { diff } from './diff.ts';

keepOutput();

const rpc = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
const of = (dear: string, end: string) => [
  ['client', rpc({ id: 0, method: 'initialize', params: { protocolVersion: 1 } })],
  [
    'agent',
    rpc({ id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }),
  ],
  [
    'client',
    rpc({ id: 1, method: 'session/load', params: { sessionId: 's', cwd: '/', mcpServers: [] } }),
  ],
  ['agent', rpc({ id: 1, error: { code: -32000, message: `${dear}${end}` } })],
  ['client', rpc({ id: 2, method: 'session/new', params: { cwd: '/', mcpServers: [] } })],
  ['agent', rpc({ id: 2, result: { sessionId: 's1' } })],
  ...['a', 'b'].map((id) => [
    'agent',
    rpc({
      method: 'session/update',
      params: {
        sessionId: 's1',
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: id,
          title: `${dear}${end}${id}`,
          [`${dear}!`]: end,
        },
      },
    }),
  ]),
];

function write(name: string, dear: string, end: string): string {
  const head = { format: 'acptrace', version: 1, created: '2026-11-21T10:41:00.000Z', tool: 't' };
  const events = of(dear, end).map(([from, text], n) => ({
    ...{ type: 'frame', seq: n + 1, at: n, from, line: { text }, origin: 'peer' },
  }));
  const lines = [{ ...head, clock: 'monotonic' }, ...events];
  writeFileSync(at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return at(name);
}

test.each([
  ['blanks', ' \t'],
  ['letters without a folder', '^'],
  ['words', 'A'],
  ['a word that a rule looks for', 'session'],
])('S-08: %s without end are checked and compared like any others', async (_, unit) => {
  const dear = unit.repeat(Math.ceil(600_000 / unit.length));
  const [one, other] = [write('a.jsonl', dear, 'x'), write('b.jsonl', dear, 'y')];
  expect(await runCommand(check, [one])).toBe(EXIT.ok);
  expect(await runCommand(diff, [one, other])).toBe(EXIT.failed);
  expect(out.join('\n').length).toBeGreaterThan(0);
});
