// `acp-scope record` beside an agent that says more than its process, or the disk, may hold.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildBin } from '../test/programs/built-bin.ts';
import { EXIT } from './command.ts';

const LINES = 16_000;
const SIZE = 2500;

/** Says 40 MB in one turn, and keeps of it what the pipe has not taken. */
const AGENT = `
import { once } from 'node:events';
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const update = (more) => say({ method: 'session/update', params: { sessionId: 's', update: more } });
let version;
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: (version = params.protocolVersion) } });
  if (method === 'session/new') say({ id, result: { sessionId: 's' } });
  if (method !== 'session/prompt') return;
  if (version === 2) say({ id, result: { messageId: 'u' } });
  if (version === 2) update({ sessionUpdate: 'state_update', state: 'running' });
  const content = { type: 'text', text: 'x'.repeat(${SIZE}) };
  for (let i = 0; i < ${LINES}; i++)
    if (!update({ sessionUpdate: 'agent_message_chunk', messageId: 'a', content }))
      await once(process.stdout, 'drain');
  if (version === 2) update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
  else say({ id, result: { stopReason: 'end_turn' } });
});`;

let folder: string;
let bin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-long-'));
  writeFileSync(join(folder, 'agent.mjs'), AGENT);
  bin = await buildBin();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

test.each(['1', '2'])(
  'N5: a turn of 40 MB is recorded whole by a process of 48 MB, as what a v%s script does not look for is let go of',
  (protocol) => {
    const out = join(folder, `v${protocol}.acptrace.jsonl`);
    const script = join(folder, 'once.scenario.json');
    const params = { sessionId: '$sessionId', prompt: [{ type: 'text', text: 'go' }] };
    const steps = [
      { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
      { expect: 'type:res method:session/new' },
      { request: 'session/prompt', params },
    ];
    writeFileSync(script, JSON.stringify({ steps }));
    const words = ['record', '--out', out, '--script', script, '--protocol', protocol, '--'];
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=48', bin, ...words, process.execPath, join(folder, 'agent.mjs')],
      { cwd: folder, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([EXIT.ok, expect.stringContaining('events.')]);
    const said = readFileSync(out, 'utf8').split('x'.repeat(SIZE)).length - 1;
    expect(said).toBe(LINES);
  },
);

test('R-21: a trace that cannot be written is told before the agent is started, and asked anything', () => {
  const out = join(folder, 'none', 'x.acptrace.jsonl');
  const noted = join(folder, 'started');
  const agent = `require('node:fs').writeFileSync(${JSON.stringify(noted)}, '')`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [bin, 'record', '--out', out, '--', process.execPath, '-e', agent],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([
    EXIT.environment,
    `The trace cannot be written to ${out} (ENOENT).\n`,
  ]);
  expect(existsSync(noted)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'R-21: a record that the disk did not take whole is no success, and is not judged',
  () => {
    const out = join(folder, 'cut.acptrace.jsonl');
    const agent = [process.execPath, join(folder, 'agent.mjs')];
    const words = [
      process.execPath,
      bin,
      'record',
      '--out',
      out,
      '--protocol',
      '1',
      '--',
      ...agent,
    ];
    const { status, stderr } = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -f 32 && exec "$@"', 'sh', ...words],
      { encoding: 'utf8' },
    );
    expect(status).toBe(EXIT.environment);
    const [lost, end, ...more] = stderr.split('\n');
    expect(lost).toMatch(/ of 16,\d{3} events are not in .*EFBIG/);
    expect([end, more]).toEqual(['The run is not judged, as its record is not whole.', ['']]);
  },
);
