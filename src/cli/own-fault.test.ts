// Errors that nobody foresaw, in the bin as a user has it: the program is damaged before it starts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildBin } from '../test/programs/built-bin.ts';

const TRACE = [
  '{"format":"acptrace","version":1,"created":"2026-11-21T10:41:00.000Z","tool":"t","clock":"monotonic"}',
  '{"type":"frame","seq":1,"at":0,"from":"client","line":{"text":"{}"},"origin":"peer"}',
  '',
].join('\n');

let bin: string;
let folder: string;

beforeAll(async () => {
  bin = await buildBin();
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-own-'));
  writeFileSync(join(folder, 'a.acptrace.jsonl'), TRACE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the bin after `breaking` was run in its process. */
function broken(
  breaking: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  writeFileSync(join(folder, 'break.cjs'), breaking);
  return spawnSync(process.execPath, ['--require', './break.cjs', bin, ...args], {
    cwd: folder,
    encoding: 'utf8',
    input: '',
    env: { ...process.env, ACP_SCOPE_STATE: join(folder, 'state'), ...env },
  });
}

/** Our program runs once it hears of what nobody caught. */
function onceRunning(what: string): string {
  return `setInterval(() => { if (process.listenerCount('uncaughtException')) ${what}; }, 1);`;
}

const THROWN = 'function broken() { throw new TypeError("words of a file"); }';
/** In the command itself, from a timer beside it, and in a promise that nobody waits for. */
const WAYS = {
  'the command': `${THROWN} Object.defineProperty(process.stdout, 'isTTY', { get: broken });`,
  'a timer': `${THROWN} ${onceRunning('broken()')}`,
  'a promise': `${THROWN} ${onceRunning('Promise.resolve().then(broken)')}`,
};

test.each(Object.entries(WAYS))(
  'R-46 an error that nobody foresaw in %s is one sentence and status 4',
  (_, breaking) => {
    const { status, stderr } = broken(breaking, ['check', 'a.acptrace.jsonl']);
    expect(status).toBe(4);
    expect(stderr).toMatch(
      /^This is a fault of ACP Scope \S+: TypeError at break\.cjs:1:\d+\. .*report/,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('words of a file');
  },
);

test('R-46 the place of the error is shown on request', () => {
  const args = ['check', 'a.acptrace.jsonl'];
  const { status, stderr } = broken(WAYS['the command'], args, { ACP_SCOPE_DEBUG: '1' });
  expect(status).toBe(4);
  expect(stderr).toMatch(/TypeError: words of a file\n +at /);
});
