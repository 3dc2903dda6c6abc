// Nothing is lost in silence: a disk that refuses, files that are removed, lines of many megabytes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peakOf } from '../processes.ts';
import { BIN, program } from '../relay.ts';
import { expect, test } from '../scope.ts';
import { isWhole, readEvents } from '../trace-file.ts';

const player = [process.execPath, program('raw.mjs'), 'play'];
test.use({ relayOptions: { allow: [player] } });

const note = (text: string) =>
  JSON.stringify({ jsonrpc: '2.0', method: '_note', params: { text } });

test('attack row 6 (R-21): the page says that nothing can be recorded, and is quiet again when it can', async ({
  scope,
  folder,
}) => {
  writeFileSync(join(folder, '0.bytes'), `${note('said while the disk refuses')}\n`);
  const spool = join(scope.relay.state, 'spool');
  rmSync(spool, { recursive: true });
  writeFileSync(spool, 'in the way');
  await scope.tryCommand(player, { cwd: folder });
  const banner = scope.page.getByRole('alert').filter({ hasText: 'cannot be recorded now' });
  await expect(banner).toContainText('a file stands where its folder should be (ENOTDIR)');
  await expect(banner).toContainText('Nothing is lost so far.');
  await expect(scope.row(/said while the disk refuses/)).toBeVisible();
  await expect(scope.recording).toContainText('Not recording');

  rmSync(spool);
  await expect(banner).toBeHidden();
  await scope.kill();
  expect(isWhole(await scope.export('raw'))).toBe(true);
});

test('attack row 6 (R-21): a recording that is removed goes on, and the page says that it was', async ({
  scope,
  folder,
}) => {
  writeFileSync(join(folder, '0.bytes'), `${note('before')}\n`);
  await scope.tryCommand(player, { cwd: folder });
  await expect(scope.row(/before/)).toBeVisible();
  rmSync(scope.relay.state, { recursive: true });
  await expect(scope.news).toContainText('was removed');
  await scope.kill();
  await expect(scope.row(/exit/).last()).toBeVisible();
  // This page had stored it all.
  expect(isWhole(await scope.export('raw'))).toBe(true);
});

/** Runs it with files of at most 32 kB (or 16, by the shell); gives what it said on stderr. */
async function cramped(argv: readonly string[], input?: string): Promise<string> {
  const child = spawn('/bin/sh', ['-c', 'ulimit -f 32 && exec "$@"', 'sh', ...argv], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data));
  child.stdin.end(input);
  await once(child, 'close');
  return said;
}

test.describe('on a disk with no room', () => {
  test.skip(process.platform === 'win32', 'There is no limit for files to be set.');

  for (const [name, args] of [
    ['tap', ['tap', '--out']],
    ['record', ['record', '--prompt', 'x', '--out']],
  ] as const)
    test(`attack row 6 (R-21): ${name} says on stderr what is missing, and the file has its gap and its exit`, async ({
      folder,
    }) => {
      const out = join(folder, 'out.acptrace.jsonl');
      const agent = `
        process.stdout.write(('x'.repeat(99) + '\\n').repeat(2000));
        process.stdin.resume().on('data', () => process.exit(4)).on('end', () => process.exit(4))`;
      const said = await cramped([
        ...[process.execPath, BIN, ...args, out, '--', process.execPath, '-e', agent],
      ]);
      const events = readEvents(readFileSync(out));
      expect(events.slice(-2)).toMatchObject([
        { type: 'gap', reason: 'the file may not grow further (EFBIG)' },
        { type: 'exit', code: 4 },
      ]);
      const [lost = 0] = events.flatMap((event) =>
        event.type === 'gap' ? [Number(event['count'])] : [],
      );
      expect(lost).toBeGreaterThan(1000);
      const count = lost.toLocaleString('en-US');
      expect(said).toContain(`are not in ${out} (${count}: the file may not grow further (EFBIG))`);
      expect(isWhole(readFileSync(out))).toBe(false);
    });
});

test('attack row 5 (N1, N5, R-07): what follows a line of 100 MB is recorded, and the memory stays bounded', async ({
  folder,
}) => {
  const out = join(folder, 'out.acptrace.jsonl');
  const agent = `
    const piece = 'x'.repeat(1 << 20);
    const say = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
    (async () => {
      await say('{"text":"');
      for (let i = 0; i < 100; i++) await say(piece);
      await say('"}\\n');
      for (let i = 0; i < 22; i++) await say('{"n":' + i + '}\\n');
    })()`;
  const argv = [BIN, 'tap', '--out', out, '--', process.execPath, '-e', agent];
  const tap = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  let peak = 0;
  let passed = 0;
  tap.stdout.on('data', (data: Buffer) => {
    passed += data.length;
    peak = Math.max(peak, peakOf(tap.pid));
  });
  const look = setInterval(() => (peak = Math.max(peak, peakOf(tap.pid))), 20);
  await once(tap, 'close');
  clearInterval(look);
  expect(passed).toBeGreaterThan(100 * (1 << 20));
  const heads: string[] = [];
  let isNew = true;
  for await (const chunk of createReadStream(out) as AsyncIterable<Buffer>) {
    const lines = chunk.toString('latin1').split('\n');
    for (const [i, line] of lines.entries()) {
      if (i > 0 || isNew) heads.push(line.slice(0, 90));
    }
    isNew = chunk.at(-1) === 0x0a;
  }
  const seqs = heads.flatMap((head) => /"seq":(\d+)/.exec(head)?.[1] ?? []).map(Number);
  expect(seqs).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
  expect(heads.join()).not.toContain('"gap"');
  // 256 MB, and twice the longest line.
  expect(peak).toBeLessThan(456 * 1000);
});
