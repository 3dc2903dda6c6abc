import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { HostCall } from '../../link/messages.ts';
import { until } from '../../test/programs/until.ts';
import { Host, type HostMay } from './host.ts';

const posix = process.platform !== 'win32';
const OUTSIDE = {
  ok: false,
  error: { code: -32602, message: 'path is outside the allowed roots' },
};
let folder: string;
let root: string;
let host: Host;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-')));
  root = join(folder, 'w');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(folder, 'w-evil'));
  writeFileSync(join(folder, 'w-evil', 'x'), 'secret');
  writeFileSync(join(folder, 'outside'), 'secret');
  writeFileSync(join(root, 'a'), 'one\ntwo\nthree\n');
  host = hostFor([root]);
});
afterEach(async () => {
  await host.end();
  rmSync(folder, { recursive: true, force: true });
});

function hostFor(roots: readonly string[], more: Partial<HostMay> = {}): Host {
  return new Host({ roots, cwd: root, terminals: true, closed: join(folder, 'state'), ...more });
}

const read = (path: string, more: { line?: number; limit?: number } = {}) =>
  host.call({ op: 'fs/read_text_file', path, ...more });
const write = (path: string, content = 'new') =>
  host.call({ op: 'fs/write_text_file', path, content });

const create = (more: Partial<Extract<HostCall, { op: 'terminal/create' }>>) =>
  host.call({ op: 'terminal/create', command: 'sh', args: [], env: {}, ...more });

test('a file inside is read, whole or by lines counted from 1', async () => {
  expect(await read(join(root, 'a'))).toEqual({
    ok: true,
    result: { content: 'one\ntwo\nthree\n' },
  });
  expect(await read(join(root, 'sub', '..', 'a'), { line: 2, limit: 1 })).toEqual({
    ok: true,
    result: { content: 'two' },
  });
  expect(await read(join(root, 'none'))).toMatchObject({ error: { code: -32002 } });
});

test('odd numbers and variables of an agent are answered, and hurt nothing', async () => {
  for (const more of [{ line: -1 }, { limit: 1.5 }, { line: NaN }])
    expect(await read(join(root, 'a'), more)).toMatchObject({ error: { code: -32602 } });
  expect(await read(join(root, 'a'), { line: 9, limit: 0 })).toMatchObject({
    result: { content: '' },
  });
  for (const env of [{ 'A=B': '' }, { A: 'x\0' }])
    expect(await create({ args: ['-c', 'true'], env })).toMatchObject({
      error: { message: expect.stringContaining('is none') as string },
    });
  expect(await create({ args: ['-c', 'true\0'] })).toMatchObject({ ok: false });
});

test.skipIf(!posix)('P-07: no path leads out of the roots', async () => {
  symlinkSync(join(folder, 'outside'), join(root, 'link'));
  symlinkSync(folder, join(root, 'dirlink'));
  symlinkSync(join(folder, 'nowhere'), join(root, 'dangling'));
  for (const path of [
    `${root}/../outside`,
    `${root}/link`,
    `${root}/dirlink/outside`,
    `${root}/dangling`,
    `${root}/a\u0000b`,
    `/${root}/../outside`,
    'relative',
    `file://${root}/a`,
    '/dev/zero',
    '/proc/self/environ',
    `${root}/.git/../../outside`,
    'C:\\',
    '\\\\host\\share',
    `${folder}/w-evil/x`,
    `${folder}/w-evil/none`,
    '',
  ])
    expect([path, await read(path)]).toEqual([path, OUTSIDE]);
  const closed = hostFor([]);
  expect(await closed.call({ op: 'fs/read_text_file', path: join(root, 'a') })).toEqual(OUTSIDE);
});

test.skipIf(!posix)(
  'P-07: a FIFO, a folder, a huge file and bytes that are no text are not read',
  async () => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    writeFileSync(join(root, 'huge'), Buffer.alloc(10 * 1024 * 1024 + 1));
    writeFileSync(join(root, 'bytes'), Buffer.from([0xff, 0xfe]));
    for (const [name, why] of [
      ['fifo', 'not a regular file'],
      ['sub', 'not a regular file'],
      ['huge', 'are not read'],
      ['bytes', 'not UTF-8 text'],
    ] as const)
      expect(await read(join(root, name))).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(why) as string },
      });
  },
);

