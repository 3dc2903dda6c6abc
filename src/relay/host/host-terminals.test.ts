import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostCall, HostResult } from '../../link/messages.ts';
import { until } from '../../test/programs/until.ts';
import { groupLives } from '../agents/kill-tree.ts';
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
  mkdirSync(root);
  writeFileSync(join(root, 'a'), 'one\n');
  host = hostFor([root]);
});
afterEach(async () => {
  await host.end();
  rmSync(folder, { recursive: true, force: true });
});

function hostFor(roots: readonly string[], more: Partial<HostMay> = {}): Host {
  return new Host({ roots, cwd: root, terminals: true, closed: join(folder, 'state'), ...more });
}

const create = (more: Partial<Extract<HostCall, { op: 'terminal/create' }>>) =>
  host.call({ op: 'terminal/create', command: 'sh', args: [], env: {}, ...more });
const idOf = (result: HostResult) =>
  result.ok ? String(result.result['terminalId']) : result.error.message;

test.skipIf(!posix)(
  'a terminal runs a command, gives its output and its exit, and is released',
  async () => {
    const terminalId = idOf(
      await create({
        args: ['-c', 'echo out; echo err >&2; echo $NAME; pwd; exit 3'],
        env: { NAME: 'n' },
      }),
    );
    expect(await host.call({ op: 'terminal/wait_for_exit', terminalId })).toEqual({
      ok: true,
      result: { exitCode: 3, signal: null },
    });
    const output = await host.call({ op: 'terminal/output', terminalId });
    expect(output).toMatchObject({
      result: { truncated: false, exitStatus: { exitCode: 3, signal: null } },
    });
    const text = output.ok ? String(output.result['output']) : '';
    expect(text.split('\n').sort()).toEqual(['', root, 'err', 'n', 'out'].sort());
    expect(await host.call({ op: 'terminal/release', terminalId })).toEqual({
      ok: true,
      result: {},
    });
    expect(await host.call({ op: 'terminal/output', terminalId })).toMatchObject({
      error: { code: -32002 },
    });
  },
);

test.skipIf(!posix)(
  'P-09: the output keeps its newest bytes up to the limit, in whole characters',
  async () => {
    const script = `process.stdout.write('é'.repeat(200000) + 'end')`;
    const terminalId = idOf(
      await create({ command: process.execPath, args: ['-e', script], outputByteLimit: 1000 }),
    );
    await host.call({ op: 'terminal/wait_for_exit', terminalId });
    const output = await host.call({ op: 'terminal/output', terminalId });
    const text = output.ok ? String(output.result['output']) : '';
    expect(output).toMatchObject({ result: { truncated: true } });
    expect(text).toMatch(/^é+end$/);
    expect(Buffer.byteLength(text)).toBeGreaterThan(990);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000);
  },
);

test('P-09: an agent that asks for more than 16 MiB of output gets the newest 16 MiB', async () => {
  const most = 16 * 1024 * 1024;
  const script = `const mb = 'x'.repeat(2 ** 20); for (let i = 0; i < 40; i++) process.stdout.write(mb); process.stdout.write('end');`;
  const command = { command: process.execPath, args: ['-e', script], outputByteLimit: 1e9 };
  const terminalId = idOf(await create(command));
  await host.call({ op: 'terminal/wait_for_exit', terminalId });
  const output = await host.call({ op: 'terminal/output', terminalId });
  expect(output).toMatchObject({ result: { truncated: true } });
  const text = output.ok ? String(output.result['output']) : '';
  expect([text.length, text.slice(-4)]).toEqual([most, 'xend']);
});

test.skipIf(!posix)(
  'P-09: a terminal outside the roots is not made, and all end with the connection',
  async () => {
    expect(await create({ cwd: folder })).toEqual(OUTSIDE);
    expect(await create({ command: 'no-such-program' })).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('was not found') as string },
    });
    const terminalId = idOf(await create({ command: 'echo $$; sleep 60 & sleep 60' }));
    const waiting = host.call({ op: 'terminal/wait_for_exit', terminalId });
    const output = async () => {
      const answer = await host.call({ op: 'terminal/output', terminalId });
      return answer.ok ? String(answer.result['output']) : '';
    };
    await until(async () => expect(await output()).toMatch(/^\d+\n$/));
    const group = Number(await output());
    expect(groupLives(group)).toBe(true);
    await host.end();
    expect(await waiting).toEqual({ ok: true, result: { exitCode: null, signal: 'SIGTERM' } });
    expect(groupLives(group)).toBe(false);
  },
);

test.skipIf(!posix)('P-09: sixty-four terminals are the most, until one is released', async () => {
  const more = () => create({ command: 'true' });
  const all = await Promise.all(Array.from({ length: 70 }, more));
  const made = all.filter(({ ok }) => ok);
  expect(made).toHaveLength(64);
  expect(await more()).toMatchObject({
    error: { message: expect.stringMatching(/^64 /) as string },
  });
  const [first] = made;
  if (first) await host.call({ op: 'terminal/release', terminalId: idOf(first) });
  expect(await more()).toMatchObject({ ok: true });
});

test.skipIf(!posix)('a killed terminal keeps its id and its output', async () => {
  const terminalId = idOf(await create({ args: ['-c', 'echo hi; exec sleep 60'] }));
  for (;;) {
    const output = await host.call({ op: 'terminal/output', terminalId });
    if (output.ok && output.result['output'] === 'hi\n') break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await host.call({ op: 'terminal/kill', terminalId });
  await host.call({ op: 'terminal/wait_for_exit', terminalId });
  expect(await host.call({ op: 'terminal/output', terminalId })).toMatchObject({
    result: { output: 'hi\n', exitStatus: { exitCode: null, signal: 'SIGTERM' } },
  });
});

test('P-09: without terminals no command runs, whatever folders were allowed', async () => {
  const files = hostFor(['/', root], { terminals: false });
  const call = { command: 'sh', args: ['-c', `echo x > ${join(root, 'made')}`], env: {} };
  for (const result of [
    await files.call({ op: 'terminal/create', ...call }),
    await files.call({ op: 'terminal/output', terminalId: 'terminal-1' }),
  ])
    expect(result).toMatchObject({ ok: false, error: { code: -32601 } });
  expect(existsSync(join(root, 'made'))).toBe(false);
});

test.skipIf(!posix)(
  'a terminal may begin where the agent runs, without any folder for files',
  async () => {
    const terminals = hostFor([]);
    const call = { op: 'terminal/create', command: 'pwd', args: [], env: {} } as const;
    expect(await terminals.call(call)).toMatchObject({ ok: true });
    expect(await terminals.call({ ...call, cwd: folder })).toEqual(OUTSIDE);
    expect(await terminals.call({ op: 'fs/read_text_file', path: join(root, 'a') })).toEqual(
      OUTSIDE,
    );
    await terminals.end();
  },
);
