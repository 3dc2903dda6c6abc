// Values that nest deeper than a stack: in each place of a message where a peer may put one, through each command
// that reads traces.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at, err, keepOutput, out } from '../test/programs/command-line.ts';
import { check } from './check.ts';
import { EXIT, runCommand, type Command } from './command.ts';
import { convert } from './convert.ts';
import { diff } from './diff.ts';
import { exporting } from './export.ts';
import { fidelity } from './fidelity.ts';
import { ls } from './ls.ts';
import { minimise } from './minimise.ts';
import { query } from './query.ts';
import { show } from './show.ts';
import { stats } from './stats.ts';

keepOutput();

const DEPTH = 30_000;
const DEEP: Readonly<Record<string, string>> = {
  lists: '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  objects: `${'{"a":'.repeat(DEPTH)}"leaf"${'}'.repeat(DEPTH)}`,
};

type Line = readonly [from: 'client' | 'agent', text: string];

const HANDSHAKE: readonly Line[] = [
  ['client', '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}'],
  [
    'agent',
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}',
  ],
  [
    'client',
    '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}',
  ],
  ['agent', '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}'],
];

/** Lines with `DEEP` wherever a value may be. */
const LINES: readonly Line[] = [
  [
    'client',
    '{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s1","prompt":DEEP}}',
  ],
  [
    'agent',
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","status":"pending","rawInput":DEEP,"_meta":DEEP}}}',
  ],
  [
    'agent',
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":DEEP}}}',
  ],
  [
    'agent',
    '{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t","rawInput":DEEP},"options":DEEP}}',
  ],
  ['client', '{"jsonrpc":"2.0","id":9,"result":{"outcome":DEEP}}'],
  ['agent', '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"m","data":DEEP}}'],
  [
    'client',
    '{"jsonrpc":"2.0","id":20,"method":"session/load","params":{"sessionId":"s1","cwd":"/","mcpServers":DEEP}}',
  ],
  ['agent', '{"jsonrpc":"2.0","id":20,"result":DEEP}'],
  ['client', '{"jsonrpc":"2.0","id":DEEP,"method":"session/prompt","params":{}}'],
  ['agent', '{"jsonrpc":"2.0","method":"_x/y","params":DEEP}'],
  ['agent', '[DEEP]'],
  ['agent', 'DEEP'],
];

function write(name: string, deep: string): string {
  const header = { format: 'acptrace', version: 1, created: '2026-11-21T10:41:00.000Z', tool: 't' };
  const events = [...HANDSHAKE, ...LINES].map(([from, text], n) => ({
    ...{ type: 'frame', seq: n + 1, at: n, from },
    line: { text: text.replaceAll('DEEP', deep) },
    origin: 'peer',
  }));
  const lines = [{ ...header, clock: 'monotonic' }, ...events];
  writeFileSync(at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return at(name);
}

const COMMANDS: readonly (readonly [name: string, command: Command, args: readonly string[]])[] = [
  ['check', check, ['FILE']],
  ['check, as JSON', check, ['FILE', '--format', 'json']],
  ['fidelity', fidelity, ['FILE', '--all']],
  ['diff', diff, ['FILE', 'OTHER']],
  ['diff, by frames', diff, ['FILE', 'OTHER', '--view', 'frames', '--format', 'json']],
  ['show', show, ['FILE#5..16']],
  ['show, as JSON', show, ['FILE#5..16', '--format', 'json']],
  ['query', query, ['FILE', 'side:agent']],
  ['query of a path', query, ['FILE', '$.params.update.rawInput=leaf']],
  ['query of a text', query, ['FILE', '/leaf/', '--format', 'ndjson']],
  ['stats', stats, ['FILE']],
  ['ls', ls, ['FILE']],
  ['convert', convert, ['FILE', 'OUT.ndjson']],
  ['export', exporting, ['FILE', 'OUT.acptrace.jsonl']],
  ['export of the shape', exporting, ['FILE', 'OUT.acptrace.jsonl', '--level', 'shape']],
  ['export of frames', exporting, ['FILE#5..16', 'OUT.md']],
  [
    'minimise',
    minimise,
    ['FILE', 'OUT.acptrace.jsonl', '--assert', 'none(side:agent)', '--most', '5'],
  ],
];

test.each(COMMANDS)(
  'I-06 nesting of 30,000 is read like any other: %s',
  async (_, command, args) => {
    for (const [shape, deep] of Object.entries(DEEP)) {
      const [file, other] = [
        write('a.acptrace.jsonl', deep),
        write('b.acptrace.jsonl', `[${deep},1]`),
      ];
      const given = args.map((word) =>
        word
          .replace('FILE', file)
          .replace('OTHER', other)
          .replace('OUT', at(`out-${shape}`)),
      );
      const status = await runCommand(command, given);
      expect([EXIT.ok, EXIT.failed], `${shape}: ${err.join('\n').slice(0, 500)}`).toContain(status);
    }
    expect(out.length + err.length).toBeGreaterThan(0);
  },
);

test('I-06 a header and an event that nest so deep are rejected with a sentence, the rest is read', async () => {
  const [deep = ''] = Object.values(DEEP);
  const lines = readFileSync(write('a.acptrace.jsonl', '[]'), 'utf8').split('\n');
  const [header = '', event = ''] = lines;
  const nested = (line: string) => `${line.slice(0, -1)},"x":${deep}}`;
  writeFileSync(at('event.acptrace.jsonl'), [header, nested(event), ...lines.slice(2)].join('\n'));
  expect(await runCommand(check, [at('event.acptrace.jsonl')])).toBe(EXIT.failed);
  expect(err.join('\n')).toContain('line 2: nested more than 500 deep');
  writeFileSync(at('header.acptrace.jsonl'), [nested(header), ...lines.slice(1)].join('\n'));
  expect(await runCommand(check, [at('header.acptrace.jsonl')])).toBe(EXIT.environment);
  expect(err.at(-1)).toContain('nests more than 500 deep');
});