test.skipIf(!posix)(
  'P-07: swapping a file for a link while it is read never shows what is outside',
  async () => {
    const path = join(root, 'swap');
    writeFileSync(join(root, 'inside'), 'inside');
    let reads = 0;
    let swapping = true;
    const swapper = (async () => {
      for (let i = 0; swapping; i++) {
        const next = join(root, `next-${i}`);
        if (i % 2) symlinkSync(join(folder, 'outside'), next);
        else writeFileSync(next, 'inside');
        renameSync(next, path);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (; reads < 400; reads++) {
      const result = await read(path);
      if (result.ok) expect(result.result).toEqual({ content: 'inside' });
    }
    swapping = false;
    await swapper;
  },
);

test('P-08: a file is replaced in one step, made with its folders, and links are never followed', async () => {
  expect(await write(join(root, 'a'))).toEqual({ ok: true, result: {} });
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
  expect(await write(join(root, 'x', 'y', 'z'))).toMatchObject({ ok: true });
  expect(readFileSync(join(root, 'x', 'y', 'z'), 'utf8')).toBe('new');
  if (!posix) return;
  symlinkSync(join(folder, 'outside'), join(root, 'link'));
  symlinkSync(folder, join(root, 'dirlink'));
  symlinkSync(join(folder, 'made'), join(root, 'dangling'));
  for (const path of [
    join(root, 'link'),
    join(root, 'dirlink', 'made'),
    join(root, 'dangling'),
    `${root}/../made`,
    `${folder}/w-evil/made`,
    `${root}/none/../../made`,
  ])
    expect([path, await write(path)]).toEqual([path, OUTSIDE]);
  expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('secret');
  expect(existsSync(join(folder, 'made'))).toBe(false);
  expect(existsSync(join(folder, 'w-evil', 'made'))).toBe(false);
});

test('P-08: what a shell, ssh or git would run is not written, even inside a root', async () => {
  const home = hostFor([homedir(), root]);
  for (const path of [
    join(homedir(), '.bashrc-acp-scope-test'),
    join(homedir(), '.ssh', 'acp-scope-test'),
    join(root, '.git', 'hooks', 'pre-commit'),
    join(root, 'sub', '.GIT', 'Hooks', 'x'),
    join(root, '.git', 'config'),
  ]) {
    const result = await home.call({ op: 'fs/write_text_file', path, content: 'x' });
    expect(result).toMatchObject({
      error: { message: expect.stringContaining('could run commands') as string },
    });
    expect(existsSync(path)).toBe(false);
  }
});

test('attack row 13 (P-08): many writes into one folder at once are all done', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `f${at % 20}`);
  const results = await Promise.all(names.map((name) => write(join(root, name), name)));
  expect(results.filter((result) => !result.ok)).toEqual([]);
  for (const name of names) expect(readFileSync(join(root, name), 'utf8')).toBe(name);
  expect(readdirSync(root)).toHaveLength(22);
});

test.skipIf(!posix)(
  'attack row 13 (P-08): a home that is a link keeps what a shell or ssh would run',
  async () => {
    mkdirSync(join(root, 'home', '.ssh'), { recursive: true });
    symlinkSync(join(root, 'home'), join(folder, 'home'));
    const before = process.env['HOME'];
    process.env['HOME'] = join(folder, 'home');
    try {
      for (const path of ['.bashrc', '.ssh/authorized_keys', '.config/autostart/x'])
        expect(await write(join(root, 'home', path))).toMatchObject({
          error: { message: expect.stringContaining('could run commands') as string },
        });
      expect(await write(join(root, 'home', 'notes'))).toMatchObject({ ok: true });
    } finally {
      process.env['HOME'] = before;
    }
  },
);

test.runIf(posix)(
  'P-08: who may read a file may do so after it is written, and nobody else',
  async () => {
    for (const mode of [0o600, 0o755]) {
      chmodSync(join(root, 'a'), mode);
      expect(await write(join(root, 'a'))).toMatchObject({ ok: true });
      expect(statSync(join(root, 'a')).mode & 0o777).toBe(mode);
    }
  },
);

// Only Linux names an open folder by a path.
test.runIf(process.platform === 'linux')(
  'attack row 13 (P-07, P-08): a folder that turns into a link while a file in it is used leads nowhere else',
  async () => {
    for (const [place, text] of [
      [join(root, 'd'), 'inside'],
      [join(folder, 'w-evil'), 'secret'],
    ] as const) {
      mkdirSync(join(place, 'e'), { recursive: true });
      for (const name of ['x', 'e/x']) writeFileSync(join(place, name), text);
    }
    symlinkSync(join(folder, 'w-evil'), join(root, 'link'));
    const swapper = spawn(process.execPath, ['-e', SWAP], { cwd: root, stdio: 'ignore' });
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await until(() => expect(readlinkSync(join(root, 'd'))).toBeTruthy());
    for (let i = 0; i < 600; i++) {
      const at = join(root, i % 2 ? 'd' : 'd/e');
      const [seen] = await Promise.all([
        read(join(at, 'x')),
        i % 3 ? undefined : write(join(at, 'y')),
      ]);
      if (seen.ok) expect(seen.result).toEqual({ content: 'inside' });
    }
    expect(swapper.exitCode).toBeNull();
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
    expect(readdirSync(join(folder, 'w-evil')).sort()).toEqual(['e', 'x']);
    expect(readdirSync(join(folder, 'w-evil', 'e'))).toEqual(['x']);
    expect(readFileSync(join(folder, 'w-evil', 'x'), 'utf8')).toBe('secret');
  },
);

/** What the host makes of a folder that is missing at the moment stands in the way, and is removed. */
const SWAP = `
  const { renameSync, rmSync } = require('node:fs');
  // Where the test itself is killed, nobody ends it.
  const until = Date.now() + 60_000;
  const move = (from, to) => {
    while (Date.now() < until)
      try { return renameSync(from, to); } catch {
        // A write at the same moment may keep it there.
        try { rmSync(to, { recursive: true, force: true }); } catch {}
      }
  };
  while (Date.now() < until) { move('d', 'real'); move('link', 'd'); move('d', 'link'); move('real', 'd'); }`;

test.skipIf(!posix)('P-08: nothing of ours stays behind when a write fails', async () => {
  expect(await write(join(root, 'sub'))).toMatchObject({ ok: false });
  unlinkSync(join(root, 'a'));
  const left = execFileSync('ls', ['-A', root], { encoding: 'utf8' });
  expect(left.trim()).toBe('sub');
});

test.skipIf(!posix)(
  'P-09: nothing is read, written or started for an agent that has ended',
  async () => {
    const made = join(root, 'made');
    const late = create({ command: `echo x > ${made}; sleep 60` });
    await host.end();
    expect(await late).toMatchObject({
      error: { message: expect.stringContaining('ended while') as string },
    });
    const ended = { ok: false, error: { code: -32603, message: 'the connection has ended' } };
    expect(await read(join(root, 'a'))).toEqual(ended);
    expect(await write(made)).toEqual(ended);
    expect(await create({ command: `echo x > ${made}` })).toEqual(ended);
    expect(existsSync(made) && readFileSync(made, 'utf8')).not.toBe('new');
  },
);

test('P-06 P-07: the state folder stays closed, also inside a folder that was allowed', async () => {
  const closed = join(root, 'state');
  mkdirSync(closed);
  writeFileSync(join(closed, 'approved.key'), 'key');
  const around = hostFor([root], { closed });
  const path = join(closed, 'approved.key');
  expect(await around.call({ op: 'fs/read_text_file', path })).toEqual(OUTSIDE);
  expect(await around.call({ op: 'fs/write_text_file', path, content: 'x' })).toEqual(OUTSIDE);
  expect(await around.call({ op: 'fs/read_text_file', path: join(root, 'a') })).toMatchObject({
    ok: true,
  });
});
