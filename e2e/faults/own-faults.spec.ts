// Attack row 8: what is thrown in a process of ours, and what lies in its folders.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, preloading, program } from '../relay.ts';
import { expect, test } from '../scope.ts';
import { readEvents } from '../trace-file.ts';

const silent = [process.execPath, program('raw.mjs'), 'silent'];
test.use({ relayOptions: { allow: [silent], preload: 'throwing.mjs' } });
test.skip(process.platform === 'win32', 'there are no signals to throw at');

const LINE = /^(acp-scope tap: )?A fault of ACP Scope itself: [ -~]+$/;
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

test('attack row 8 (R-46): what nobody catches is one safe line, and the relay, its page and its agents go on', async ({
  scope,
  folder,
}) => {
  mkdirSync(join(scope.relay.state, 'spool', 'x.acptrace.jsonl'));
  await scope.tryCommand(silent, { cwd: folder });
  await expect(scope.rail).toContainText('raw');
  for (let thrown = 1; thrown <= 4; thrown++) {
    scope.relay.signal('SIGUSR2');
    await expect.poll(() => linesOf(scope.relay.stderr).length).toBe(thrown);
  }
  for (const line of linesOf(scope.relay.stderr)) {
    expect(line).toMatch(LINE);
    expect(line).not.toContain('CANARY');
  }
  await scope.kill();
  await expect(scope.rail).toContainText('ended by');
  expect(await scope.relay.freshLink()).toContain('#k=');
});

test('attack row 8 (R-46): of more than five the relay ends its agents, keeps the spool whole, and exits with 70', async ({
  scope,
  folder,
}) => {
  await scope.tryCommand(silent, { cwd: folder });
  await expect(scope.row(/client to agent, request, initialize/)).toBeVisible();
  await scope.page.close();
  for (let thrown = 1; thrown <= 6; thrown++) {
    scope.relay.signal('SIGUSR2');
    if (thrown <= 5) await expect.poll(() => linesOf(scope.relay.stderr).length).toBe(thrown);
  }
  expect(await scope.relay.ended()).toBe(70);
  const [name = ''] = readdirSync(join(scope.relay.state, 'spool'));
  const events = readEvents(readFileSync(join(scope.relay.state, 'spool', name)));
  expect(events.map(({ type }) => type)).toEqual(['start', 'frame', 'exit']);
});

test('attack row 8 (R-46): a fault in the tap stops nothing that passes', async ({
  relayOptions: _,
}, info) => {
  const echo = `process.stdin.on('data', (chunk) => process.stdout.write(chunk))`;
  const out = info.outputPath('tap.acptrace.jsonl');
  mkdirSync(info.outputDir, { recursive: true });
  const args = ['tap', '--out', out, '--', process.execPath, '-e', echo];
  const tap = spawn(process.execPath, [...preloading('throwing.mjs'), BIN, ...args]);
  let [came, told] = ['', ''];
  tap.stdout.on('data', (data: Buffer) => (came += data));
  tap.stderr.on('data', (data: Buffer) => (told += data));
  let sent = '';
  for (let round = 1; round <= 8; round++) {
    tap.stdin.write(`{"round":${round}}\n`);
    sent += `{"round":${round}}\n`;
    await expect.poll(() => came).toBe(sent);
    tap.kill('SIGUSR2');
    await expect.poll(() => linesOf(told).length).toBe(Math.min(round, 5));
  }
  tap.stdin.end();
  const [code] = (await once(tap, 'close')) as [number | null];
  expect(code).toBe(0);
  for (const line of linesOf(told)) {
    expect(line).toMatch(LINE);
    expect(line).not.toContain('CANARY');
  }
  expect(readEvents(readFileSync(out))).toHaveLength(18);
});
