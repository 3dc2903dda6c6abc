import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXIT, runCommand } from './command.ts';
import { exporting } from './export.ts';
import { readTrace } from './parts/trace-files.ts';
import { draw } from '../test/traces/draw.ts';
import { eventLine, headerLine, type Header } from '../trace/format.ts';

let folder: string;
let out: string[];
let err: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  [out, err] = [[], []];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text));
  vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const TOKEN = `ghp_${'aB3x'.repeat(9)}`;
const HEADER: Header = {
  ...{
    format: 'acptrace',
    version: 1,
    created: '2026-11-21T10:41:00.000Z',
    tool: 'acp-scope 0.1.0',
  },
  ...{ argv: ['agent', '--api-key', 'from-the-shell-7'], cwd: '/w', clock: 'monotonic' },
};
const DRAWN = `
  start agent --api-key from-the-shell-7
  client →0 session/new {"cwd":"/w","mcpServers":[{"name":"a","command":"x","args":[],"env":[{"name":"A","value":"v1-value-22"}]}]}
  agent update s1 agent_message_chunk m1 "I take ghp_aB3xaB3x" "aB3xaB3xaB3xaB3xaB3xaB3xaB3x for it"
  stderr mail mika@example.org with ${TOKEN}
  agent raw not JSON, of OWN-shell.value_9
  exit 0
`;

function write(name: string): string {
  const lines = [headerLine(HEADER), ...draw(DRAWN).map(eventLine)];
  writeFileSync(at(name), `${lines.join('\n')}\n`);
  return at(name);
}
const run = (...args: string[]) => runCommand(exporting, args);

