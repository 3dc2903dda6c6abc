// Texts that are made to be dear, of an agent and of a file of a stranger: a careless pattern would take hours for each.
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at, err, folder, keepOutput, out } from '../test/programs/command-line.ts';
import { DEAR, long } from '../test/traces/dear.ts';
import { check } from './check.ts';
import { EXIT, runCommand } from './command.ts';
import { convert } from './convert.ts';
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

const fixture = (name: string) =>
  readFileSync(new URL(`../test/fixtures/imports/${name}`, import.meta.url), 'utf8');
const MESSAGE = rpc({ id: 0, method: 'initialize', params: { protocolVersion: 1 } });

/** Files of lines, and whether a message may follow other text on its line. */
const LOGS: readonly (readonly [name: string, text: string])[] = [
  ['plain lines', `${MESSAGE}\n`],
  ['a log with times and levels', `2026-11-29T10:00:00Z [INFO] [agent] -> ${MESSAGE}\n`],
  ['a log of JetBrains', fixture('acp-transport.log')],
  ['lines of acp-devtools', fixture('acp-devtools-inspect.jsonl')],
  ['the conductor', fixture('rust-conductor.jsons')],
  ['ACP Inspector', fixture('acp-inspector.jsonl')],
];

test.each(LOGS)('S-08 I-02: runs of everything in %s are passed over', async (_, log) => {
  const runs = DEAR.map((unit) => long(unit, 60_000).replaceAll('\n', ' '));
  const lines = runs.flatMap((run) => [run, `${run}${MESSAGE.slice(0, 20)}`, `[${run}] ${run}`]);
  writeFileSync(at('dear.log'), `${log}${lines.join('\n')}\n${log}`);
  expect(await runCommand(convert, [at('dear.log'), at('out.acptrace.jsonl')])).toBe(EXIT.ok);
  expect([EXIT.ok, EXIT.failed]).toContain(await runCommand(check, [at('dear.log')]));
  expect(err.join('\n')).toContain('more lines');
});

test('S-08 I-02: bare text without end is rejected with a sentence', async () => {
  for (const unit of DEAR) {
    writeFileSync(at('bare.txt'), long(unit, 200_000));
    await runCommand(check, [at('bare.txt')]);
  }
  // Some are read as empty, or as lines of which none is a message.
  expect(err.filter((line) => line.includes('This '))).not.toHaveLength(0);
});

/** How many files of the test are open in this process. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}

test.runIf(process.platform === 'linux')(
  'a check of many files has few of them open at once',
  async () => {
    const files = Array.from({ length: 60 }, (_, n) => write(`${n}.acptrace.jsonl`, 'x', 'y'));
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, openFiles())), 1);
    expect(await runCommand(check, files)).toBe(EXIT.ok);
    clearInterval(timer);
    expect(most).toBeLessThan(10);
  },
);