test('I-09 unless said otherwise no secret leaves: of the command, of servers, in streams, of this shell', async () => {
  vi.stubEnv('OWN_API_KEY', 'OWN-shell.value_9');
  expect(await run(write('a.acptrace.jsonl'), at('b.acptrace.jsonl'))).toBe(EXIT.ok);
  const file = readFileSync(at('b.acptrace.jsonl'), 'utf8');
  expect(file).not.toMatch(/from-the-shell-7|v1-value-22|aB3xaB3x|OWN-shell/);
  expect(file).toContain('"cwd":"/w"');
  const { header, events } = await readTrace(at('b.acptrace.jsonl'));
  expect(header.redacted).toEqual({
    level: 'no-secrets',
    secrets: { argument: 1, env: 1, token: 1, known: 1 },
  });
  expect(events).toHaveLength(draw(DRAWN).length);
  expect(err.join('\n')).toMatch(/values of environment variables +1/);
  expect(err.join('\n')).toMatch(/addresses of mail +1 +#\d/);
});

test('exported once more it is the same, byte for byte', async () => {
  await run(write('a.acptrace.jsonl'), at('b.acptrace.jsonl'));
  await run(at('b.acptrace.jsonl'), at('c.acptrace.jsonl'));
  expect(readFileSync(at('c.acptrace.jsonl'), 'utf8')).toBe(
    readFileSync(at('b.acptrace.jsonl'), 'utf8'),
  );
});

test('everything, if that is wanted, is the file byte for byte, and is said to hold secrets', async () => {
  await run(write('a.acptrace.jsonl'), at('b.acptrace.jsonl'), '--level', 'all');
  expect(readFileSync(at('b.acptrace.jsonl'), 'utf8')).toBe(
    readFileSync(at('a.acptrace.jsonl'), 'utf8'),
  );
  expect(err.join('\n')).toContain('secrets are in it');
});

test('what was left out is one JSON document on stdout, if asked for', async () => {
  await run(write('a.acptrace.jsonl'), at('b.ndjson'), '--format', 'json', '--level', 'no-content');
  const said = JSON.parse(out.join('\n')) as { level: string; hits: Record<string, number> };
  expect(said.level).toBe('no-content');
  expect(said.hits['text']).toBeGreaterThan(0);
  expect(readFileSync(at('b.ndjson'), 'utf8')).not.toMatch(/I take|mika@/);
});

test('and a table for an issue as Markdown, which stderr does not repeat', async () => {
  await run(write('a.acptrace.jsonl'), at('b.ndjson'), '--format', 'markdown');
  expect(out.join('\n')).toContain('# What was left out');
  expect(err.join('\n')).not.toContain('What was left out');
});

test.each([
  [['a', 'b', 'c'], /two files/],
  [['a.acptrace.jsonl', 'b.acptrace.jsonl', '--level', 'some'], /--level some is not one of shape/],
  [['a.acptrace.jsonl', 'b.zip'], /says no format/],
])('what is not understood is said: %j', async (args, sentence) => {
  expect(await run(...args)).toBe(EXIT.usage);
  expect(err.join('\n')).toMatch(sentence);
});

const LATE = `
  start agent --api-key from-the-shell-7
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client  →1 session/list {}
  agent   ←1 result {"sessions":[]}
  client  →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent   ←2 result {}
  agent   update s1 user_message_chunk "late, with ${TOKEN}"
  client  →3 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
  agent   ←3 result {}
  agent   update s2 user_message_chunk "late too"
`;
function writeLate(): string {
  const lines = [headerLine(HEADER), ...draw(LATE).map(eventLine)];
  writeFileSync(at('late.acptrace.jsonl'), `${lines.join('\n')}\n`);
  return at('late.acptrace.jsonl');
}

test('evidence of a finding is Markdown and a trace beside it, both without secrets', async () => {
  const input = writeLate();
  expect(await run(input, at('e.md'), '--finding', 'replay/after-response#11')).toBe(EXIT.ok);
  const text = readFileSync(at('e.md'), 'utf8');
  expect(text).toContain('`acp-scope check e.acptrace.jsonl --profile v1-2.4.0`');
  const { events } = await readTrace(at('e.acptrace.jsonl'));
  expect(events.map(({ seq, type }) => `${type} ${seq}`)).toEqual([
    ...['start 1', 'frame 2', 'frame 3', 'gap 4', 'frame 9', 'frame 10', 'frame 11'],
  ]);
  expect(await run(input, at('first.md'), '--finding', 'replay/after-response')).toBe(EXIT.ok);
  expect(err.join('\n')).toContain(
    '1 more finding of replay/after-response: replay/after-response#',
  );
  for (const name of ['e.md', 'e.acptrace.jsonl', 'first.md', 'first.acptrace.jsonl'])
    expect(readFileSync(at(name), 'utf8')).not.toMatch(/aB3xaB3x|from-the-shell-7/);
});

test('evidence of frames is asked for as show names them', async () => {
  expect(await run(`${writeLate()}#7..8`, at('f.md'))).toBe(EXIT.ok);
  expect(readFileSync(at('f.md'), 'utf8')).toContain('# Evidence: 2 frames');
  const { events } = await readTrace(at('f.acptrace.jsonl'));
  expect(events.flatMap(({ seq, type }) => (type === 'frame' ? [seq] : []))).toEqual([
    ...[2, 3, 6, 7, 8],
  ]);
});

test.each([
  [['late.acptrace.jsonl', 'e.md'], /is for one finding, or some frames: give --finding ID/],
  [['late.acptrace.jsonl#2', 'e.md', '--finding', 'x'], /is for one finding, or some frames/],
  [['late.acptrace.jsonl', 'e.ndjson', '--finding', 'x'], /end .*e\.ndjson in \.md/],
  [
    ['late.acptrace.jsonl', 'e.md', '--finding', 'replay/after'],
    /has no finding replay\/after\. It has .*replay\/after-response#8/,
  ],
  [['late.acptrace.jsonl#99', 'e.md'], /has no such frames/],
  [['late.acptrace.jsonl', 'late.md', '--finding', 'x'], /are one file/],
])('evidence that cannot be made is refused: %j', async ([name = '', out = '', ...rest], why) => {
  writeLate();
  expect(await run(at(name), at(out), ...rest)).toBe(EXIT.usage);
  expect(err.join('\n')).toMatch(why);
});
